/** The palette's list: what it finds, what its keys choose and run, and that none of them decides a call. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Choices } from '../../src/tui/index.ts';
import { FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

const open = '\x02:';
const [up, down, esc] = ['\x1b[A', '\x1b[B', '\x1b'];

let host: FakeHost;
let bench: TuiBench;
const remembered: Choices[] = [];
beforeEach(async () => {
  host = new FakeHost();
  host.instance('hosted:1', 'Counter');
  host.instance('hosted:2', 'Mar\x1b[2Jket');
  host.tab('one', { type: 'pane', pane: 'pane:1', instance: 'hosted:1' });
  host.tab('two', { type: 'pane', pane: 'pane:2', instance: 'hosted:2' });
  remembered.length = 0;
  bench = await TuiBench.start(host, 130, 30, {
    history: ['redraw', 'zoom'],
    remember: (choices) => remembered.push(choices),
  });
  await bench.sees('hosted:1 Counter');
  bench.type(open);
  await bench.sees('Commands, instances');
});
afterEach(() => bench.stop());

const closed = () => bench.until(() => !bench.text.includes('Commands, instances'), 'the palette is closed');
/** Rows of the list whose cells are inverse: the chosen one. */
function chosenRow(): string {
  const { active } = bench.terminal.emulator.buffer;
  return bench.terminal
    .lines()
    .filter((_, y) => {
      const cell = active.getLine(y)?.getCell(12);
      return y > 0 && (cell?.isInverse() !== 0 || !cell?.isBgDefault());
    })
    .join('\n');
}
const rgb = () => bench.terminal.emulator.buffer.active.getLine(1)?.getCell(0)?.isFgRGB() === true;

test('instances, calls and commands are in one list, told apart in words and made visible', async () => {
  host.waiting('call:7', { tool: 'zap\x1b[31m' });
  host.publish();
  bench.type('za');
  await bench.sees(/waiting call +zap␛\[31m on hosted:2 +asked by rules loop/);
  bench.type('\x15mar');
  await bench.sees(/instance +hosted:2 Mar␛\[2Jket +running/);
  bench.type('\x15zoo');
  await bench.sees(/command +zoom +show the focused pane alone/);
});

test('the name of a kind finds all of it, behind what is called so', async () => {
  host.waiting('call:7', { tool: 'zap' });
  host.waiting('call:8', { tool: 'waitress' });
  host.publish();
  bench.type('wait');
  await bench.sees(/waiting call waitress[^\n]*\n[^\n]*waiting call zap on hosted:2/);
  bench.type('\x15instance');
  await bench.sees(/command +instances[^\n]*\n[^\n]*instance +hosted:1/);
});

test('a line typed before the terminal was ours ends with Ctrl-J', async () => {
  bench.type('next-tab\n');
  await closed();
  await bench.sees('2 two*');
});

test('Enter shows an instance, runs a command, and completes one that needs words', async () => {
  bench.type('market\r');
  await closed();
  await bench.sees('2 two*');
  expect(remembered).toEqual([]);
  bench.type(`${open}nxt\r`);
  await bench.sees('1 one*');
  expect(remembered).toEqual([{ history: ['redraw', 'zoom', 'next-tab'] }]);
  bench.type(`${open}spl\r`);
  await bench.sees('split right|down');
  bench.type('do\r');
  await bench.until(() => host.sent('open').length === 1, 'it was split');
  expect(host.sent('open')[0]?.place).toEqual({ in: 'split', pane: 'pane:1', direction: 'down' });
});

test('the arrows recall lines while none is typed, and choose from the list after that', async () => {
  bench.type(up);
  await bench.sees(': zoom');
  bench.type(up);
  await bench.sees(': redraw');
  bench.type(down + down);
  await bench.until(() => !bench.text.includes(': zoom'), 'the line is empty again');
  bench.type('tab');
  await bench.until(() => chosenRow().includes('tab …'), 'the best one is chosen');
  bench.type(down);
  await bench.until(() => /(new|next)-tab/.test(chosenRow()), 'the next one is');
  bench.type(up + up);
  await bench.until(() => chosenRow().includes('tab …'), 'and the first again');
  bench.type(`\x15${down}`);
  await bench.until(() => chosenRow().includes('command'), 'with an empty line Down enters the list');
});

test('a line is run as it was typed, whatever else would match', async () => {
  bench.type('close\r');
  await bench.sees('End hosted:1 Counter?');
  bench.type('n');
  bench.type(`${open}close hosted:2\r`);
  await bench.sees('End hosted:2 Mar');
  bench.type('n');
  bench.type(`${open}open --shell -- tab market\r`);
  await bench.until(() => host.sent('open').length === 1, 'it is opened');
  expect(host.sent('open')[0]?.command).toEqual(['tab', 'market']);
});

test('no key of the palette decides the call that it opens', async () => {
  host.waiting('call:7');
  host.publish();
  await bench.sees('1 waiting');
  bench.type('place');
  await bench.sees(/waiting call +place_order/);
  // In one go, and once more when the card is there: it was painted this very moment.
  bench.type('\ry\r y');
  await bench.sees('Approve?');
  bench.type('y\rny');
  bench.type(esc);
  await bench.until(() => !bench.text.includes('Approve?'), 'the card is left');
  expect(host.sent('decide')).toEqual([]);
  bench.type(`${open}place\r`);
  await bench.sees('Approve?');
  await bench.sees('y once');
  bench.clock.pass(401);
  bench.type('y');
  await bench.until(() => host.sent('decide').length === 1, 'a key for the card does decide');
});

test('what is no longer there is not replaced by another entry', async () => {
  host.waiting('call:7', { tool: 'detonate' });
  host.publish();
  bench.type('deto');
  await bench.until(() => chosenRow().includes('detonate'), 'the call is chosen');
  host.settle('call:7', 'withdrawn');
  await bench.until(() => !bench.text.includes('detonate'), 'the call is gone');
  await bench.sees('no longer there');
  bench.type('\r');
  bench.type('x');
  await bench.sees(': detox');
});

test('a theme is shown while it is chosen, given back, and kept with Enter', async () => {
  bench.type('theme dusk');
  await bench.until(rgb, 'dusk is shown');
  bench.type('\x7f\x7f\x7f\x7f');
  await bench.until(() => !rgb(), 'the old one is back');
  bench.type(down + down);
  await bench.until(rgb, 'the second of the list is dusk');
  bench.type(esc);
  await closed();
  await bench.until(() => !rgb(), 'the old one is back');
  expect(remembered).toEqual([]);
  bench.type(`${open}theme dus\r`);
  await bench.until(() => remembered.length === 2, 'it is kept');
  await closed();
  await bench.until(rgb, 'dusk stays');
  expect(remembered.at(-1)).toEqual({ theme: 'dusk' });
});
