/** Starting and attaching in real terminals: one host however many ask for it, and none beside a stopped one. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type IPty, spawn } from 'node-pty';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { isStopped } from '../../src/platform/process-identity.ts';
import { sessionHolder } from '../../src/platform/session-lock.ts';
import { ensureBuilt } from '../support/built.ts';
import { CliPlace, root } from '../support/cli.ts';

interface Screen {
  pty: IPty;
  text(): string;
  ended: Promise<number>;
}

let place: CliPlace;
let screens: Screen[];
beforeAll(ensureBuilt, 60_000);
beforeEach(() => {
  place = new CliPlace();
  screens = [];
});
afterEach(async () => {
  for (const { pty, ended } of screens) {
    pty.kill('SIGKILL');
    await ended;
  }
  await place.end();
});

/** A terminal in which `tickmux` runs. */
function open(args: string[], env: NodeJS.ProcessEnv = {}): Screen {
  const pty = spawn(process.execPath, [join(root, 'dist/cli.mjs'), ...args], {
    cols: 100,
    rows: 30,
    cwd: place.directory,
    env: { ...place.env, ...env } as Record<string, string>,
  });
  let text = '';
  pty.onData((data) => {
    text += data;
  });
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  const screen = { pty, text: () => text, ended };
  screens.push(screen);
  return screen;
}

const shows = (screen: Screen, words: RegExp) => expect.poll(() => screen.text()).toMatch(words);
const hostsOf = (session: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`cli.mjs host --session ${session}`)).length;

it('starts one host for five terminals that open a session at once', async () => {
  const session = `race${process.pid}`;
  const { run } = place.paths(session);
  const five = Array.from({ length: 5 }, () => open(['-s', session]));
  for (const screen of five) await shows(screen, /shell:1/);
  expect(sessionHolder(run)).toBeDefined();
  await expect.poll(() => hostsOf(session)).toBe(1);
}, 60_000);

it('goes on when its terminal detaches or dies, and is shown again', async () => {
  const { run } = place.paths('lasting');
  const first = open(['-s', 'lasting']);
  await shows(first, /shell:1/);
  const host = sessionHolder(run)?.pid;
  first.pty.write('\x02d');
  expect(await first.ended).toBe(0);
  expect(first.text()).toContain('Detached. Session lasting goes on');

  const second = open(['-s', 'lasting', '--shell', '--', '/bin/cat']);
  await shows(second, /shell:2/);
  second.pty.kill('SIGKILL');
  await second.ended;
  expect(sessionHolder(run)?.pid).toBe(host);
  const listed = await place.run(['-s', 'lasting', 'ls', '--json']);
  expect(JSON.parse(listed.stdout).instances).toHaveLength(2);
}, 60_000);

it('does not replace a host that is stopped', async () => {
  const { run } = place.paths('stopped');
  const first = open(['-s', 'stopped']);
  await shows(first, /shell:1/);
  const host = sessionHolder(run)?.pid as number;
  process.kill(host, 'SIGSTOP');
  await expect.poll(() => isStopped(host)).toBe(true);
  const second = open(['-s', 'stopped']);
  expect(await second.ended).toBe(1);
  expect(second.text()).toContain(`kill -CONT ${host}`);
  expect(sessionHolder(run)?.pid).toBe(host);
  process.kill(host, 'SIGCONT');
}, 60_000);

it('does not show a session inside its own pane', async () => {
  const screen = open(['-s', 'mine'], { TICKMUX_INSTANCE: 'shell:1', TICKMUX_SESSION: 'mine' });
  expect(await screen.ended).toBe(1);
  expect(screen.text()).toContain('cannot show itself');
});

it('tells `npm start` without a terminal what to do, at once', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/start.mjs')], {
    encoding: 'utf8',
    env: place.env,
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('Run it in a terminal');
});
