/** What is remembered: written for this person alone, and never in the way when it is broken. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readRemembered, remember } from '../../src/platform/remembered.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tickmux-remembered-'));
  path = join(directory, 'tickmux', 'remembered.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

it('keeps what is not replaced, in a file of mode 0600', async () => {
  expect(readRemembered(path)).toEqual({});
  await remember(path, { theme: 'dusk', history: ['zoom'] });
  await remember(path, { inspector: 'hidden' });
  expect(readRemembered(path)).toEqual({ theme: 'dusk', inspector: 'hidden', history: ['zoom'] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('takes a broken file for an empty one, and mends it', async () => {
  await remember(path, { theme: 'dusk' });
  writeFileSync(path, '{ "theme": ');
  expect(readRemembered(path)).toEqual({});
  await remember(path, { inspector: 'shown' });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ inspector: 'shown' });
});

it('leaves out what it does not understand', () => {
  path = join(directory, 'remembered.json');
  writeFileSync(path, '{ "theme": 7, "inspector": "gone", "history": ["a", 1], "more": true }');
  expect(readRemembered(path)).toEqual({ history: ['a'] });
  writeFileSync(path, 'null');
  expect(readRemembered(path)).toEqual({});
});
