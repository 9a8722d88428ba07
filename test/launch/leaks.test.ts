import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cleanEnvironment, launch } from '../../src/launch/index.ts';
import { until } from './running.ts';

/** How many descriptors of each kind this process has open. */
function descriptors(): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const fd of readdirSync('/proc/self/fd')) {
    let target: string;
    try {
      target = readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      continue; // The directory just listed.
    }
    const kind = /ptmx|pts|tickmux-pipes|null/.exec(target)?.[0] ?? 'other';
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();

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
  const before = descriptors();
  const idle = children();
  for (let round = 0; round < 30; round += 1) await batch(10);
  // A batch of pipes may still be in the making, with a process of its own.
  await until('the last batch of pipes to be unlinked', () => readdirSync(place).length === 0);
  await until('its process to be gone', () => children() === idle);
  const { 'tickmux-pipes': stockBefore = 0, ...othersBefore } = before;
  const { 'tickmux-pipes': stock = 0, ...others } = descriptors();
  expect(others).toEqual(othersBefore);
  // Pipes are made ahead: the stock may be fuller than before, by no more than two batches.
  expect(stock).toBeLessThanOrEqual(stockBefore + 64);
});
