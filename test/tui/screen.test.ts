import { afterEach, expect, test } from 'vitest';
import { FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

let bench: TuiBench;
afterEach(() => bench.stop());

function trading(): FakeHost {
  const host = new FakeHost();
  host.instance('hosted:1', 'Counter', { kind: 'example.counter' });
  host.instance('hosted:2', 'Market', { kind: 'example.market' });
  host.instance('shell:3', 'htop');
  host.tab('trading', {
    type: 'split',
    axis: 'columns',
    weights: [1, 1],
    children: [
      {
        type: 'split',
        axis: 'rows',
        weights: [2, 1],
        children: [
          { type: 'pane', pane: 'pane:1', instance: 'hosted:1' },
          { type: 'pane', pane: 'pane:3', instance: 'shell:3' },
        ],
      },
      { type: 'pane', pane: 'pane:2', instance: 'hosted:2' },
    ],
  });
  host.tab('ops', { type: 'pane', pane: 'pane:4', instance: 'shell:3' });
  return host;
}

test('the first screen', async () => {
  const host = trading();
  host.waiting('call:1');
  bench = await TuiBench.start(host);
  await bench.sees('hosted:2 Market');
  host.write('hosted:1', '\x1b[?25l\x1b[5;10Hvalue 12');
  await bench.sees('value 12');
  console.log(bench.text);
  bench.type('\x02a');
  await bench.sees('Approve?');
  await bench.sees('y once');
  console.log(bench.text);
  expect(1).toBe(1);
});
