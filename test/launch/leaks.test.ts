import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cleanEnvironment, launch } from '../../src/launch/index.ts';
import { holdingsOf } from '../support/holdings.ts';
import { until } from './running.ts';

async function run(index: number): Promise<void> {
  const program = await launch({
    command: 'true',
    args: [],
    cwd: '/',
    env: cleanEnvironment(process.env),
    pipes: index % 3 > 0,
  });
  program.terminal.onData(() => undefined);
  program.stdout?.resume();
  expect((await program.exited).code).toBe(0);
  program.dispose();
}

test('300 programs leave no descriptor, pipe, terminal or dead process behind', async () => {
  // A place of its own: other tests make pipes at the same time.
  const place = mkdtempSync(join(tmpdir(), 'tickmux-test-'));
  vi.stubEnv('TMPDIR', place);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(place, { recursive: true });
  });
  const batch = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => run(index)));
  await batch(3);
  const before = holdingsOf();
  for (let round = 0; round < 30; round += 1) await batch(10);
  // A batch of pipes may still be in the making, with a process of its own.
  await until('the last batch of pipes to be unlinked', () => readdirSync(place).length === 0);
  await until('its process to be gone', () => holdingsOf().children.length === before.children.length);
  const after = holdingsOf();
  expect(after.descriptors).toEqual(before.descriptors);
  expect(after.children).toEqual(before.children);
  // The stock may be fuller than before, by no more than two batches.
  expect(after.stock).toBeLessThanOrEqual(before.stock + 64);
});
