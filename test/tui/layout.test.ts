/** Arranging panes on the screen: by keys, by commands, by mouse. The host gets whole trees, and the screen shows its own. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LayoutNode } from '../../src/rpc/api/layout.ts';
import { FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

const prefix = '\x02';
const esc = '\x1b';

let host: FakeHost;
let bench: TuiBench;
// 1 | 2        38 and 38 columns, 14 rows,
//   |---       and the inspector to their right
//   | 3
beforeEach(() => {
  host = new FakeHost();
  for (const n of [1, 2, 3, 4]) host.instance(`shell:${n}`, `sh${n}`);
  host.tab('one', {
    type: 'split',
    axis: 'columns',
    weights: [1, 1],
    children: [pane(1), { type: 'split', axis: 'rows', weights: [1, 1], children: [pane(2), pane(3)] }],
  });
  host.tab('two', pane(4));
});
afterEach(() => bench.stop());

function pane(n: number): LayoutNode {
  return { type: 'pane', pane: `pane:${n}`, instance: `shell:${n}` };
}

async function open(cols = 120, rows = 16): Promise<void> {
  bench = await TuiBench.start(host, cols, rows);
  await bench.sees('shell:1 sh1');
}

/** Sizes inside the borders, as the host was told last: `1:36x12`, in the order of the tree. */
function shown(): string {
  return (host.sent('show').at(-1)?.panes ?? [])
    .map(({ instance, cols, rows }) => `${instance.slice('shell:'.length)}:${cols}x${rows}`)
    .join(' ');
}
const shows = (sizes: string) =>
  bench.until(() => shown() === sizes, `the panes are ${sizes}, not ${shown()}`);
const focused = (n: number) =>
  bench.until(() => host.sent('show').at(-1)?.focused === `shell:${n}`, `shell:${n} has the focus`);
const typed = () => host.sent('type');

/** A mouse event at a cell counted from 0. */
const mouse = (code: number, x: number, y: number, end = 'M') => `${esc}[<${code};${x + 1};${y + 1}${end}`;
const press = (x: number, y: number) => mouse(0, x, y);
const drag = (x: number, y: number) => mouse(32, x, y);
const release = (x: number, y: number) => mouse(0, x, y, 'm');
const wheel = (direction: 'up' | 'down', x: number, y: number) => mouse(direction === 'up' ? 64 : 65, x, y);

