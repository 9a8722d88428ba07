/** Approvals from the agent's proposal to what the Tick executed, through the card on a real screen. */
import { beforeAll, expect, it } from 'vitest';
import { agentApi } from '../../src/rpc/api/index.ts';
import type { Client } from '../../src/rpc/client.ts';
import { builtCli, keys, prefix, TestSession } from '../support/end-to-end.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

let cli: string;
beforeAll(() => {
  cli = builtCli();
}, 120_000);

interface Arguments {
  text: string;
  amount?: number;
}

/** Proposes a call of the ledger; the promise is its outcome. */
function propose(agent: Client, args: Arguments, tool = 'note', reason = 'because') {
  const report = agent.request(agentApi.tickCall, {
    instance: 'hosted:1',
    tool,
    arguments: { ...args },
    reason,
  });
  report.catch(() => {}); // looked at where it is awaited
  return report;
}

/** Opens the oldest card and waits until its keys count: until then, a denial with words is not asked for. */
async function openCard(screen: OuterTerminal): Promise<void> {
  screen.press(`${prefix}a`);
  await screen.shows(/│ Approve\? {3}◆/, 'N deny with words');
  await screen.pressUntil('N', 'Deny, because:');
  screen.press(keys.escape);
  await screen.hides('Deny, because:');
}

const digest = (screen: OuterTerminal) => /digest {5}([0-9a-f]{4} [0-9a-f]{4})/.exec(screen.text)?.[1];

it('announces a proposal without taking the focus, and executes it once after a deliberate yes', async () => {
  const session = new TestSession(cli);
  const screen = await session.withLedger();
  screen.press(`${prefix}v`);
  await screen.shows('shell:1 sh');
  await screen.until('the shell is ready', () => screen.paneText('shell:1').includes('$'));

  const report = propose(await session.agent(), { text: 'hello', amount: 7 });
  await screen.shows(/hosted:1 Ledger {2}▲ 1 waiting/, /◆ \w+-\d+ {3}1 waiting$/m);
  expect(screen.holds('Approve?')).toBe(false);
  screen.press('echo yyy-$((40+2))\r');
  await screen.until('typed keys reach the shell', () => /\byyy-42$/m.test(screen.paneText('shell:1')));

  await openCard(screen);
  await screen.shows(/│ note {3}on hosted:1 Ledger \(test\.ledger\)/, /text +"hello"/, /amount +7/);
  await screen.shows(/asked by +tester, /, /its words +│ because/, 'y once');
  // The card carries the mark that only tickmux draws.
  const mark = /◆ (\w+-\d+) {3}1 waiting/.exec(screen.text)?.[1];
  expect(screen.text).toContain(`Approve?   ◆ ${mark}`);
  // Neither of these decides, and Escape leaves it waiting: all three have been read when the card is gone.
  screen.press('\r');
  screen.press(' ');
  screen.press(keys.escape);
  await screen.hides('Approve?');
  expect((await session.picture()).waiting).toHaveLength(1);
  expect(session.entries).toEqual([]);

  // From here on `y` is pressed all the time, as by somebody in the middle of a word.
  const pressed = Date.now();
  screen.press(`${prefix}ay`);
  await screen.pressUntil('y', /0 waiting/);
  expect(await report).toMatchObject({ state: 'succeeded', result: { calls: 1 } });
  expect(session.entries).toMatchObject([
    { tool: 'note', args: { text: 'hello', amount: 7 }, revision: '1' },
  ]);
  expect(session.entries[0]?.at).toBeGreaterThanOrEqual(pressed + 400);
  await screen.shows('calls 1');
});

