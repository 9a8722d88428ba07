import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RpcError } from '../../src/rpc/api/errors.ts';
import { digestOf, FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

const prefix = '\x02';
const esc = '\x1b';
const pageDown = '\x1b[6~';
const end = '\x1b[F';
const home = '\x1b[H';
const guard = 400;

let host: FakeHost;
let bench: TuiBench;
beforeEach(() => {
  host = new FakeHost();
  host.instance('hosted:1', 'Counter', { kind: 'example.counter' });
  host.instance('hosted:2', 'Market', { kind: 'example.market' });
  host.tab('trading', {
    type: 'split',
    axis: 'columns',
    weights: [1, 1],
    children: [
      { type: 'pane', pane: 'pane:1', instance: 'hosted:1' },
      { type: 'pane', pane: 'pane:2', instance: 'hosted:2' },
    ],
  });
});
afterEach(() => bench.stop());

/** Opens the oldest card and lets the guard pass. */
async function openCard(cols = 130, rows = 30): Promise<void> {
  bench = await TuiBench.start(host, cols, rows);
  await bench.sees(`${host.picture.waiting.length} waiting`);
  bench.type(`${prefix}a`);
  await bench.sees('asked by');
}

/** The frame now on the terminal has been taken and what hangs on it has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test('a proposal changes the border and the count, and nothing else', async () => {
  bench = await TuiBench.start(host);
  await bench.sees('0 waiting');
  host.waiting('call:1');
  host.publish();
  await bench.sees('▲ 1 waiting');
  expect(bench.text).toContain('◆ fox-42   1 waiting');
  expect(bench.text).not.toContain('Approve?');
  bench.type('y');
  await bench.until(() => host.typed('hosted:1') === 'y', 'the pane gets what is typed');
  expect(host.sent('decide')).toEqual([]);
});

test('a card shows what would be done, and on whose asking', async () => {
  host.waiting('call:1', {
    reason: 'spread above 0.08, buying the dip',
    seq_then: 415,
    seq_now: 418,
    revision: '3',
    again: 'sent 40 s ago, unknown',
  });
  host.waiting('call:2');
  await openCard();
  await bench.sees('y once');
  const card = bench.terminal.lines().map((line) => line.slice(85).trimEnd());
  expect(card.slice(1, 22)).toEqual([
    'Approve?   ◆ fox-42                   1 of 2',
    '',
    'place_order',
    'on hosted:2 Market (example.market)',
    '│ Place a limit order in the simulated book.',
    '',
    'price  101.1',
    'qty    10',
    'side   "buy"',
    '',
    'again      sent 40 s ago, unknown',
    expect.stringMatching(/^asked by {3}rules loop, \d+ s ago {3}agent:1$/),
    'its words  │ spread above 0.08, buying the',
    '           │ dip',
    'state      seq 415 → 418 since it looked',
    'catalogue  revision 3',
    `digest     ${digestOf('call:1').slice(0, 4)} ${digestOf('call:1').slice(4, 8)}`,
    '',
    '',
    '',
    '',
  ]);
  (host.picture.instances[1] as { seq?: number }).seq = 1_000_000;
  host.publish();
  await bench.sees('state      seq 415 → 1000000');
});

test('y approves once, with the digest that was shown', async () => {
  host.waiting('call:1');
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  bench.type('y');
  await bench.sees('Approved: place_order on hosted:2.');
  expect(host.sent('decide')).toEqual([{ call: 'call:1', digest: digestOf('call:1'), decision: 'approve' }]);
  await bench.sees('State   Tools');
  host.picture.recent = host.picture.recent.map((call) => ({ ...call, state: 'dispatched' }));
  host.publish();
  host.picture.recent = host.picture.recent.map((call) => ({ ...call, state: 'succeeded' }));
  host.publish();
  await bench.sees('place_order on hosted:2: succeeded');
});

test('keys within 400 ms of the paint are meant for something else', async () => {
  host.waiting('call:1');
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard - 1);
  for (const key of 'ynNe') bench.type(key);
  await settled();
  expect(bench.text).toContain('y once');
  expect(host.sent('decide')).toEqual([]);
  bench.clock.pass(1);
  bench.type('n');
  await bench.until(() => host.sent('decide').length === 1, 'the denial is sent');
  expect(host.sent('decide')[0]?.decision).toBe('deny');
});

test('the guard begins when the terminal has the card, not before', async () => {
  host.waiting('call:1');
  bench = await TuiBench.start(host);
  await bench.sees('1 waiting');
  bench.terminal.hold();
  bench.type(`${prefix}a`);
  await bench.sees('asked by');
  bench.clock.pass(10_000);
  bench.type('n');
  await settled();
  expect(host.sent('decide')).toEqual([]);
  bench.terminal.release();
  await bench.sees('y once');
  bench.type('n');
  await settled();
  expect(host.sent('decide')).toEqual([]);
});

test('Enter, Space, paste and mouse decide nothing', async () => {
  host.waiting('call:1');
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  bench.type('\r ');
  bench.type('\x1b[200~y\x1b[201~');
  bench.type('yn');
  bench.type('\x1b[<0;100;28M\x1b[<0;100;28m');
  await settled();
  expect(host.sent('decide')).toEqual([]);
  expect(bench.text).toContain('Approve?');
});

describe('long arguments', () => {
  beforeEach(() => {
    const lines = Array.from({ length: 60 }, (_, at) => [`key${at}`, at]);
    host.waiting('call:1', { arguments_text: JSON.stringify(Object.fromEntries(lines)) });
  });

  test('y waits until every row has been painted; the end alone is not enough', async () => {
    await openCardPage();
    expect(bench.text).toMatch(/\d+ more rows/);
    expect(bench.text).toMatch(/↓ \d+ rows below/);
    bench.type('y');
    await bench.sees('rows to see before y');
    bench.type(end);
    await bench.sees('key59');
    await bench.sees(/23 more rows/);
    await bench.sees(/↑ \d+ rows above/);
    expect(bench.text).not.toContain('below');
    bench.type('y');
    await settled();
    expect(host.sent('decide')).toEqual([]);
    bench.type(home);
    await bench.sees('key0 ');
    bench.type(pageDown);
    await bench.sees(/\b[1-9] more rows/);
    bench.type(pageDown);
    await bench.sees('y once');
    bench.type('y');
    await bench.until(() => host.sent('decide').length === 1, 'the approval is sent');
  });

  test('pages that went by faster than the terminal took them were not seen', async () => {
    await openCardPage();
    bench.type(pageDown.repeat(6));
    await bench.sees('key59');
    await settled();
    bench.type('y');
    await settled();
    expect(bench.text).toMatch(/\d+ more rows/);
    expect(host.sent('decide')).toEqual([]);
    // At the end the key that is asked for leads to them.
    for (let pages = 0; pages < 40 && !bench.text.includes('y once'); pages++) {
      bench.type(pageDown);
      await settled();
    }
    await bench.sees('y once');
  });

  async function openCardPage(): Promise<void> {
    bench = await TuiBench.start(host);
    await bench.sees('1 waiting');
    bench.type(`${prefix}a`);
    await bench.sees('key0');
    await settled();
    bench.clock.pass(guard);
  }
});

test('N denies with words; Esc goes back to the card', async () => {
  host.waiting('call:1');
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  bench.type('N');
  await bench.sees('Deny, because:');
  bench.type('too much');
  bench.type(esc);
  await bench.until(() => !bench.text.includes('Deny, because:'), 'the line is gone');
  bench.type('N');
  bench.type('too risky\r');
  await bench.until(() => host.sent('decide').length === 1, 'the denial is sent');
  expect(host.sent('decide')[0]).toEqual({
    call: 'call:1',
    digest: digestOf('call:1'),
    decision: 'deny',
    words: 'too risky',
  });
});

test.each([
  ['y', 'approve'],
  ['n', 'deny'],
])('%s that is held down decides one card and no other', async (key, decision) => {
  for (const call of ['call:1', 'call:2', 'call:3']) host.waiting(call);
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  bench.type(key);
  await bench.until(() => host.sent('decide').length === 1, 'the first card is decided');
  // Not the first card, which stands there for a moment longer.
  await bench.sees(/1 of 2[\s\S]*place_order[\s\S]*y once/);
  await settled();
  // A delay before it repeats, longer than the guard, and then a fast run.
  for (const ms of [660, ...Array(40).fill(33)]) {
    bench.clock.pass(ms);
    bench.type(key);
    await settled();
  }
  expect(host.sent('decide')).toMatchObject([{ decision }]);
  bench.clock.pass(700);
  bench.type(key);
  await bench.until(() => host.sent('decide').length === 2, 'pressed anew it decides the next');
});

test('Tab turns to the next card, and every card has its own guard', async () => {
  host.waiting('call:1');
  host.waiting('call:2', { tool: 'cancel_order' });
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  bench.type('\t');
  await bench.sees('2 of 2');
  await bench.sees('cancel_order');
  await bench.sees('y once');
  bench.type('y');
  await settled();
  expect(host.sent('decide')).toEqual([]);
  bench.clock.pass(guard);
  bench.type('y');
  await bench.sees('1 of 1');
  await bench.sees('y once');
  expect(host.sent('decide').map(({ call }) => call)).toEqual(['call:2']);
  bench.type(esc);
  await bench.sees('State   Tools');
});

test('another digest is shown, and arms the guard anew', async () => {
  const approval = host.waiting('call:1');
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  approval.arguments_text = '{"qty":999}';
  approval.summary.digest = digestOf('other');
  host.publish();
  await bench.sees('qty  999');
  await bench.sees('y once');
  bench.type('y');
  await settled();
  expect(host.sent('decide')).toEqual([]);
  bench.clock.pass(guard);
  bench.type('y');
  await bench.until(() => host.sent('decide').length === 1, 'the approval is sent');
  expect(host.sent('decide')[0]?.digest).toBe(digestOf('other'));
});

test('a decision the host refuses as changed shows the card again', async () => {
  const approval = host.waiting('call:1');
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  // The host knows before the view hears of it.
  approval.arguments_text = '{"qty":999}';
  approval.summary.digest = digestOf('other');
  bench.type('y');
  await bench.sees('call:1 changed: look again.');
  await bench.sees('qty  999');
  await settled();
  bench.type('y');
  await settled();
  expect(host.sent('decide').length).toBe(1);
});

test('a call that somebody else settled says so', async () => {
  host.waiting('call:1');
  host.waiting('call:2', { tool: 'cancel_order' });
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  host.settle('call:1', 'denied', { decided_by: 'view:7', words: 'no' });
  await bench.sees('denied by view:7: no');
  expect(bench.text).toContain('Settled');
  bench.type('y');
  await settled();
  expect(host.sent('decide')).toEqual([]);
  bench.type('\t');
  await bench.sees('cancel_order');
});

test.each([
  ['open', 'Start a program', undefined],
  ['close', 'End', 'its program would be ended'],
  ['restart', 'Restart', 'its command would be started again'],
  ['input', 'Type into', 'would be typed into its terminal'],
] as const)('a proposal to %s says so in words', async (kind, head, words) => {
  host.waiting('call:1', {
    kind,
    tool: kind,
    arguments_text: '{"text":"rm -rf x\\n"}',
    context: ['bash in /work', '$ '],
  });
  await openCard();
  await bench.sees(head);
  if (words) await bench.sees(new RegExp(words.split(' ')[0] as string));
  expect(bench.text).toContain('"rm -rf x␊"');
  expect(bench.text).toContain('│ bash in /work');
});

test('a wide terminal keeps its panes beside the card, a narrow one lends the right half', async () => {
  host.waiting('call:1');
  bench = await TuiBench.start(host, 80, 24);
  await bench.sees('▲ 1 waiting');
  expect(bench.text).not.toContain('State   Tools');
  const before = host.sent('show').length;
  bench.type(`${prefix}a`);
  await bench.sees(/^.{40}│ Approve\?/m);
  await bench.sees('y once');
  expect(host.sent('show').length).toBe(before);
  bench.type(esc);
  await bench.until(() => !bench.text.includes('Approve?'), 'the card is gone');
  bench.type(`${prefix}i`);
  await bench.sees(/^.{40}│ State/m);
});

test('on a wide terminal without inspector the panes make room', async () => {
  host.waiting('call:1');
  bench = await TuiBench.start(host);
  await bench.sees('State   Tools');
  bench.type(`${prefix}i${prefix}i`);
  await bench.until(() => !bench.text.includes('State   Tools'), 'the inspector is hidden');
  bench.type(`${prefix}a`);
  await bench.sees('Approve?');
  await bench.until(() => {
    const panes = host.sent('show').at(-1)?.panes ?? [];
    return panes.reduce((sum, { cols }) => sum + cols + 2, 0) === 130 - 47;
  }, 'panes and card share the width');
});

describe('editing', () => {
  const schema = {
    type: 'object',
    required: ['side'],
    properties: {
      side: { enum: ['buy', 'sell'] },
      qty: { type: 'integer', maximum: 500 },
      price: { type: 'number' },
    },
  };

  async function openEditor(): Promise<void> {
    await openCard();
    await bench.sees('y once');
    bench.clock.pass(guard);
    bench.type('e');
    await bench.sees('C-s save');
  }

  test('a form with the old value and complaints under the field', async () => {
    host.waiting('call:1', { schema });
    host.judge = ({ arguments_text: text }) =>
      JSON.parse(text).qty > 500 ? [{ path: '/qty', message: 'must be at most 500' }] : [];
    await openEditor();
    bench.type('\x1b[B00');
    await bench.sees(/qty +1000.*\n.*must be at most 500.*\n.*integer up to 500.*\n.*was 10/);
    expect(host.sent('edit')[0]).toEqual({
      call: 'call:1',
      digest: digestOf('call:1'),
      arguments_text: '{"side":"buy","qty":1000,"price":101.1}',
      check_only: true,
    });
    bench.type('\x13');
    await bench.until(() => host.sent('edit').some(({ check_only: check }) => !check), 'saving was tried');
    await settled();
    expect(bench.text).toContain('Edit');
    bench.type('\x7f');
    await bench.until(() => !bench.text.includes('must be at most 500'), 'the complaint is gone');
    // Down to the row that saves.
    bench.type('\x1b[B\x1b[B\r');
    await bench.sees('edited by a person');
    await bench.sees('qty    100 ');
    await bench.sees('y once');
    bench.type('y');
    await settled();
    expect(host.sent('decide')).toEqual([]);
    bench.clock.pass(guard);
    bench.type('y');
    await bench.until(() => host.sent('decide').length === 1, 'the approval is sent');
    expect(host.sent('decide')[0]?.digest).toBe(digestOf('{"side":"buy","qty":100,"price":101.1}'));
  });

  test('nested arguments are edited as JSON, with undo; Esc changes nothing', async () => {
    host.waiting('call:1', { arguments_text: '{"a":{"b":[1,2]}}' });
    await openEditor();
    await bench.sees('"b": [');
    bench.type('x');
    await bench.sees('Not yet JSON');
    bench.type('\x1a');
    await bench.until(() => !bench.text.includes('Not yet JSON'), 'undone');
    bench.type(esc);
    await bench.sees('Approve?');
    expect(host.sent('edit').filter(({ check_only: check }) => !check)).toEqual([]);
  });

  test('what cannot be edited says so', async () => {
    host.waiting('call:1', { editable: false });
    await openCard();
    await bench.sees('y once');
    expect(bench.text).not.toContain('e edit');
    bench.clock.pass(guard);
    bench.type('e');
    await bench.sees('cannot be edited');
  });
});

test('a call settled while the decision was on its way names who was first', async () => {
  host.waiting('call:1');
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  host.decided = new RpcError('decided', 'call:1 was denied by view:2 before you decided.');
  bench.type('y');
  await bench.sees('call:1 was denied by view:2');
  await bench.sees('State   Tools');
});

test('S-Tab turns back to the card before', async () => {
  for (const call of ['call:1', 'call:2', 'call:3']) host.waiting(call);
  await openCard();
  await bench.sees('y once');
  bench.clock.pass(guard);
  bench.type('\x1b[Z');
  await bench.sees('3 of 3');
});

describe('whoever goes to a pane leaves the card', () => {
  test.each([
    ['to another pane', `${prefix}l`, 'hosted:2'],
    ['to the next pane', `${prefix}o`, 'hosted:2'],
    ['where no pane is', `${prefix}k`, 'hosted:1'],
    ['by zooming', `${prefix}z`, 'hosted:1'],
    ['to a tab', `${prefix}n`, 'hosted:1'],
    ['by splitting', `${prefix}%`, 'shell:100'],
    ['into a new tab', `${prefix}c`, 'shell:100'],
    ['through the list', `${prefix}wj\r`, 'hosted:2'],
    ['by a click', '\x1b[<0;60;9M\x1b[<0;60;9m', 'hosted:2'],
    ['by a click into the pane with the focus', '\x1b[<0;5;9M\x1b[<0;5;9m', 'hosted:1'],
    ['by a click on the tab', '\x1b[<0;10;1M\x1b[<0;10;1m', 'hosted:1'],
  ])('%s', async (_, keys, instance) => {
    host.waiting('call:1');
    await openCard();
    await bench.sees('y once');
    bench.clock.pass(guard);
    bench.type(keys);
    await bench.until(() => !bench.text.includes('Approve?'), 'the card is gone');
    bench.type('ney');
    await bench.until(() => host.typed(instance) === 'ney', `${instance} gets what is typed`);
    expect(host.sent('decide')).toEqual([]);
  });

  test('but not for a tab there is not, nor by a click on the card', async () => {
    host.waiting('call:1');
    await openCard();
    bench.type(`${prefix}9`);
    await bench.sees('There is no tab 9');
    bench.type('\x1b[<0;100;9M\x1b[<0;100;9m');
    await settled();
    expect(bench.text).toContain('Approve?');
  });

  test('and the inspector', async () => {
    host.waiting('call:1');
    bench = await TuiBench.start(host);
    await bench.sees('1 waiting');
    bench.type(`${prefix}i${prefix}lq`);
    await bench.until(() => host.typed('hosted:2') === 'q', 'the pane gets what is typed');
  });
});

test('a perfect imitation of a card in a pane gets its keys like any program, and cannot know the mark', async () => {
  host.waiting('call:1');
  bench = await TuiBench.start(host);
  await bench.sees('1 waiting');
  await host.write(
    'hosted:1',
    '\x1b[2J\x1b[HApprove?   ◆ owl-17      1 of 1\r\nplace_order\r\n\r\nqty 1\r\n\r\ny once   n deny',
  );
  await bench.sees('y once');
  const text = bench.text;
  expect(text.split('fox-42')).toHaveLength(2);
  expect(text.split('\n')[0]).toContain('◆ fox-42');
  bench.type('y');
  await bench.until(() => host.typed('hosted:1') === 'y', 'the program gets the key');
  expect(host.sent('decide')).toEqual([]);
});
