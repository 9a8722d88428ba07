/** Finding the configuration and noticing that it was saved, with real files in the ways editors write them. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { configPaths, readText, watchText } from '../../src/platform/config.ts';

let directory: string;
let stop: (() => void) | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tickmux-config-'));
});
afterEach(() => {
  stop?.();
  stop = undefined;
  rmSync(directory, { recursive: true });
});

function watched(path: string) {
  const changed = vi.fn();
  stop = watchText(path, changed);
  return changed;
}
const times = (changed: ReturnType<typeof vi.fn>, count: number) =>
  expect.poll(() => changed.mock.calls.length).toBe(count);

it('is found by the XDG rules', () => {
  expect(configPaths({ HOME: '/home/x' }).file).toBe('/home/x/.config/tickmux/config.jsonc');
  expect(configPaths({ HOME: '/home/x', XDG_CONFIG_HOME: '/etc/xdg' }).file).toBe(
    '/etc/xdg/tickmux/config.jsonc',
  );
  expect(configPaths({ HOME: '/home/x', XDG_CONFIG_HOME: 'here' }).directory).toBe('/home/x/.config/tickmux');
});

it('is read without a byte order mark; a file that is not there is no failure', () => {
  const path = join(directory, 'config.jsonc');
  expect(readText(path)).toBeUndefined();
  writeFileSync(path, '\uFEFF{}');
  expect(readText(path)).toBe('{}');
});

it('tells a save once, whether the file is written, replaced or removed', async () => {
  const path = join(directory, 'config.jsonc');
  writeFileSync(path, '{}');
  const changed = watched(path);
  writeFileSync(path, '{ "prefix": "C-a" }');
  await times(changed, 1);
  writeFileSync(`${path}.new`, '{ "prefix": "C-t" }');
  renameSync(`${path}.new`, path);
  await times(changed, 2);
  rmSync(path);
  await times(changed, 3);
});

it('tells nothing when another file is saved, or the same text again', async () => {
  const path = join(directory, 'config.jsonc');
  writeFileSync(path, '{}');
  const changed = watched(path);
  writeFileSync(join(directory, 'other'), 'x');
  writeFileSync(path, '{}');
  writeFileSync(path, '{ }');
  await times(changed, 1);
});

it('notices a directory that is made later', async () => {
  const path = join(directory, 'tickmux', 'config.jsonc');
  const changed = watched(path);
  mkdirSync(join(directory, 'tickmux'));
  writeFileSync(path, '{}');
  await times(changed, 1);
  writeFileSync(path, '{ "prefix": "C-a" }');
  await times(changed, 2);
});

it('follows a link to where the file really is', async () => {
  mkdirSync(join(directory, 'dotfiles'));
  mkdirSync(join(directory, 'tickmux'));
  const real = join(directory, 'dotfiles', 'tickmux.jsonc');
  writeFileSync(real, '{}');
  symlinkSync(real, join(directory, 'tickmux', 'config.jsonc'));
  const changed = watched(join(directory, 'tickmux', 'config.jsonc'));
  writeFileSync(real, '{ "prefix": "C-a" }');
  await times(changed, 1);
});
