/** The examples that the guides print are run as they stand there. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { TickProcess, until } from '../support/tick-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the lamp of docs/writing-a-tick.md is a Tick', async () => {
  const guide = readFileSync(join(root, 'docs/writing-a-tick.md'), 'utf8');
  const example = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  ensureBuilt();
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'lamp.mjs'), example.replace('tickmux/sdk', join(root, 'dist/sdk.mjs')));
  const tick = await TickProcess.start({
    command: process.execPath,
    args: [join(directory, 'lamp.mjs')],
  });

  await tick.shows('The lamp is off.');
  expect(await tick.describe()).toMatchObject({ kind: 'example.lamp', tools: [{ name: 'switch' }] });
  expect((await tick.call('switch', { on: true })).result).toEqual({ on: true });
  await tick.shows('The lamp is on.');
  tick.type(' ');
  await until('two updates', () => tick.updates.length === 2);
  expect(await tick.read()).toEqual({ seq: 2, data: { on: false } });
  expect((await tick.call('switch', { on: 'yes' })).error?.code).toBe(-32602);
});

test('the checklist of docs/tick-in-python.md is a Tick', async () => {
  const guide = readFileSync(join(root, 'docs/tick-in-python.md'), 'utf8');
  const example = /```python\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  copyFileSync(join(root, 'src/ticks/note_host.py'), join(directory, 'note_host.py'));
  writeFileSync(join(directory, 'checklist.py'), example);
  const tick = await TickProcess.start({
    command: 'python3',
    args: ['-B', join(directory, 'checklist.py')],
  });

  await tick.shows('1       tag the release');
  expect((await tick.call('toggle', { number: 2 })).result).toEqual({ step: 'build it', done: true });
  await tick.shows('2  done build it');
  tick.type('1');
  await tick.shows('1  done tag the release');
  await until('two updates', () => tick.updates.length === 2);
  expect(await tick.read()).toMatchObject({ seq: 2, data: { steps: [{ done: true }, { done: true }, {}] } });
  expect((await tick.call('toggle', { number: 'two' })).error?.code).toBe(-32602);
  expect((await tick.call('toggle', { number: 9 })).error).toEqual({
    code: -32602,
    message: 'There are only 3 steps.',
  });
});
