/** The click that brings the terminal to the front does nothing else. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

let host: FakeHost;
let bench: TuiBench;
beforeEach(async () => {
  host = new FakeHost();
  for (const n of [1, 2]) host.instance(`shell:${n}`, `sh${n}`);
  const pane = (n: number) => ({ type: 'pane' as const, pane: `pane:${n}`, instance: `shell:${n}` });
  host.tab('one', { type: 'split', axis: 'columns', weights: [1, 1], children: [pane(1), pane(2)] });
  bench = await TuiBench.start(host, 100, 20);
  host.write('shell:1', '\x1b[?1000h\x1b[?1006hmouse');
  await bench.sees('mouse');
  bench.clock.pass(10_000);
});
afterEach(() => bench.stop());

const click = (x: number) => `\x1b[<0;${x};5M\x1b[<0;${x};5m`;
const focused = () => host.sent('show').at(-1)?.focused;

test.each([
  ['chooses no pane', 80],
  ['goes to no program', 5],
])('it %s', async (_, x) => {
  bench.type(`\x1b[O\x1b[I${click(x)}x`);
  await bench.until(() => host.typed('shell:1').endsWith('x'), 'the key behind it arrived');
  expect(host.typed('shell:1')).toBe('x');
  bench.type(click(x));
  await bench.until(
    () => (x === 80 ? focused() === 'shell:2' : host.typed('shell:1').includes('\x1b[<0;')),
    'the next click is one',
  );
});

test('a click some time after the focus is a click', async () => {
  bench.type('\x1b[O\x1b[I');
  bench.clock.pass(300);
  bench.type(click(80));
  await bench.until(() => focused() === 'shell:2', 'the pane has the focus');
});
