/** Marks of what happened where nobody was looking: on tabs, on the borders of panes, in the list. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TuiOptions } from '../../src/tui/index.ts';
import { defaultSettings } from '../../src/tui/settings.ts';
import { FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

const prefix = '\x02';
let host: FakeHost;
let bench: TuiBench;
beforeEach(() => {
  host = new FakeHost();
  for (const id of ['shell:1', 'shell:2', 'shell:3']) host.instance(id, 'sh');
  host.tab('one', { type: 'pane', pane: 'pane:1', instance: 'shell:1' });
  host.tab('two', {
    type: 'split',
    axis: 'columns',
    weights: [1, 1],
    children: [
      { type: 'pane', pane: 'pane:2', instance: 'shell:2' },
      { type: 'pane', pane: 'pane:3', instance: 'shell:3' },
    ],
  });
  host.tab('three', { type: 'pane', pane: 'pane:4', instance: 'shell:1' });
});
afterEach(() => bench.stop());

async function open(options: Partial<TuiOptions> = {}): Promise<void> {
  bench = await TuiBench.start(host, 130, 20, options);
  await bench.sees('shell:1 sh');
}
const tabs = (line: string) => bench.until(() => (bench.terminal.lines()[0] ?? '').includes(line), line);
function ring(id: string): void {
  for (const instance of host.picture.instances) if (instance.instance === id) instance.bells++;
  host.publish();
}

test('a tab is marked for output and more strongly for a bell, until it is looked at; nothing moves', async () => {
  await open();
  await tabs(' 1 one*  2 two   3 three ');
  host.active('shell:3');
  await tabs(' 1 one*  2 two#  3 three ');
  ring('shell:3');
  await tabs(' 1 one*  2 two!  3 three ');
  bench.type(`${prefix}2`);
  await tabs(' 1 one   2 two*  3 three ');
  bench.type(`${prefix}1`);
  await tabs(' 1 one*  2 two   3 three ');
  // A word about what was on its way to the screen already.
  host.active('shell:1');
  host.active('shell:2');
  await tabs(' 1 one*  2 two#  3 three ');
});

test('the pane that rang says so until it has the focus; the list tells of those without a pane', async () => {
  await open();
  host.instance('shell:4', 'sh');
  ring('shell:3');
  host.active('shell:4');
  bench.type(`${prefix}2`);
  await bench.sees(/shell:3 sh ─+ bell ─┐/);
  bench.type(`${prefix}l`);
  await bench.until(() => !bench.text.includes(' bell ─┐'), 'it was answered');
  ring('shell:4');
  bench.type(`${prefix}w`);
  await bench.sees(/shell:4 sh +running +no pane +bell/);
});

test('output is not marked when the person does not want it; bells are', async () => {
  await open({ settings: { ...defaultSettings, activity: false } });
  host.active('shell:2');
  ring('shell:2');
  await tabs('2 two!');
  host.instance('shell:5', 'sh');
  host.tab('five', { type: 'pane', pane: 'pane:5', instance: 'shell:5' });
  host.active('shell:5');
  host.publish();
  await tabs('4 five ');
  expect(bench.terminal.lines()[0]).not.toContain('#');
});
