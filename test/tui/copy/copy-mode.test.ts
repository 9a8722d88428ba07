/** Scrolling back, searching and copying on the screen, with the program writing on meanwhile. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultSettings } from '../../../src/tui/settings.ts';
import { FakeHost } from '../../support/fake-host.ts';
import { TuiBench } from '../../support/tui-bench.ts';

const prefix = '\x02';
let host: FakeHost;
let bench: TuiBench;

beforeEach(async () => {
  host = new FakeHost();
  host.instance('shell:1', 'sh');
  host.tab('one', { type: 'pane', pane: 'pane:1', instance: 'shell:1' });
  host.instance('shell:2', 'other');
  host.tab('two', { type: 'pane', pane: 'pane:2', instance: 'shell:2' });
  // Inside its border the pane is as large as the program's screen.
  bench = await TuiBench.start(host, 82, 28);
  await bench.sees('shell:1 sh');
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1} of a hundred`);
  host.write('shell:1', `${lines.join('\r\n')}\r\n$ `);
  await bench.sees('line 100 of');
});
afterEach(() => bench.stop());

const wheel = (button: 64 | 65) => `\x1b[<${button};10;10M`;
const copied = () => {
  const [, base64 = ''] =
    [
      ...Buffer.concat(bench.terminal.frames)
        .toString()
        .matchAll(/\x1b\]52;c;([A-Za-z0-9+/=]*)/g),
    ].at(-1) ?? [];
  return Buffer.from(base64, 'base64').toString();
};

test('what is in sight stays while the program writes, and it is said how much it wrote', async () => {
  bench.type(`${prefix}[`);
  await bench.sees(/copy row \d+ of 101/);
  bench.type('g');
  await bench.sees('line 1 of');
  host.write('shell:1', 'x\r\n'.repeat(7));
  await bench.sees('7 new');
  expect(bench.text).toContain('line 1 of');
  expect(bench.text).not.toMatch(/│x/);
  bench.type('hjklwb$0vo');
  // The first one ends the selection.
  bench.type('qq');
  await bench.sees('│x');
  expect(host.typed('shell:1')).toBe('');
});

test('finds text in both directions, over the ends, and marks it', async () => {
  bench.type(`${prefix}[?LINE 4`);
  await bench.sees('? LINE 4');
  bench.type('\x7f\x7f\x7f\x7f\x7f\x7fline 4\r');
  await bench.sees('line 49 of');
  bench.type('nnnnnnnnn');
  await bench.sees('line 40 of');
  bench.type('nn');
  await bench.sees('copy row 49 of');
  bench.type('N');
  await bench.sees('copy row 4 of');
  bench.type('/nowhere\r');
  await bench.sees('"nowhere" stands nowhere in this history.');
});

test('copies what was selected to the clipboard and pastes it as a paste', async () => {
  host.write('shell:1', '\x1b[?2004hbracketed');
  await bench.sees('$ bracketed');
  bench.type(`${prefix}[/line 7 \rVj`);
  await bench.sees('copy row 8 of');
  bench.type('y');
  await bench.sees('Copied 2 rows.');
  expect(copied()).toBe('line 7 of a hundred\nline 8 of a hundred');
  bench.type(`${prefix}]`);
  await bench.until(() => host.typed('shell:1') !== '', 'it was pasted');
  expect(host.typed('shell:1')).toBe('\x1b[200~line 7 of a hundred\rline 8 of a hundred\x1b[201~');
});

test('pasting says so when nothing was copied', async () => {
  bench.type(`${prefix}]`);
  await bench.sees('Nothing was copied yet');
});

test('the wheel scrolls without taking a key, and whoever types sees the screen again', async () => {
  bench.type(wheel(64));
  await bench.sees('3 up');
  expect(bench.text).not.toContain('line 100 of');
  bench.type(wheel(65));
  await bench.sees('line 100 of');
  bench.type(wheel(64).repeat(4));
  await bench.sees('12 up');
  bench.type('ls');
  await bench.sees('line 100 of');
  expect(host.typed('shell:1')).toBe('ls');
});

test('the wheel belongs to a program that wants the mouse, or has the alternate screen', async () => {
  host.write('shell:1', '\x1b[?1000h\x1b[?1006hmouse');
  await bench.sees('$ mouse');
  bench.type(wheel(64));
  await bench.until(() => host.typed('shell:1').includes('\x1b[<64;'), 'the program has the wheel');
  expect(bench.text).not.toMatch(/\d up/);
});

test('a drag selects within its pane, and copies when the button is released', async () => {
  const row = bench.terminal.lines().findIndex((line) => line.includes('line 90 of'));
  const at = (column: number, line: number) => `${column + 1};${line + 1}`;
  bench.type(`\x1b[<0;${at(6, row)}M\x1b[<32;${at(8, row)}M`);
  await bench.sees(/copy row 90 of/);
  bench.type(`\x1b[<32;${at(7, row + 1)}M\x1b[<0;${at(7, row + 1)}m`);
  await bench.sees('Copied 2 rows.');
  expect(copied()).toBe('90 of a hundred\nline 91');
  expect(host.typed('shell:1')).toBe('');
});

test('another pane gets its keys, and leaves nothing selected behind', async () => {
  bench.type(`${prefix}[v`);
  await bench.sees('copy row');
  bench.type(`${prefix}nxyz`);
  await bench.until(() => host.typed('shell:2') === 'xyz', 'the other program has the keys');
});

test('the program in front may copy, unless the person does not want it', async () => {
  host.copied('shell:2', 'behind');
  host.copied('shell:1', 'in front');
  await bench.sees('shell:1 copied 8 characters.');
  expect(copied()).toBe('in front');
  await bench.stop();
  host = new FakeHost();
  host.instance('shell:1', 'sh');
  host.tab('one', { type: 'pane', pane: 'pane:1', instance: 'shell:1' });
  bench = await TuiBench.start(host, 82, 28, { settings: { ...defaultSettings, clipboard: false } });
  await bench.sees('shell:1 sh');
  host.copied('shell:1', 'unwanted');
  host.write('shell:1', 'written after it');
  await bench.sees('written after it');
  expect(copied()).toBe('');
});