it('takes a yes to long arguments only after every row was on the screen', async () => {
  const session = new TestSession(cli);
  const screen = await session.withLedger();
  const text = Array.from({ length: 120 }, (_, line) => `line ${line}`).join('\n');
  const report = propose(await session.agent(), { text });
  await screen.shows('1 waiting');
  await openCard(screen);
  await screen.shows('line 0', /\d+ more rows/);
  expect(screen.holds('y once')).toBe(false);
  screen.press(keys.end);
  await screen.shows('digest', 'line 119', /\d+ more rows/);
  screen.press('y');
  await screen.shows(/\d+ more rows to see before y/);
  expect((await session.picture()).waiting).toHaveLength(1);
  screen.press(keys.home);
  await screen.shows(/"line 0/);
  await screen.pressUntil(keys.pageDown, 'y once');
  screen.press('y');
  expect(await report).toMatchObject({ state: 'succeeded' });
  expect(session.entries.map(({ args }) => args)).toEqual([{ text }]);
});

it('tells the agent the words of a denial', async () => {
  const session = new TestSession(cli);
  const screen = await session.withLedger();
  const report = propose(await session.agent(), { text: 'no' });
  await screen.shows('1 waiting');
  await openCard(screen);
  screen.press('N');
  await screen.shows('Deny, because:');
  screen.press('not on a Monday: größer ✓\r');
  expect(await report).toMatchObject({ state: 'denied', words: 'not on a Monday: größer ✓' });
  await screen.shows('Denied: note on hosted:1', '0 waiting');
  expect(session.entries).toEqual([]);
});

it('runs what an edit made of a call, as the card showed it', async () => {
  const session = new TestSession(cli);
  const screen = await session.withLedger();
  const report = propose(await session.agent(), { text: 'as asked', amount: 7 });
  await screen.shows('1 waiting');
  await openCard(screen);
  const before = digest(screen);
  screen.press('e');
  await screen.shows(/│ Edit {3}◆/, 'C-s save');
  screen.press(`${keys.down}000`);
  await screen.shows('was 7', '500');
  await screen.until('the complaint stands below its field', () => {
    const at = screen.lines.findIndex((line) => /│ +.?amount.*7000/.test(line));
    return at > 0 && /500/.test(screen.lines[at + 1] ?? '');
  });
  // Refused as it is.
  screen.press('\x13');
  screen.press('\x7f\x7f\x7f9');
  await screen.shows(/amount.*79/);
  screen.press('\x13');
  await screen.shows('Approve?', 'edited by a person', /amount +79/);
  expect(digest(screen)).not.toBe(before);
  await screen.pressUntil('y', '0 waiting');
  expect(await report).toMatchObject({ state: 'succeeded', arguments: { text: 'as asked', amount: 79 } });
  expect(session.entries.map(({ args }) => args)).toEqual([{ text: 'as asked', amount: 79 }]);
});

it('lets one of two views that say yes at once win, and tells the other who it was', async () => {
  const session = new TestSession(cli);
  const first = await session.withLedger();
  const second = session.tickmux();
  await second.shows('hosted:1 Ledger');
  const report = propose(await session.agent(), { text: 'once' }, 'never');
  for (const screen of [first, second]) {
    await screen.shows('1 waiting');
    await openCard(screen);
  }
  for (const screen of [first, second]) screen.press('y');
  await first.shows('0 waiting');
  await second.shows('0 waiting');
  await first.until('one view approved, and the other one says which', () => {
    const [winner, loser] = first.holds('Approved: never') ? [first, second] : [second, first];
    return winner.holds('Approved: never') && /by view:[12]/.test(loser.text);
  });
  const { recent } = await session.picture();
  const loser = first.holds('Approved: never') ? second : first;
  expect(loser.text).toContain(`by ${recent[0]?.decided_by}`);
  await first.until('the ledger has it', () => session.entries.length > 0);
  expect(session.entries).toHaveLength(1);
  report.catch(() => {});
});

it('sends nothing when the catalogue changed after the card was shown', async () => {
  const session = new TestSession(cli);
  const screen = await session.withLedger();
  const report = propose(await session.agent(), { text: 'old' });
  await screen.shows('1 waiting');
  await openCard(screen);
  process.kill(await session.pid('hosted:1'), 'SIGUSR2');
  await screen.shows('revision 2');
  screen.press('y');
  expect(await report).toMatchObject({ state: 'stale' });
  await screen.shows('0 waiting', /stale: the program changed, nothing was sent/);
  expect(session.entries).toEqual([]);
});

it('says so when the agent goes while its card is open', async () => {
  const session = new TestSession(cli);
  const screen = await session.withLedger();
  const agent = await session.agent();
  propose(agent, { text: 'gone' });
  await screen.shows('1 waiting');
  await openCard(screen);
  agent.close();
  await screen.shows('0 waiting', 'Settled', 'withdrawn');
  screen.press('y');
  screen.press(keys.escape);
  await screen.hides('Settled');
  expect(session.entries).toEqual([]);
});
