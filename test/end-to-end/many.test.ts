/** Many at once, a host that stands still, and no terminal at all. */
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { isStopped } from '../../src/platform/process-identity.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { builtCli, prefix, root, TestSession } from '../support/end-to-end.ts';
import { holdingsOf } from '../support/holdings.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { plainTick } from '../support/plain-tick.ts';

let cli: string;
beforeAll(() => {
  cli = builtCli();
}, 120_000);

/** For how long others try to take the place of a stopped host: an hour, say, when somebody wants to know. */
const stoppedMs = Number(process.env.TICKMUX_TEST_STOPPED_S ?? 0) * 1_000;

const hosts = /cli\.mjs host /;

it('gives twenty terminals that start at once over the leftovers of a dead host one host', async () => {
  const session = new TestSession(cli);
  const before = session.tickmux();
  await before.shows('shell:1 sh');
  process.kill(session.host, 'SIGKILL');
  await before.exits();

  const screens = Array.from({ length: 20 }, () => session.tickmux([], { cols: 80, rows: 24 }));
  const [first] = screens as [OuterTerminal];
  // Ids go on where they were.
  await first.shows('shell:2 sh');
  const operator = await session.operator();
  await first.until('twenty views are attached', async () => {
    const { views } = await operator.request(operatorApi.picture, {});
    return views === 20;
  });
  for (const screen of screens) await screen.shows('┌ shell:2 sh');
  // Those that lost the race end by themselves.
  await first.until('one host is left', () => session.running(hosts).length === 1);
  expect(session.running(hosts)).toEqual([session.host]);
  const { instances, layout } = await operator.request(operatorApi.picture, {});
  expect(instances).toHaveLength(1);
  expect(layout.tabs).toHaveLength(1);
});

it('shows fifty Ticks that are opened at once, and keeps nothing of them once they are forgotten', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux([], { cols: 120, rows: 64 });
  await screen.shows('shell:1 sh', '$');
  const operator = await session.operator();
  const open = (name: string) => {
    const place = { in: 'none' } as const;
    return operator.request(operatorApi.open, { command: plainTick(name), cwd: '/', env: {}, place });
  };
  const end = async ({ instance }: { instance: string }) => {
    await operator.request(operatorApi.close, { instance });
    await operator.request(operatorApi.forget, { instance });
  };
  await end(await open('first'));
  const holdings = () => (process.platform === 'linux' ? holdingsOf(session.host) : undefined);
  const runDirectory = () => readdirSync(session.paths.run).sort();
  const before = holdings();
  const filesBefore = runDirectory();

  const names = Array.from({ length: 50 }, (_, index) => `number-${index}`);
  const opened = await Promise.all(names.map(open));
  screen.press(`${prefix}w`);
  for (const [index, { instance }] of opened.entries()) {
    await screen.shows(new RegExp(`│ ${instance} Plain ${names[index]} +running`));
  }
  await Promise.all(opened.map(end));
  await screen.hides('hosted:');
  expect(runDirectory()).toEqual(filesBefore);
  await screen.until('the host has what it had', () => {
    const after = holdings();
    return JSON.stringify({ ...after, stock: 0 }) === JSON.stringify({ ...before, stock: 0 });
  });
});

it('does not replace a host that was stopped, and goes on with it once it goes on', async () => {
  const session = new TestSession(cli);
  const first = session.tickmux();
  await first.shows('shell:1 sh', '$');
  const { host } = session;
  process.kill(host, 'SIGSTOP');
  await first.until('the host stands still', () => isStopped(host));
  const end = Date.now() + stoppedMs;
  do {
    const other = session.tickmux();
    expect(await other.exits()).toMatchObject({ code: 1 });
    expect(other.text.replaceAll('\n', '')).toContain(`kill -CONT ${host}`);
    expect(other.raw).not.toContain('\x1b');
    expect(session.running(hosts)).toEqual([host]);
  } while (Date.now() < end);
  first.press('echo went-$((1+1))\r');
  process.kill(host, 'SIGCONT');
  await first.shows(/^│went-2 /m);
});

describe('without a terminal', () => {
  /** Runs a command whose standard input or output is a terminal, and the other is none. */
  async function run(missing: 'input' | 'output', program: string[], session: TestSession) {
    // The shell's terminal is there; what the command writes elsewhere comes back through a file.
    const redirect = missing === 'input' ? '< /dev/null > /dev/tty' : '< /dev/tty > out.txt';
    const script = `"$@" ${redirect} 2> err.txt; echo "code $?"; cat out.txt err.txt 2> /dev/null; echo done`;
    const screen = session.terminal(['/bin/sh', '-c', script, 'sh', ...program]);
    await screen.exits();
    return screen;
  }

  const programs: [string, () => string[]][] = [
    ['tickmux', () => [process.execPath, cli, '-s', 'e2e']],
    ['npm start', () => ['npm', '--prefix', root, 'start', '--silent']],
  ];
  for (const [name, program] of programs) {
    it.each(['input', 'output'] as const)(
      `${name} says what to do, where standard %s is none`,
      async (missing) => {
        const session = new TestSession(cli);
        const screen = await run(missing, program(), session);
        expect(screen.text).toContain('code 2');
        expect(screen.text.replaceAll('\n', '')).toMatch(/standard input or output is none here/);
        expect(screen.raw).not.toContain('\x1b');
        expect(session.running(hosts)).toEqual([]);
      },
    );
  }
});