describe('by keys', () => {
  it('resizes cell by cell and by five, evens, and leaves', async () => {
    await open();
    await shows('1:36x12 2:36x5 3:36x5');
    bench.type(`${prefix}r`);
    await bench.sees(/← ↓ ↑ → move the border +H J K L by five/);
    bench.type('l');
    await shows('1:37x12 2:35x5 3:35x5');
    bench.type(`${esc}[C${esc}[1;2CL`);
    await shows('1:48x12 2:24x5 3:24x5');
    bench.type('hH');
    await shows('1:42x12 2:30x5 3:30x5');
    // No border above or below this one.
    bench.type('jK');
    bench.type('=');
    await shows('1:36x12 2:36x5 3:36x5');
    bench.type('q');
    await bench.sees('C-b ? keys');
    expect(typed()).toEqual([]);
    bench.type('l');
    await bench.until(() => host.typed('shell:1') === 'l', 'keys go to the program again');
  });

  it('moves the border before the last pane in the direction of the key', async () => {
    await open();
    bench.type(`${prefix}l${prefix}j`);
    await focused(3);
    bench.type(`${prefix}rk`);
    await shows('1:36x12 2:36x4 3:36x6');
    bench.type('JJJ');
    await shows('1:36x12 2:36x9 3:36x1');
    bench.type(`h${prefix}h`);
    await focused(1);
    await shows('1:35x12 2:37x9 3:37x1');
  });

  it('loses no key while the host is slow, and asks it once at a time', async () => {
    await open();
    let go = () => {};
    host.arranging = new Promise((resolve) => {
      go = resolve;
    });
    bench.type(`${prefix}r`);
    for (let n = 0; n < 12; n++) bench.type('l');
    await bench.until(() => host.sent('arrange').length === 1, 'it was asked');
    go();
    await shows('1:48x12 2:24x5 3:24x5');
    expect(host.sent('arrange')).toHaveLength(2);
  });

  it('goes on with the panes there are, when one more has come meanwhile', async () => {
    await open();
    let go = () => {};
    host.arranging = new Promise((resolve) => {
      go = resolve;
    });
    bench.type(`${prefix}rl`);
    await bench.until(() => host.sent('arrange').length === 1, 'it was asked');
    const [tab] = host.picture.layout.tabs;
    tab!.root = { type: 'split', axis: 'rows', weights: [3, 1], children: [tab!.root, pane(4)] };
    host.publish();
    await bench.sees('shell:4 sh4');
    bench.type('L');
    go();
    await bench.sees('The tab cannot be arranged so');
    await shows('1:41x9 2:31x4 3:31x3 4:74x1');
  });

  it('goes on from what another view has made of it meanwhile', async () => {
    await open();
    bench.type(`${prefix}rll`);
    await shows('1:38x12 2:34x5 3:34x5');
    (host.picture.layout.tabs[0]!.root as { weights: number[] }).weights = [30, 46];
    host.publish();
    await shows('1:28x12 2:44x5 3:44x5');
    bench.type('l');
    await shows('1:29x12 2:43x5 3:43x5');
  });

  it('shows the whole tab for it, and has nothing to do for one pane', async () => {
    await open();
    bench.type(`${prefix}z`);
    await shows('1:74x12');
    bench.type(`${prefix}rl`);
    await shows('1:37x12 2:35x5 3:35x5');
    bench.type(`q${prefix}z`);
    await shows('1:74x12');
    bench.type(`${prefix}=`);
    await shows('1:36x12 2:36x5 3:36x5');
    bench.type(`${prefix}2`);
    await focused(4);
    bench.type(`${prefix}r`);
    await bench.sees('The pane is alone in its tab');
  });

  it('swaps with the neighbour, and the focus stays on the pane that moved', async () => {
    await open();
    bench.type(`${prefix}L`);
    await shows('2:36x12 1:36x5 3:36x5');
    bench.type(`${prefix}J`);
    await shows('2:36x12 3:36x5 1:36x5');
    await focused(1);
    // As fast as one can type: each step counts from where the last one leads.
    bench.type(`${prefix}K${prefix}H`);
    await shows('1:36x12 2:36x5 3:36x5');
    await focused(1);
    const asked = host.sent('arrange').length;
    bench.type(`${prefix}Hx`);
    await bench.until(() => host.typed('shell:1') === 'x', 'at the edge nothing happens');
    expect(host.sent('arrange')).toHaveLength(asked);
  });

  it('evens without resizing first', async () => {
    await open();
    bench.type(`${prefix}:resize right 10\r`);
    await shows('1:46x12 2:26x5 3:26x5');
    bench.type(`${prefix}=`);
    await shows('1:36x12 2:36x5 3:36x5');
  });

  it('moves the pane to a tab of its own with the focus, and to another tab', async () => {
    await open();
    bench.type(`${prefix}bmore`);
    await bench.sees('3 moved*');
    await shows('1:74x12');
    await bench.until(() => host.typed('shell:1') === 'more', 'what was typed meanwhile is for it');
    expect(host.sent('movePane')).toEqual([{ pane: 'pane:1' }]);
    bench.type(`${prefix}b`);
    await bench.sees('alone in its tab already');
    bench.type(`${prefix}:move-pane 2\r`);
    await bench.sees('2 two*');
    await shows('4:36x12 1:36x12');
    await focused(1);
    expect(bench.text).not.toContain('3 moved');
    bench.type(`${prefix}:move-pane 2\r`);
    await bench.sees('The pane is in tab 2 already.');
    bench.type(`${prefix}:move-pane 7\r`);
    await bench.sees('There is no tab "7": name one by its number, 1 to 2, or say new.');
  });
});

it.each([
  ['even-horizontal', '1:23x12 2:24x12 3:23x12'],
  ['even-vertical', '1:74x3 2:74x2 3:74x3'],
  ['main-horizontal', '1:74x7 2:36x3 3:36x3'],
  ['main-vertical', '1:49x12 2:23x5 3:23x5'],
  ['tiled', '1:36x5 2:36x5 3:74x5'],
])('has the layout %s', async (name, sizes) => {
  await open();
  bench.type(`${prefix}:layout ${name}\r`);
  await shows(sizes);
});

