/** A person's own settings on the screen: keys and prefix, theme, inspector, layouts; from the start and while it runs. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Choices, Remark, TuiOptions, TuiSettings } from '../../src/tui/index.ts';
import { makeKeymap } from '../../src/tui/keymap.ts';
import { defaultSettings } from '../../src/tui/settings.ts';
import { themes } from '../../src/tui/theme.ts';
import { FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

let host: FakeHost;
let bench: TuiBench;
beforeEach(() => {
  host = new FakeHost();
  for (const id of ['hosted:1', 'shell:2', 'shell:3'])
    host.instance(id, id === 'hosted:1' ? 'Counter' : 'sh');
  host.tab('one', {
    type: 'split',
    axis: 'columns',
    weights: [1, 1],
    children: [
      { type: 'pane', pane: 'pane:1', instance: 'hosted:1' },
      { type: 'pane', pane: 'pane:2', instance: 'shell:2' },
    ],
  });
});
afterEach(() => bench.stop());

async function open(options: Partial<TuiOptions> = {}): Promise<void> {
  bench = await TuiBench.start(host, 130, 20, options);
  await bench.sees('hosted:1 Counter');
}
const changes = (more: Partial<TuiSettings>): TuiSettings => ({ ...defaultSettings, ...more });
const coloured = () => bench.terminal.emulator.buffer.active.getLine(1)?.getCell(0)?.isFgRGB() === true;

test('another prefix is heard, sent and said; the old one goes to the program', async () => {
  await open({ settings: changes({ keymap: makeKeymap('C-a', new Map([['zoom', ['Z']]])) }) });
  await bench.sees('C-a ?');
  bench.type('\x02');
  await bench.until(() => host.sent('type').length === 1, 'C-b is typed');
  bench.type('\x01\x01');
  await bench.until(() => host.sent('type').length === 2, 'C-a is typed');
  expect(host.sent('type').map(({ base64 }) => base64)).toEqual(['Ag==', 'AQ==']);
  bench.type('\x01z');
  await bench.sees('C-a z does nothing: C-a ? lists the keys.');
  bench.type('\x01Z');
  await bench.until(() => !bench.text.includes('shell:2 sh'), 'the pane is zoomed');
});

test('newer settings count at once, until the view ends', async () => {
  let tell: Parameters<NonNullable<TuiOptions['watchSettings']>>[0] = () => {};
  let watched = true;
  await open({
    watchSettings: (changed) => {
      tell = changed;
      return () => {
        watched = false;
      };
    },
  });
  const saved: Remark = { text: 'Settings read anew.', level: 'info' };
  const [, dusk = defaultSettings.theme] = themes;
  tell(changes({ keymap: makeKeymap('C-a'), theme: dusk, inspector: false }), saved);
  await bench.sees('Settings read anew.');
  await bench.sees('C-a ?');
  await bench.until(coloured, 'the theme is another');
  expect(bench.text).not.toContain('State');
  tell(undefined, { text: 'config.jsonc:1:3: wrong', level: 'warning' });
  await bench.sees('config.jsonc:1:3: wrong');
  await bench.sees('C-a ?');
  bench.type('\x01d');
  await bench.until(() => !watched, 'nothing is watched any more');
});

test('a theme that was chosen here stays when something else changes', async () => {
  let tell: (settings: TuiSettings) => void = () => {};
  await open({
    watchSettings: (changed) => {
      tell = changed;
      return () => {};
    },
  });
  bench.type('\x02:theme dusk\r');
  await bench.until(coloured, 'the theme is another');
  tell(changes({ keymap: makeKeymap('C-a') }));
  await bench.sees('C-a ?');
  expect(coloured()).toBe(true);
});

test('what is chosen is remembered, but for words that start programs', async () => {
  const remembered: Choices[] = [];
  await open({ history: ['zoom'], remember: (choices) => remembered.push(choices) });
  bench.type('\x02:');
  await bench.sees('Commands');
  bench.type('\x1b[A');
  await bench.sees(': zoom');
  bench.type('\x15theme dusk\r');
  await bench.until(coloured, 'the theme is another');
  bench.type('\x02:open --shell -- env TOKEN=secret sh\r');
  await bench.until(() => host.sent('open').length === 1, 'it is opened');
  bench.type('\x02:hide-inspector\r');
  await bench.until(() => remembered.length === 5, 'all is remembered');
  expect(remembered).toEqual([
    { history: ['zoom', 'theme dusk'] },
    { theme: 'dusk' },
    { history: ['zoom', 'theme dusk'] },
    { history: ['zoom', 'theme dusk', 'hide-inspector'] },
    { inspector: 'hidden' },
  ]);
});

test('a layout arranges the tab', async () => {
  await open({
    settings: changes({
      keymap: makeKeymap('C-b', new Map([['layout tall', ['T']]])),
      layouts: new Map([['tall', { rows: [{ weight: 3 }, {}] }]]),
    }),
  });
  bench.type('\x02T');
  await bench.until(() => host.sent('arrange').length === 1, 'it is arranged');
  expect(host.sent('arrange')).toEqual([
    {
      tab: 'tab:1',
      root: {
        type: 'split',
        axis: 'rows',
        children: [
          { type: 'pane', pane: 'pane:1' },
          { type: 'pane', pane: 'pane:2' },
        ],
        weights: [3, 1],
      },
    },
  ]);
  bench.type('\x02:layout tal\t\r');
  await bench.until(() => host.sent('arrange').length === 2, 'Tab completes it');
  bench.type('\x02:layout wide\r');
  await bench.sees('There is no layout "wide": take one of tall, even-horizontal,');
});
