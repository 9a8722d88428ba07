/** The example that the guide prints is run as it stands there. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { TickProcess, until } from '../support/tick-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the lamp of docs/writing-a-tick.md is a Tick', async () => {
  const guide = readFileSync(join(root, 'docs/writing-a-tick.md'), 'utf8');
  const example = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, 'guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'lamp.mjs'), example.replace('tickmux/sdk', join(root, 'src/sdk/index.ts')));
  const tick = await TickProcess.start({
    command: process.execPath,
    args: ['--import', join(root, 'test/support/typescript-loader.mjs'), join(directory, 'lamp.mjs')],
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
