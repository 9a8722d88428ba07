/** docs/configuration.md: its examples are what the program takes, and nothing that can be set is left out. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/cli/config.ts';
import { Config } from '../../src/cli/config-schema.ts';
import { readWorkspace } from '../../src/cli/workspace.ts';
import { configPaths } from '../../src/platform/config.ts';
import { prefixKeys } from '../../src/tui/keymap.ts';
import { root } from '../support/cli.ts';

const guide = readFileSync(`${root}docs/configuration.md`, 'utf8');
const [config = '', workspace = ''] = [...guide.matchAll(/```jsonc\n([\s\S]*?)```/g)].map(([, text]) => text);

function home() {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return { directory, env: { HOME: directory, PATH: process.env.PATH } };
}

it('shows a configuration without a mistake', () => {
  const { env } = home();
  const paths = configPaths(env);
  mkdirSync(paths.directory, { recursive: true });
  writeFileSync(join(paths.directory, 'rules.jsonc'), '{}');
  writeFileSync(paths.file, config.replace('/usr/bin/fish', '/bin/sh'));
  expect(readConfig(paths, env).problems).toEqual([]);
});

it('shows a workspace without a mistake', () => {
  const { directory, env } = home();
  mkdirSync(join(directory, 'src/shop/web'), { recursive: true });
  writeFileSync(join(directory, 'rules.jsonc'), '{}');
  writeFileSync(join(directory, 'work.jsonc'), workspace);
  const read = readWorkspace(join(directory, 'work.jsonc'), { node: 'node' }, env);
  expect(read.tabs).toHaveLength(2);
});

it('has every setting, with its default', () => {
  for (const [name, schema] of Object.entries(Config.properties)) {
    if (name === '$schema') continue;
    expect(guide).toContain(`| \`${name}\` |`);
    if ('default' in schema)
      expect(guide).toContain(`| \`${name}\` | \`${JSON.stringify(schema.default)}\` |`);
  }
});

it('has every action', () => {
  const several = guide
    .replace(
      '`focus left`, `down`, `up`, `right`, `next`',
      '`focus left` `focus down` `focus up` `focus right` `focus next`',
    )
    .replace('`swap left`, `down`, `up`, `right`', '`swap left` `swap down` `swap up` `swap right`')
    .replace('`tab 1` to `tab 9`', Array.from({ length: 9 }, (_, index) => `\`tab ${index + 1}\``).join(' '));
  for (const { action } of prefixKeys) expect(several).toContain(`\`${action}\``);
});
