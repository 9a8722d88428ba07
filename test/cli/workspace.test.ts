/** Workspace files: what they become, and where each mistake in them stands. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepDollars, readWorkspace } from '../../src/cli/workspace.ts';
import { root } from '../support/cli.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tickmux-workspace-'));
  file = join(directory, 'work.jsonc');
  mkdirSync(join(directory, 'src'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const values = { node: '/usr/bin/node' };
function read(text: string) {
  writeFileSync(file, text);
  return readWorkspace(file, values, { HOME: directory });
}
function complaints(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    return (error as Error).message.replaceAll(`${directory}/`, '').split('\n');
  }
  return [];
}

it('is read with absolute paths and filled-in names', () => {
  writeFileSync(join(directory, 'rules.jsonc'), '{}');
  expect(
    read(`{
      "playbook": "rules.jsonc", // beside it
      "cwd": "src",
      "tabs": [
        { "name": "one", "root": { "columns": [
          { "command": ["\${node}", "a.mjs", "$\${node}", "\${other}"], "weight": 2 },
          { "rows": [{ "shell": true }, { "shell": true, "command": ["htop"], "cwd": "~", "name": "top" }] },
        ] } },
        { "root": { "shell": true } },
      ],
    }`),
  ).toEqual({
    playbook: join(directory, 'rules.jsonc'),
    tabs: [
      {
        name: 'one',
        root: {
          columns: [
            {
              // biome-ignore lint/suspicious/noTemplateCurlyInString: names that are, and are not, filled in
              command: ['/usr/bin/node', 'a.mjs', '${node}', '${other}'],
              weight: 2,
              cwd: join(directory, 'src'),
            },
            {
              rows: [
                { shell: true, cwd: join(directory, 'src') },
                { shell: true, command: ['htop'], cwd: directory, name: 'top' },
              ],
            },
          ],
        },
      },
      { root: { shell: true, cwd: join(directory, 'src') } },
    ],
  });
});

it('keeps what looks like a name, through saving and reading', () => {
  for (const text of ['$', `$${'{node}'}`, `$$${'{node}'}`, `a $${'{node} $'}{x} $5`]) {
    const saved = JSON.stringify(keepDollars(text, ['node']));
    const { tabs } = read(`{ "tabs": [{ "root": { "command": [${saved}] } }] }`);
    expect(tabs[0]?.root.command).toEqual([text]);
  }
});

describe('a mistake', () => {
  it.each([
    [
      '{ "tab": [] }',
      ['work.jsonc:1:1: tabs is required', 'work.jsonc:1:3: there is no "tab": did you mean "tabs"?'],
    ],
    ['{ "tabs": [] }', ['work.jsonc:1:11: tabs must have at least 1 item']],
    [
      '{ "tabs": [\n  { "root": { "comand": ["x"] } }\n] }',
      ['work.jsonc:2:15: there is no "comand" in tabs[0].root: did you mean "command"?'],
    ],
    [
      '{ "tabs": [{ "root": { "command": "htop" } }] }',
      ['work.jsonc:1:35: tabs[0].root.command must be a list'],
    ],
    [
      '{ "tabs": [{ "root": { "name": "x" } }] }',
      [
        'work.jsonc:1:22: a pane needs "command" for a Tick, "shell": true for a shell or another program, or "columns" or "rows"',
      ],
    ],
    [
      '{ "tabs": [{ "root": { "shell": true, "rows": [{ "shell": true }] } }] }',
      ['work.jsonc:1:22: a pane is split into "columns" or into "rows", or has a program: only one of them'],
    ],
    [
      '{ "tabs": [{ "root": { "name": "x", "rows": [{ "shell": true }] } }] }',
      ['work.jsonc:1:24: a split has no name: give it to the panes in it'],
    ],
    [
      '{ "tabs": [{ "root": { "rows": [{ "shell": true, "cwd": "nowhere" }] } }] }',
      ['work.jsonc:1:57: cwd: there is no directory nowhere'],
    ],
    [
      '{ "playbook": "no.jsonc", "tabs": [{ "root": { "shell": true, "weight": 0 } }] }',
      ['work.jsonc:1:73: tabs[0].root.weight must be more than 0'],
    ],
    [
      '{ "playbook": "no.jsonc", "tabs": [{ "root": { "shell": true } }] }',
      ['work.jsonc:1:15: playbook: there is no file no.jsonc'],
    ],
    ['{ "tabs": [', ['work.jsonc:1:12: a closing bracket is expected here']],
  ])('is told with its place: %s', (text, words) => {
    expect(complaints(text)).toEqual(['The workspace cannot be opened:', ...words]);
  });

  it('such as a file that is not there says what to do', () => {
    expect(() => readWorkspace(file, values, {})).toThrow(
      `There is no workspace ${file}: \`tickmux save FILE\``,
    );
  });
});

it("is what the demo's is", () => {
  const { tabs } = readWorkspace(`${root}demo/workspace.jsonc`, { ...values, ticks: '/t' }, {});
  expect(tabs[0]?.root.columns?.[0]?.command).toEqual(['/usr/bin/node', '/t/market.mjs']);
});
