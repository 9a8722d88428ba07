/** Messages that do not fit the status line, and what else is said about an opening. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RpcError } from '../../src/rpc/api/errors.ts';
import { FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

const prefix = '\x02';
const long = `${'The host says why at some length. '.repeat(6)}\nIts screen began:\nx\x1b[2Jy`;
let host: FakeHost;
let bench: TuiBench;
beforeEach(async () => {
  host = new FakeHost();
  host.instance('hosted:2', 'Market');
  host.tab('one', { type: 'pane', pane: 'pane:1', instance: 'hosted:2' });
  bench = await TuiBench.start(host);
  await bench.sees('hosted:2 Market');
});
afterEach(() => bench.stop());

const gone = () => bench.until(() => !bench.text.includes('The host refused this'), 'the message is gone');

test('a long error is shown whole, and the key that ends it reaches no program', async () => {
  host.opened = new RpcError('refused', long);
  bench.type(`${prefix}:open -- thing\r`);
  await bench.sees('The host refused this');
  await bench.sees('x␛[2Jy');
  // Typed on for the program while it came up.
  bench.type('rm -rf x\r');
  bench.clock.pass(401);
  bench.type('yes');
  await gone();
  bench.type('k');
  await bench.until(() => host.typed('hosted:2') === 'k', 'the next key is typed');
});

test('a short one stays on the status line', async () => {
  bench.type(`${prefix}:nonsense\r`);
  await bench.sees('There is no command "nonsense"');
  expect(bench.text).not.toContain('This command cannot be run');
  bench.type('k');
  await bench.until(() => host.typed('hosted:2') === 'k', 'keys go to the program');
});

/** The card of the waiting call is open below the words with which the host refused its approval. */
async function approveInVain(): Promise<void> {
  host.publish();
  await bench.sees('1 waiting');
  bench.type(`${prefix}a`);
  await bench.sees('y once');
  host.decided = new RpcError('forbidden', long);
  bench.clock.pass(401);
  bench.type('y');
  await bench.sees('The host refused this');
}

test('over a card no row counts as seen, and neither its key nor one that is held decides', async () => {
  host.waiting('call:1');
  await approveInVain();
  host.decided = undefined;
  expect(host.sent('decide')).toHaveLength(1);
  bench.clock.pass(401);
  bench.type('y');
  await gone();
  // Held down: it repeats.
  for (let repeat = 0; repeat < 10; repeat++) {
    bench.clock.pass(100);
    bench.type('y');
  }
  bench.clock.pass(401);
  bench.type('\x1b[B');
  expect(host.sent('decide')).toHaveLength(1);
  bench.clock.pass(1_000);
  bench.type('y');
  await bench.until(() => host.sent('decide').length === 2, 'pressed anew it decides');
});

test('rows of a card that are drawn beside a message have not been seen', async () => {
  const approval = host.waiting('call:1');
  await approveInVain();
  const members = Array.from({ length: 60 }, (_, row) => `"k${row}":${row}`);
  approval.arguments_text = `{${members.join(',')}}`;
  approval.summary.digest = 'e'.repeat(64);
  host.publish();
  await bench.sees('k3 ');
  await bench.sees('62 more rows');
  bench.clock.pass(401);
  bench.type('y');
  await gone();
  await bench.sees('42 more rows');
  expect(host.sent('decide')).toHaveLength(1);
});

test('the answer to a question over a card, held down, does not decide the card', async () => {
  host.waiting('call:1');
  host.publish();
  await bench.sees('1 waiting');
  bench.type(`${prefix}a`);
  await bench.sees('y once');
  bench.clock.pass(5_000);
  bench.type(`${prefix}x`);
  await bench.sees('End hosted:2 Market?');
  bench.type('y');
  await bench.until(() => host.sent('close').length === 1, 'it is ended');
  for (let repeat = 0; repeat < 12; repeat++) {
    bench.clock.pass(60);
    bench.type('y');
  }
  bench.type('\x1b');
  await bench.until(() => !bench.text.includes('Approve?'), 'the card is left');
  expect(host.sent('decide')).toEqual([]);
});

test('an opening that takes its time is said at once, and no longer when it is done', async () => {
  let finish: () => void = () => {};
  host.opening = new Promise((resolve) => {
    finish = resolve;
  });
  bench.type(`${prefix}:open -- /usr/bin/slow thing\r`);
  await bench.sees('Opening slow …');
  finish();
  await bench.sees('hosted:100');
  await bench.until(() => !bench.text.includes('Opening slow'), 'it is done');
});
