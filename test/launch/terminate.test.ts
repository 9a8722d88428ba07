import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transpile } from '../support/transpile.ts';
import { alive, start, startBash, startTick, until } from './running.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The pids that a script told as `job=PID;`. */
const jobsIn = (text: string) => [...text.matchAll(/job=(\d+);/g)].map((match) => Number(match[1]));

describe('terminate', () => {
  test('H-4.5-1: signals SIGTERM to the group, and the program may end as it likes', async () => {
    const script =
      'trap "echo bye; wait; exit 5" TERM; sh -c \'trap "echo too; exit" TERM; echo up; while :; do sleep 0.01; done\' & wait';
    const tick = await startTick(script);
    await until('both', () => tick.answered() === 'up\n');
    expect(await tick.terminate()).toEqual({ escaped: [] });
    expect(await tick.exited).toEqual({ code: 5, signal: null });
    expect(tick.answered().split('\n').sort().join(' ').trim()).toBe('bye too up');
  });

  test('H-4.5-1: ends a stopped program by its own handler', async () => {
    const tick = await startTick('trap "exit 6" TERM; echo up; kill -STOP $$; while :; do sleep 0.01; done');
    await until('the trap', () => tick.answered() === 'up\n');
    await tick.terminate();
    expect(await tick.exited).toEqual({ code: 6, signal: null });
  });

  test('H-4.5-2: kills what ignores SIGTERM once the time is up', async () => {
    const tick = await startTick('trap "" TERM HUP; echo up; while :; do sleep 0.01; done', {
      terminateMs: 150,
    });
    await until('the trap', () => tick.answered() === 'up\n');
    const began = Date.now();
    await tick.terminate();
    expect(await tick.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(Date.now() - began).toBeGreaterThanOrEqual(140);
  });

  test('H-4.5-2: leaves nothing of the session alive, background jobs of a shell included', async () => {
    const bash = await startBash();
    bash.type(
      '(trap "" TERM HUP; echo "job=$BASHPID;"; while :; do sleep 0.01; done) & sleep 1000 & echo "job=$!;"\r',
    );
    await until('both jobs', () => jobsIn(bash.shown()).length === 2);
    bash.type('sleep 1000\r');
    await until('a foreground job', () => bash.terminal.foregroundGroup() !== bash.pid);
    const jobs = [...jobsIn(bash.shown()), bash.terminal.foregroundGroup() as number];
    expect(jobs.map(alive)).toEqual([true, true, true]);
    expect(await bash.terminate()).toEqual({ escaped: [] });
    expect([bash.pid, ...jobs].map(alive)).toEqual([false, false, false, false]);
  });

  test('H-4.5-2: does not make a shell at its prompt wait for SIGKILL', async () => {
    const bash = await startBash();
    await bash.terminate();
    expect((await bash.exited).signal).not.toBe('SIGKILL');
  });

  test('ends what a program left in its session when it exited by itself', async () => {
    const tick = await startTick('trap "" HUP; sleep 1000 > /dev/null 2>&1 & echo "job=$!;"');
    await tick.exited;
    const [left] = jobsIn(tick.answered());
    expect(alive(left as number)).toBe(true);
    expect(await tick.terminate()).toEqual({ escaped: [] });
    expect(alive(left as number)).toBe(false);
  });

  test('reports what left the session, orphans too, and does not end it', async () => {
    const tick = await start({ command: join(root, 'test/fixtures/launch/leave.sh') });
    await until('those that left', () => jobsIn(tick.answered()).length === 2);
    const left = jobsIn(tick.answered()).sort((a, b) => a - b);
    try {
      expect(await tick.terminate()).toEqual({ escaped: left });
      expect(left.map(alive)).toEqual([true, true]);
      expect(alive(tick.pid)).toBe(false);
    } finally {
      for (const pid of left.filter(alive)) process.kill(pid, 'SIGKILL');
    }
  });

  test('finds by their environment those whose parent has gone', async () => {
    const tick = await startTick('(setsid sleep 1000 > /dev/null 2>&1 & echo "job=$!;"); read line');
    await until('the orphan', () => jobsIn(tick.answered()).length === 1);
    const [orphan] = jobsIn(tick.answered()) as [number];
    const parent = () => /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${orphan}/status`, 'utf8'))?.[1];
    const session = () => readFileSync(`/proc/${orphan}/stat`, 'utf8').split(') ')[1]?.split(' ')[3];
    await until('it to leave', () => session() === String(orphan) && parent() !== String(tick.pid));
    try {
      expect(await tick.terminate()).toEqual({ escaped: [orphan] });
    } finally {
      process.kill(orphan, 'SIGKILL');
    }
  });
});

describe('the host is killed', () => {
  const twoPrograms = 'test/fixtures/launch/two-programs';
  /** Inside `node_modules`, so that outside libraries are found from there. */
  let scripts: string;
  beforeAll(() => {
    const cache = join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    scripts = mkdtempSync(join(cache, 'launch-'));
    const launch = readdirSync(join(root, 'src/launch')).map((name) => `src/launch/${name}`);
    transpile(scripts, [`${twoPrograms}.ts`, 'src/platform/process-identity.ts', ...launch]);
  });
  afterAll(() => rmSync(scripts, { recursive: true }));

  function startHost(tick: string, shell: string): ChildProcess {
    return spawn(process.execPath, [join(scripts, `${twoPrograms}.js`), tick, shell], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  test.each([
    ['end of input', 'trap "" HUP; cat > /dev/null', 'trap "" HUP; cat > /dev/null'],
    ['SIGHUP', 'exec sleep 1000', 'exec sleep 1000'],
  ])(
    'its programs see %s and end, though each was started with the other’s terminal open',
    async (_, tick, shell) => {
      const host = startHost(tick, shell);
      let said = '';
      host.stdout?.on('data', (bytes: Buffer) => {
        said += bytes.toString();
      });
      await until('both programs', () => said.includes('\n'));
      const pids = JSON.parse(said) as number[];
      expect(pids.map(alive)).toEqual([true, true]);
      host.kill('SIGKILL');
      try {
        await until('both to end', () => !pids.some(alive));
      } finally {
        for (const pid of pids.filter(alive)) process.kill(pid, 'SIGKILL');
      }
    },
  );
});
