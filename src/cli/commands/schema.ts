/** Prints the JSON Schemas of the files that people write. */
import { Theme } from '../../tui/theme.ts';
import { Config } from '../config-schema.ts';
import type { Context } from '../context.ts';
import { exitCodes, UsageError } from '../exit.ts';
import { nearest } from '../nearest.ts';
import { Playbook } from '../playbook-schema.ts';
import { Workspace } from '../workspace-schema.ts';

const schemas: Readonly<Record<string, object>> = {
  config: Config,
  workspace: Workspace,
  playbook: Playbook,
  theme: { title: 'tickmux theme', description: 'themes/NAME.json beside the configuration.', ...Theme },
};

export const schemaNames = Object.keys(schemas);

export async function schema(name = 'config', { stdout }: Context): Promise<number> {
  const found = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (!found) {
    const meant = nearest(name, schemaNames);
    throw new UsageError(
      `There is no schema ${JSON.stringify(name)}: ${meant ? `did you mean ${meant}?` : `take one of ${schemaNames.join(', ')}.`}`,
    );
  }
  // Draft 7, as editors know it best.
  const text = JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...found }, null, 2);
  stdout.write(`${text}\n`);
  return exitCodes.ok;
}