describe('by mouse', () => {
  it('drags a border, live, and ends with the release; no program hears of it', async () => {
    await open();
    for (const n of [1, 2, 3]) host.write(`shell:${n}`, '\x1b[?1003h\x1b[?1006hmouse');
    await bench.sees(/mouse.*mouse/);
    bench.type(press(37, 4) + drag(40, 5));
    await shows('1:39x12 2:33x5 3:33x5');
    bench.type(drag(2, 5));
    await shows('1:2x12 2:70x5 3:70x5');
    // Back inside, it is again under the pointer.
    bench.type(drag(45, 15) + release(45, 15));
    await shows('1:44x12 2:28x5 3:28x5');
    bench.type(drag(20, 5));
    await focused(1);
    expect(typed()).toEqual([]);
  });

  it('takes either half of the border, and rows too', async () => {
    await open();
    bench.type(press(38, 4) + drag(39, 4) + release(39, 4));
    await shows('1:37x12 2:35x5 3:35x5');
    bench.type(press(50, 8) + drag(60, 6) + release(60, 6));
    await shows('1:37x12 2:35x3 3:35x7');
    bench.type('x');
    await bench.until(() => host.typed('shell:1') === 'x', 'the focus is where it was');
  });

  it('drags two borders where they meet', async () => {
    await open();
    bench.type(press(38, 7) + drag(30, 9) + release(30, 9));
    await shows('1:28x12 2:44x7 3:44x3');
  });

  it('chooses the pane when nothing was moved', async () => {
    await open();
    bench.type(press(38, 4) + drag(38, 4) + release(38, 4));
    await focused(2);
    expect(host.sent('arrange')).toEqual([]);
  });

  it('asks a slow host for the newest place only', async () => {
    await open();
    let go = () => {};
    host.arranging = new Promise((resolve) => {
      go = resolve;
    });
    bench.type(press(37, 4));
    for (let x = 38; x < 58; x++) bench.type(drag(x, 4));
    await bench.until(() => host.sent('arrange').length === 1, 'it was asked');
    bench.type(release(57, 4));
    go();
    await shows('1:56x12 2:16x5 3:16x5');
    expect(host.sent('arrange')).toHaveLength(2);
  });

  it('ignores drags while a pane is zoomed, and where there is no border', async () => {
    await open();
    host.write('shell:1', '\x1b[?1000h\x1b[?1006hmouse');
    await bench.sees('mouse');
    bench.type(`${prefix}z`);
    await shows('1:74x12');
    bench.type(press(37, 4) + drag(50, 4) + release(50, 4) + press(0, 4) + drag(9, 4) + release(9, 4));
    bench.type(`${prefix}z`);
    await shows('1:36x12 2:36x5 3:36x5');
    bench.type(press(0, 4) + drag(9, 4) + release(9, 4) + press(20, 1) + drag(20, 9) + release(20, 9));
    bench.type('x');
    await bench.until(() => host.typed('shell:1').endsWith('x'), 'all of it is over');
    // The zoomed program has that cell; the drag is none that it asked for.
    expect(host.typed('shell:1')).toBe('\x1b[<0;37;3M\x1b[<0;50;3mx');
    expect(host.sent('arrange')).toEqual([]);
  });

  it('lets go when somebody types, or the pane goes', async () => {
    await open();
    bench.type(`${press(37, 4)}ab${drag(50, 4)}`);
    await bench.until(() => host.typed('shell:1') === 'ab', 'keys are typed');
    bench.type(release(50, 4) + press(50, 8));
    bench.type(`${prefix}:`);
    await bench.sees('Tab complete');
    bench.type(esc);
    bench.type(press(50, 8));
    host.picture.layout.tabs[0]!.root = pane(1);
    host.publish();
    await shows('1:74x12');
    bench.type(drag(50, 3) + release(50, 3));
    bench.type('c');
    await bench.until(() => host.typed('shell:1') === 'abc', 'nothing is held');
    expect(host.sent('arrange')).toEqual([]);
  });

  it('drags from the resize mode too, and leaves that by a click', async () => {
    await open();
    bench.type(`${prefix}r${press(37, 4)}${drag(38, 4)}${release(38, 4)}l`);
    await shows('1:38x12 2:34x5 3:34x5');
    bench.type(press(60, 4));
    await focused(2);
    await bench.sees('C-b ? keys');
  });

  it('says why the host refuses, and shows what the host has', async () => {
    await open();
    bench.type(press(37, 4));
    // The view has not heard of it yet.
    host.picture.layout.tabs[0]!.root = {
      type: 'split',
      axis: 'rows',
      weights: [1, 1],
      children: [pane(1), pane(3)],
    };
    bench.type(drag(40, 4));
    await bench.sees('The tab cannot be arranged so');
    host.publish();
    await shows('1:74x5 3:74x5');
  });
});

