/** The configuration: what each setting becomes, what is told about mistakes, and that the rest counts all the same. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/cli/config.ts';
import { Config } from '../../src/cli/config-schema.ts';
import { type ConfigPaths, configPaths } from '../../src/platform/config.ts';
import { keyFor, prefixKeys } from '../../src/tui/keymap.ts';
import { defaultSettings } from '../../src/tui/settings.ts';
import { themes } from '../../src/tui/theme.ts';

let home: string;
let paths: ConfigPaths;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tickmux-config-'));
  env = { HOME: home, PATH: process.env.PATH };
  paths = configPaths(env);
  mkdirSync(paths.themes, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

function read(text?: string) {
  if (text !== undefined) writeFileSync(paths.file, text);
  const { problems, ...more } = readConfig(paths, env);
  return { ...more, problems: problems.map((line) => line.replace(`${paths.directory}/`, '')) };
}

it('is all defaults when there is no file', () => {
  const { settings, problems, exists } = read();
  expect({ problems, exists }).toEqual({ problems: [], exists: false });
  const { inspector: _, ...tui } = defaultSettings;
  expect(settings).toEqual({ tui, hasTheme: false, inspector: 'auto' });
});

it('reads every setting', () => {
  writeFileSync(join(paths.directory, 'rules.jsonc'), '{}');
  const { settings, problems } = read(`{
    // mine
    "prefix": "C-Space",
    "keys": { "split right": "|", "new-tab": ["t", "M-t"], "suspend": [], "layout wide": "F2" },
    "theme": "dusk",
    "inspector": "off",
    "layouts": { "wide": { "columns": [{ "weight": 2 }, { "rows": [{}, {}] }] } },
    "scrollback": 200,
    "shell": "sh",
    "playbook": "rules.jsonc",
  }`);
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({
    hasTheme: true,
    inspector: 'off',
    scrollback: 200,
    shell: expect.stringMatching(/^\/.*\/sh$/),
    playbook: join(paths.directory, 'rules.jsonc'),
  });
  const { keymap, theme, layouts } = settings.tui;
  expect(theme.name).toBe('dusk');
  expect(layouts.get('wide')).toEqual({ columns: [{ weight: 2 }, { rows: [{}, {}] }] });
  expect(keyFor(keymap, 'split right')).toBe('C-Space |');
  expect(keyFor(keymap, 'new-tab')).toBe('C-Space t');
  expect(keyFor(keymap, 'layout wide')).toBe('C-Space F2');
  expect(keyFor(keymap, 'suspend')).toBe('C-Space : suspend');
});

it('knows every action of the keymap, with keys it would take itself', () => {
  const keys = Object.fromEntries(prefixKeys.map(({ action, keys }) => [action, keys]));
  const { problems, settings } = read(JSON.stringify({ keys }));
  expect(problems).toEqual([]);
  expect(settings.tui.keymap).toEqual(defaultSettings.keymap);
});

describe('a mistake', () => {
  it.each([
    ['{ "theem": "dusk" }', 'config.jsonc:1:3: there is no "theem": did you mean "theme"?'],
    [
      '{\n  "keys": { "splt right": "|" }\n}',
      'config.jsonc:2:13: there is no "splt right" in keys: did you mean "split right"?',
    ],
    [
      '{ "prefix": "C-i" }',
      'config.jsonc:1:13: prefix must be Ctrl with a key, such as "C-a" or "C-Space" (not C-h, C-i, C-j, C-m, C-[)',
    ],
    [
      '{ "keys": { "zoom": "ctrl+z" } }',
      'config.jsonc:1:21: keys.zoom must be a key, such as "x", "C-x", "M-x", "PageUp" or "F5", or a list of keys',
    ],
    [
      '{ "keys": { "zoom": ["z", "zz"] } }',
      'config.jsonc:1:27: keys.zoom[1] must be a key, such as "x", "C-x", "M-x", "PageUp" or "F5", or a list of keys',
    ],
    [
      '{ "keys": { "zoom": "q", "help": ["?", "q"] } }',
      'config.jsonc:1:40: "q" is already the key of "zoom"',
    ],
    ['{ "theme": "dsuk" }', 'config.jsonc:1:12: there is no theme "dsuk": did you mean "dusk"?'],
    ['{ "inspector": "maybe" }', 'config.jsonc:1:16: inspector must be one of "auto", "on" or "off"'],
    ['{ "scrollback": 60000 }', 'config.jsonc:1:17: scrollback must be at most 50000'],
    [
      '{ "shell": "no-such-shell" }',
      'config.jsonc:1:12: shell: there is no program "no-such-shell" that can be started',
    ],
    [
      '{ "layouts": { "a": { "columns": [{ "wight": 2 }] } } }',
      'config.jsonc:1:37: there is no "wight" in layouts.a.columns[0]: did you mean "weight"?',
    ],
    [
      '{ "layouts": { "a": { "rows": [{ "rows": [{}], "columns": [{}] }] } } }',
      'config.jsonc:1:32: a place is split into columns or into rows, not both: nest one in the other',
    ],
    ['{ "prefix" "C-a" }', 'config.jsonc:1:12: a colon is expected here'],
    ['[]', 'config.jsonc:1:1: the whole must be an object'],
  ])('is told with its place: %s', (text, words) => {
    expect(read(text).problems).toEqual([words]);
  });

  it('in a file that is not there says where it was looked for', () => {
    expect(read('{ "playbook": "~/rules.jsonc" }').problems).toEqual([
      `config.jsonc:1:15: playbook: there is no file ${home}/rules.jsonc`,
    ]);
  });

  it('leaves out that one key, layout or setting, and nothing else', () => {
    const { settings, problems, broken } = read(`{
      "prefix": 7, "scrollback": 300, "shel": "sh",
      "keys": { "zoom": "", "new-tab": "t" },
      "layouts": { "bad": { "columns": 1 }, "good": {} }
    }`);
    expect(problems).toHaveLength(4);
    expect(broken).toBe(false);
    expect(settings.scrollback).toBe(300);
    expect([...settings.tui.layouts.keys()]).toEqual(['good']);
    expect(keyFor(settings.tui.keymap, 'new-tab')).toBe('C-b t');
    expect(keyFor(settings.tui.keymap, 'zoom')).toBe('C-b z');
  });

  it('in the syntax leaves all at its default', () => {
    const { settings, broken } = read('{ "scrollback": 300, oops');
    expect(broken).toBe(true);
    expect(settings.scrollback).toBeUndefined();
  });
});

describe('a theme beside the configuration', () => {
  const mine = { ...themes[1], name: 'mine' };

  it('can be chosen', () => {
    writeFileSync(join(paths.themes, 'mine.json'), JSON.stringify(mine));
    const { settings, problems } = read('{ "theme": "mine" }');
    expect(problems).toEqual([]);
    expect(settings.tui.theme).toEqual(mine);
    expect(settings.tui.themes.map(({ name }) => name)).toEqual([...themes.map(({ name }) => name), 'mine']);
  });

  it('is told its own mistakes', () => {
    writeFileSync(join(paths.themes, 'mine.json'), '{\n "name": "mine", "styles": {}, "glyps": {}\n}');
    const { problems, settings } = read('{ "theme": "mine" }');
    expect(problems[0]).toMatch(/^config.jsonc:1:12: there is no theme "mine": take one of terminal, dusk/);
    expect(problems).toContain('themes/mine.json:2:32: there is no "glyps": did you mean "glyphs"?');
    expect(settings.tui.theme.name).toBe('terminal');
  });
});

it('says of every setting what it is', () => {
  for (const [name, { description }] of Object.entries(Config.properties)) {
    expect([name, description]).toEqual([name, expect.stringMatching(/.{10}/)]);
  }
});
