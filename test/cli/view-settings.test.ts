import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { viewSettings } from '../../src/cli/view-settings.ts';

/** The name of the theme a view begins with. */
function themeOf(config: string | undefined, more: NodeJS.ProcessEnv): string {
  const home = mkdtempSync(join(tmpdir(), 'tickmux-view-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  if (config !== undefined) {
    mkdirSync(join(home, 'tickmux'));
    writeFileSync(join(home, 'tickmux', 'config.jsonc'), config);
  }
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, ...more };
  return viewSettings(env).options.settings.theme.name;
}

test("a view follows the terminal's own colours, and has none where NO_COLOR asks for that", () => {
  expect(themeOf(undefined, {})).toBe('terminal');
  expect(themeOf(undefined, { NO_COLOR: '1' })).toBe('monochrome');
  expect(themeOf(undefined, { NO_COLOR: '' })).toBe('terminal');
});

test('a configured theme is the stronger wish', () => {
  expect(themeOf('{"theme":"nord"}', {})).toBe('nord');
  expect(themeOf('{"theme":"nord"}', { NO_COLOR: '1' })).toBe('nord');
});