describe('the wheel', () => {
  it('moves a program without a mouse by cursor keys in the alternate screen only, focused or not', async () => {
    await open();
    bench.type(wheel('up', 5, 5) + wheel('down', 50, 4));
    host.write('shell:2', '\x1b[?1049hpager');
    await bench.sees('pager');
    bench.type(wheel('down', 50, 4));
    await bench.until(() => host.typed('shell:2') === '\x1b[B\x1b[B\x1b[B', 'three lines');
    host.write('shell:2', '\x1b[?1happlication');
    await bench.sees('application');
    bench.type(wheel('up', 50, 4));
    await bench.until(() => host.typed('shell:2').endsWith('\x1bOA\x1bOA\x1bOA'), 'as its mode wants it');
    // The border is nobody's.
    bench.type(wheel('up', 38, 4));
    host.write('shell:2', '\x1b[?1000h\x1b[?1006hmouse');
    await bench.sees('mouse');
    bench.type(wheel('up', 50, 4));
    await bench.until(
      () => host.typed('shell:2').endsWith('\x1b[<64;12;3M'),
      'who asked gets the wheel itself',
    );
    await focused(1);
    expect(host.typed('shell:1')).toBe('');
    expect(typed()).toHaveLength(3);
  });

  it('changes nothing on the tab line', async () => {
    await open();
    bench.type(wheel('down', 14, 0) + wheel('up', 14, 0));
    bench.type('x');
    await bench.until(() => host.typed('shell:1') === 'x', 'it is over');
    expect(bench.text).toContain('1 one*');
    expect(typed()).toHaveLength(1);
  });

  it('scrolls the inspector, which gets no focus by it', async () => {
    const data = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key${n}`, n]));
    host.inspections.set('shell:1', {
      instance: 'shell:1',
      state: { seq: 1, data, at: '', received_at: Date.now() },
      changed: [],
      merged: 1,
      updates: 1,
    });
    await open();
    await bench.sees('key0 ');
    bench.type(wheel('down', 90, 8));
    await bench.until(() => !bench.text.includes('key2 ') && bench.text.includes('key3 '), 'three rows');
    for (let n = 0; n < 20; n++) bench.type(wheel('down', 90, 8));
    await bench.sees('key29');
    bench.type(wheel('up', 90, 8));
    await bench.until(() => !bench.text.includes('key27'), 'back by three rows');
    bench.type('x');
    await bench.until(() => host.typed('shell:1') === 'x', 'keys are still for the pane');
    expect(bench.text).not.toContain('key0 ');
  });

  it('leaves the end of the log, and follows what comes once it is back there', async () => {
    for (let n = 0; n < 30; n++) host.log.push({ at: 0, level: 'info', text: `entry${n}.` });
    await open();
    bench.type(`${prefix}i${esc}[Z`);
    await bench.sees('entry29.');
    bench.type(`q${wheel('up', 90, 8)}`);
    await bench.until(() => !bench.text.includes('entry27.'), 'it scrolled');
    host.logged({ at: 0, level: 'info', text: 'entry30.' });
    bench.type(wheel('up', 90, 8));
    await bench.until(() => !bench.text.includes('entry24.'), 'nothing takes it along');
    for (let n = 0; n < 9; n++) bench.type(wheel('down', 90, 8));
    await bench.sees('entry30.');
    host.logged({ at: 0, level: 'info', text: 'the newest' });
    await bench.sees('the newest');
  });
});

describe('removing a pane', () => {
  it('forgets a program that has ended, and lets one that runs go on', async () => {
    host.instance('shell:9', 'sh9', { status: 'ended', ended: 'exited with code 1' });
    host.tab('three', { type: 'pane', pane: 'pane:9', instance: 'shell:9' });
    await open();
    bench.type(`${prefix}X`);
    await bench.until(() => host.sent('removePane').length === 1, 'the pane of one that runs is removed');
    await bench.sees('shell:1 goes on without a pane');
    bench.type(`${prefix}3${prefix}X`);
    await bench.until(() => host.sent('forget').length === 1, 'the one that ended is forgotten');
    expect(host.sent('forget')).toEqual([{ instance: 'shell:9' }]);
    expect(host.sent('removePane')).toHaveLength(1);
  });
});
