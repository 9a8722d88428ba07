/** What outlives what: detaching, dying views, programs and hosts, and what the terminal is left like. */
import { beforeAll, describe, expect, it } from 'vitest';
import { agentApi } from '../../src/rpc/api/index.ts';
import { builtCli, prefix, TestSession } from '../support/end-to-end.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

let cli: string;
beforeAll(() => {
  cli = builtCli();
}, 120_000);

/** A terminal as a program finds it. */
const untouched = {
  screen: 'normal',
  cursor: true,
  mouse: 'none',
  paste: false,
  focus: false,
  wraps: true,
  cursorKeys: false,
};

it('detaches, and shows everything again when attached', async () => {
  const session = new TestSession(cli);
  const first = await session.withLedger();
  first.press(`${prefix}vecho kept-$((40+2))\r`);
  await first.until('the shell answers', () => /\bkept-42$/m.test(first.paneText('shell:1')));
  const { host } = session;
  first.press(`${prefix}d`);
  expect(await first.exits()).toMatchObject({ code: 0 });
  expect(first.text).toContain('Detached. Session e2e goes on');
  expect(first.modes).toEqual(untouched);

  const second = session.tickmux();
  await second.shows('hosted:1 Ledger', 'calls 0');
  await second.until('the shell is as it was', () => /\bkept-42$/m.test(second.paneText('shell:1')));
  expect(session.host).toBe(host);
  second.press(`${prefix}lecho again-$((1+1))\r`);
  await second.until('the shell goes on', () => /\bagain-2$/m.test(second.paneText('shell:1')));
});

it('keeps the last screen of a program that died, says how, and starts it again', async () => {
  const session = new TestSession(cli);
  const screen = await session.withLedger();
  const before = await session.pid('hosted:1');
  process.kill(before, 'SIGKILL');
  await screen.shows(/was ended by SIGKILL .*C-b R restart/, `ledger ${before}`);
  screen.press('keys for nobody');
  screen.press(`${prefix}R`);
  await screen.hides(`ledger ${before}`);
  await screen.shows(/ledger \d+/, 'calls 0');
  await screen.hides('C-b R restart');
  expect(await session.pid('hosted:1')).not.toBe(before);
});

it('goes on without a view that was killed', async () => {
  const session = new TestSession(cli);
  const first = await session.withLedger();
  const { host } = session;
  const ledger = await session.pid('hosted:1');
  await first.kill('SIGKILL');
  await first.until('the host noticed', async () => (await session.picture()).views === 0);
  const second = session.tickmux();
  await second.shows('hosted:1 Ledger', `ledger ${ledger}`);
  expect(session.host).toBe(host);
});

it('gives the terminal back when the host dies, and never sends a call twice whose outcome it lost', async () => {
  const session = new TestSession(cli);
  const first = await session.withLedger();
  const agent = await session.agent();
  agent
    .request(agentApi.tickCall, {
      instance: 'hosted:1',
      tool: 'never',
      arguments: { text: 'once' },
      wait: false,
    })
    .catch(() => {});
  await first.shows('1 waiting');
  first.press(`${prefix}a`);
  await first.pressUntil('y', '0 waiting');
  await first.shows('calls 1');
  process.kill(session.host, 'SIGKILL');
  expect(await first.exits()).toMatchObject({ code: 1 });
  expect(first.text).toMatch(/The host of session e2e is gone/);
  expect(first.modes).toEqual(untouched);
  await first.until('its programs are gone too', () => session.running(/ledger\.mjs/).length === 0);

  // Ids go on where they were.
  const second = session.tickmux(['--', ...session.ledgerCommand]);
  await second.shows('hosted:2 Ledger', 'calls 0');
  second.press(`${prefix}ill`);
  await second.shows(/never on hosted:1 {2}unknown/, /approved by view:1; unknown: it may have/);
  const { recent, waiting } = await session.picture();
  expect(waiting).toEqual([]);
  expect(recent).toMatchObject([{ tool: 'never', state: 'unknown' }]);
  expect(session.entries).toHaveLength(1);
});

it('is suspended by prefix C-z under a shell, and comes back by fg', async () => {
  const session = new TestSession(cli);
  const screen = session.terminal(['bash', '--norc', '--noprofile', '-i']);
  await screen.shows('$');
  screen.press(`${session.command('--', ...session.ledgerCommand).join(' ')}\r`);
  await screen.shows('hosted:1 Ledger', 'calls 0');
  screen.press(`${prefix}\x1a`);
  await screen.shows('Stopped');
  expect(screen.modes).toMatchObject({ ...untouched, paste: expect.any(Boolean) });
  screen.press('echo back-$((1+1))\r');
  await screen.shows(/\bback-2$/m);
  screen.press('fg\r');
  await screen.shows('hosted:1 Ledger', 'calls 0');
  expect(screen.modes).toMatchObject({ screen: 'alternate', mouse: 'drag', paste: true });
  screen.press(`${prefix}vecho on-$((1+1))\r`);
  await screen.until('it takes keys', () => /\bon-2$/m.test(screen.paneText('shell:1')));
  screen.press(`${prefix}d`);
  await screen.shows('Detached.');
});

describe('leaves the terminal as it was', () => {
  const ways: [string, number, (screen: OuterTerminal, view: number, session: TestSession) => void][] = [
    ['detaching', 0, (screen) => screen.press(`${prefix}d`)],
    ['the end of the session', 0, (screen) => screen.press(`${prefix}:kill-session\r`)],
    [
      'a command that ends the session',
      0,
      (_, __, session) => void session.terminal(session.command('kill-session')),
    ],
    ['a crash of its host', 1, (_, __, session) => process.kill(session.host, 'SIGKILL')],
    ['SIGTERM', 143, (_, view) => process.kill(view, 'SIGTERM')],
    ['SIGHUP', 129, (_, view) => process.kill(view, 'SIGHUP')],
  ];
  it.each(ways)('after %s', async (way, code, leave) => {
    const session = new TestSession(cli);
    // A shell around it tells the exit code and what became of the terminal's line settings.
    const shell =
      'stty -a > before; "$@"; echo "code $?"; stty -a > after; cmp before after && echo same; read x';
    const screen = session.terminal(['/bin/sh', '-c', shell, 'sh', ...session.command()]);
    await screen.shows('shell:1 sh', '$');
    expect(screen.modes).toMatchObject({ screen: 'alternate', mouse: 'drag', paste: true, focus: true });
    const [view] = session.running(/^\S*node \S*cli\.mjs -s e2e *$/);
    leave(screen, view as number, session);
    if (way === 'the end of the session') {
      // A key typed before the question is there is the program's.
      await screen.shows('End session e2e');
      screen.press('y');
    }
    await screen.shows(`code ${code}`, 'same');
    if (way.endsWith('the session')) expect(session.running(/cli\.mjs host /)).toEqual([]);
    if (way.startsWith('a command')) await screen.shows('Session e2e was ended by a command (tickmux cli).');
    if (way.startsWith('a crash')) await screen.shows('The host of session e2e is gone');
    expect(screen.modes).toEqual(untouched);
  });
});
