/** The printed schemas: they take what the program takes and refuse what it refuses. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPlaybook } from '../../src/agents/embedded/index.ts';
import { JsoncText } from '../../src/cli/jsonc.ts';
import { Playbook } from '../../src/cli/playbook-schema.ts';
import { compileOwnSchema } from '../../src/schema/index.ts';
import { root, useCliPlace } from '../support/cli.ts';

const place = useCliPlace();

const file = (name: string) => new JsoncText(readFileSync(`${root}${name}`, 'utf8')).value;

it.each([
  ['config', { prefix: 'C-a', keys: { zoom: ['z', 'Z'] } }, { prefix: 'a' }],
  ['workspace', file('demo/workspace.jsonc'), { tabs: [{ root: { rows: [{ colums: [] }] } }] }],
  ['playbook', file('demo/playbook.jsonc'), { rules: [{ tool: 'add' }] }],
  ['theme', file('themes/dusk.json'), { name: 'dusk' }],
])('prints the schema of a %s', async (name, good, bad) => {
  const { code, stdout } = await place.run(['schema', name]);
  expect(code).toBe(0);
  const schema = JSON.parse(stdout);
  expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
  const { $schema: _, ...rest } = schema;
  const check = compileOwnSchema(rest);
  expect(check(good)).toEqual([]);
  expect(check(bad)).not.toEqual([]);
});

it('says which ones there are', async () => {
  expect((await place.run(['schema'])).stdout).toContain('"tickmux configuration"');
  const { code, stderr } = await place.run(['schema', 'themes']);
  expect(code).toBe(2);
  expect(stderr).toContain('did you mean theme?');
});

describe("the playbook's schema agrees with its reader", () => {
  const rule = { kind: 'k', when: { path: '/a', equals: 1 }, tool: 't' };
  const check = compileOwnSchema(Playbook);
  it.each([
    ['the least', rule],
    ['an instance', { ...rule, kind: undefined, instance: 'hosted:2' }],
    ['both', { ...rule, instance: 'hosted:2' }],
    ['neither', { ...rule, kind: undefined }],
    ['a shell', { ...rule, kind: undefined, instance: 'shell:2' }],
    [
      'several conditions',
      {
        ...rule,
        when: [
          { path: '', exists: true },
          { path: '/b', above: { $state: '/c' } },
        ],
      },
    ],
    ['no condition', { ...rule, when: [] }],
    ['nothing compared', { ...rule, when: { path: '/a' } }],
    ['a text as number', { ...rule, when: { path: '/a', above: 'x' } }],
    ['no pointer', { ...rule, when: { path: 'a', equals: 1 } }],
    ['no change', { ...rule, when: { path: '/a', changes: false } }],
    ['an unknown member', { ...rule, cool: 1 }],
    ['too short a pause', { ...rule, cooldown_s: 0 }],
    ['a list of arguments', { ...rule, arguments: [] }],
    ['an empty tool', { ...rule, tool: '' }],
  ])('%s', (_, one) => {
    const text = JSON.stringify({ rules: [one] });
    expect(check(JSON.parse(text)).length === 0).toBe(readPlaybook(text).ok);
  });
});
