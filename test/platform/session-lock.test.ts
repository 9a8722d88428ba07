import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isStopped } from '../../src/platform/process-identity.ts';
import {
  type LockWay,
  SessionHeld,
  sessionHolder,
  takeSessionLock,
} from '../../src/platform/session-lock.ts';
import { transpile } from '../support/transpile.ts';

const contender = 'test/support/lock-contender';
const ways: LockWay[] = process.platform === 'linux' ? ['socket', 'file'] : ['file'];

let scripts: string;
beforeAll(() => {
  scripts = mkdtempSync(join(tmpdir(), 'tickmux-lock-scripts-'));
  transpile(scripts, [`${contender}.ts`, 'src/platform/session-lock.ts', 'src/platform/process-identity.ts']);
});
afterAll(() => rmSync(scripts, { recursive: true }));

let run: string;
let children: ChildProcess[];
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'tickmux-lock-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) await end(child);
  rmSync(run, { recursive: true, force: true });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

interface Contender {
  child: ChildProcess;
  said: string;
}

/** Starts `count` processes, and only when all of them are ready lets them go for the lock. */
async function contend(way: LockWay, count: number): Promise<Contender[]> {
  const started = Array.from({ length: count }, () => {
    const child = spawn(process.execPath, [join(scripts, `${contender}.js`), run, way], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, lines };
  });
  for (const { lines } of started) expect((await lines.next()).value).toBe('ready');
  for (const { child } of started) child.stdin.write('go\n');
  return Promise.all(
    started.map(async ({ child, lines }) => ({ child, said: String((await lines.next()).value) })),
  );
}

const winners = (contenders: Contender[]) => contenders.filter(({ said }) => said === 'won');

describe.each(ways)('the session lock by %s', (way) => {
  it('goes to exactly one of twenty processes that start at once', async () => {
    const won = winners(await contend(way, 20));
    expect(won).toHaveLength(1);
    expect(sessionHolder(run)?.pid).toBe(won[0]?.child.pid);
  });

  it('stays with a holder that is stopped', async () => {
    const [holder] = await contend(way, 1);
    const { child } = holder as Contender;
    const pid = child.pid as number;
    child.kill('SIGSTOP');
    await expect.poll(() => isStopped(pid)).toBe(true);
    await expect(takeSessionLock(run, way)).rejects.toThrow(SessionHeld);
    expect(sessionHolder(run)?.pid).toBe(pid);
  });

  it('is free again once its holder was killed, however many want it then', async () => {
    const [first] = await contend(way, 1);
    expect(first?.said).toBe('won');
    await end((first as Contender).child);
    expect(sessionHolder(run)).toBeUndefined();
    expect(winners(await contend(way, 8))).toHaveLength(1);
  });

  it('can be given back and taken again', async () => {
    const lock = await takeSessionLock(run, way);
    await expect(takeSessionLock(run, way)).rejects.toThrow(SessionHeld);
    lock.release();
    (await takeSessionLock(run, way)).release();
  });
});

it('is not held by a process that merely got the same number', () => {
  writeFileSync(join(run, 'host.pid'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
  expect(sessionHolder(run)).toBeUndefined();
});
