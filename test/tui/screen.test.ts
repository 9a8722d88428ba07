import { afterEach, beforeEach, expect, test } from 'vitest';
import { runTui } from '../../src/tui/index.ts';
import { prefixKeys } from '../../src/tui/keymap.ts';
import { FakeHost } from '../support/fake-host.ts';
import { HeadlessTerminal } from '../support/headless-terminal.ts';
import { TuiBench } from '../support/tui-bench.ts';

const prefix = '\x02';
const esc = '\x1b';

let host: FakeHost;
let bench: TuiBench;
beforeEach(() => {
  host = new FakeHost();
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
        weights: [1, 1],
        children: [
          { type: 'pane', pane: 'pane:1', instance: 'hosted:1' },
          { type: 'pane', pane: 'pane:3', instance: 'shell:3' },
        ],
      },
      { type: 'pane', pane: 'pane:2', instance: 'hosted:2' },
    ],
  });
  host.tab('ops', { type: 'pane', pane: 'pane:4', instance: 'shell:3' });
});
afterEach(() => bench.stop());

async function open(cols = 120, rows = 16): Promise<void> {
  bench = await TuiBench.start(host, cols, rows);
  await bench.sees('hosted:1 Counter');
}

/** The host was told which pane has the focus. */
function focused(instance: string): Promise<void> {
  return bench.until(() => host.sent('show').at(-1)?.focused === instance, `${instance} has the focus`);
}

test('the first screen', async () => {
  host.inspections.set('hosted:1', {
    instance: 'hosted:1',
    state: { seq: 418, data: { value: 12 }, at: '', received_at: Date.now() - 3_000 },
    changed: ['/value'],
    merged: 7,
    updates: 9,
  });
  await open();
  host.write('hosted:1', '\x1b[?25l\x1b[2;10Hvalue  \x1b[1m12');
  host.write('hosted:2', 'ACME  101.25');
  await bench.sees('value  12');
  await bench.sees('ACME');
  await bench.sees('•  value  12');
  expect(bench.terminal.lines().map((line) => line.replace(/\d s ago/, '3 s ago').trimEnd())).toEqual([
    ' main  1 trading*  2 ops                                                                           ◆ fox-42   0 waiting',
    '┌ hosted:1 Counter ──────────────────┐┌ hosted:2 Market ───────────────────┐│ State   Tools   Queue   Log',
    '│                                    ││ACME  101.25                        ││ hosted:1 Counter  example.counter',
    '│         value  12                  ││                                    ││ seq 418   3 s ago   7 merged',
    '│                                    ││                                    ││',
    '│                                    ││                                    ││ •  value  12',
    '│                                    ││                                    ││',
    '└────────────────────────────────────┘│                                    ││',
    '┌ shell:3 htop ──────────────────────┐│                                    ││',
    '│                                    ││                                    ││',
    '│                                    ││                                    ││',
    '│                                    ││                                    ││',
    '│                                    ││                                    ││',
    '│                                    ││                                    ││',
    '└────────────────────────────────────┘└────────────────────────────────────┘│',
    ' C-b ? keys   i inspector   z zoom   d detach',
  ]);
  expect(host.sent('attach')).toEqual([{ cols: 120, rows: 16, cwd: '/work', env: { HOME: '/home/x' } }]);
  expect(host.sent('show').at(-1)).toEqual({
    panes: [
      { instance: 'hosted:1', cols: 36, rows: 5 },
      { instance: 'shell:3', cols: 36, rows: 5 },
      { instance: 'hosted:2', cols: 36, rows: 12 },
    ],
    focused: 'hosted:1',
  });
});

test('frames are acknowledged once painted, and the newest is shown', async () => {
  await open();
  for (let line = 1; line <= 50; line++) host.write('hosted:1', `\x1b[Hline ${line} `);
  await bench.sees('line 50');
  await bench.until(() => host.sent('acknowledge').length > 1, 'frames were acknowledged');
  bench.terminal.hold();
  host.write('hosted:1', '\x1b[Hheld   ');
  await bench.sees('held');
  const before = host.sent('acknowledge').length;
  host.write('hosted:1', '\x1b[Hmore   ');
  bench.terminal.release();
  await bench.until(() => host.sent('acknowledge').length > before, 'the held frame was acknowledged');
  await bench.sees('more');
});

test('what is typed goes to the focused pane as its modes want it', async () => {
  await open();
  bench.type('ls\r\x1b[A');
  await bench.until(() => host.typed('hosted:1') === 'ls\r\x1b[A', 'plain keys');
  host.write('hosted:1', '\x1b[?1h\x1b[?2004happlication');
  await bench.sees('application');
  bench.type('\x1b[A\x1b[200~a\nb\x1b[201~');
  await bench.until(() => host.typed('hosted:1').endsWith('\x1bOA\x1b[200~a\nb\x1b[201~'), 'as asked for');
  bench.type(prefix + prefix);
  await bench.until(() => host.typed('hosted:1').endsWith(prefix), 'the prefix twice');
});

test('focus moves by geometry, by click and by tab', async () => {
  await open();
  bench.type(`${prefix}\x1b[B`);
  await focused('shell:3');
  bench.type(`${prefix}l`);
  await focused('hosted:2');
  bench.type('x');
  await bench.until(() => host.typed('hosted:2') === 'x', 'the focused pane gets keys');
  bench.type('\x1b[<0;5;4M\x1b[<0;5;4m');
  await focused('hosted:1');
  bench.type(`${prefix}n`);
  await bench.sees('2 ops*');
  await focused('shell:3');
  expect(
    host
      .sent('show')
      .at(-1)
      ?.panes.map(({ instance }) => instance),
  ).toEqual(['shell:3']);
  bench.type(`${prefix}1`);
  await focused('hosted:1');
});

test('a program that asked for the mouse gets it, counted from its own corner', async () => {
  await open();
  host.write('hosted:1', '\x1b[?1000h\x1b[?1006hmouse');
  await bench.sees('mouse');
  bench.type('\x1b[<0;5;4M\x1b[<0;5;4m');
  await bench.until(() => host.typed('hosted:1') === '\x1b[<0;4;2M\x1b[<0;4;2m', 'mouse events');
});

test('a program that asked for it hears of the focus', async () => {
  await open();
  host.write('hosted:1', '\x1b[?1004hasked');
  host.write('hosted:2', '\x1b[?1004halso');
  await bench.sees(/asked.*also/);
  bench.type(`${prefix}l`);
  await bench.until(() => host.typed('hosted:2') === '\x1b[I', 'it gained the focus');
  expect(host.typed('hosted:1')).toBe('\x1b[O');
});

test('a split opens a shell, and what is typed meanwhile goes there', async () => {
  await open();
  bench.type(`${prefix}%echo\r`);
  await bench.sees('shell:100 sh');
  expect(host.sent('open')).toEqual([
    { shell: true, cwd_of: 'hosted:1', place: { in: 'split', pane: 'pane:1', direction: 'right' } },
  ]);
  await focused('shell:100');
  await bench.until(() => host.typed('shell:100') === 'echo\r', 'the new shell gets it');
  expect(host.typed('hosted:1')).toBe('');
});

test('a new tab is shown when it is there', async () => {
  await open();
  bench.type(`${prefix}c`);
  await bench.sees('3 sh*');
  expect(host.sent('open')).toEqual([{ shell: true, cwd_of: 'hosted:1', place: { in: 'tab' } }]);
});

test('a view begins where the last one had its focus, unless it opened something else', async () => {
  host.lastPane = 'pane:2';
  await open();
  await focused('hosted:2');
  await bench.stop();
  host.lastPane = 'pane:99';
  await open();
  await focused('hosted:1');
  await bench.stop();
  host.lastPane = 'pane:2';
  bench = await TuiBench.start(host, 120, 16, { pane: 'pane:3' });
  await focused('shell:3');
});

test('zoom shows one pane, and goes back', async () => {
  await open();
  bench.type(`${prefix}z`);
  await bench.sees('zoomed');
  expect(host.sent('show').at(-1)).toEqual({
    panes: [{ instance: 'hosted:1', cols: 74, rows: 12 }],
    focused: 'hosted:1',
  });
  bench.type(`${prefix}z`);
  await bench.sees('hosted:2 Market');
});

test('a program is ended after a question; every other key is no', async () => {
  await open();
  bench.type(`${prefix}x`);
  await bench.sees('End hosted:1 Counter?');
  bench.type('n');
  await bench.until(() => !bench.text.includes('End hosted:1'), 'the question is gone');
  bench.type(`${prefix}x`);
  await bench.sees('End hosted:1 Counter?');
  bench.type('\x1b[200~y\x1b[201~');
  bench.type('y');
  await bench.until(() => host.sent('close').length === 1, 'it is ended');
  expect(host.typed('hosted:1')).toBe('');
});

test('an ended pane keeps its screen, says how it ended and starts again', async () => {
  await open();
  host.write('hosted:1', 'last words');
  await bench.sees('last words');
  const [instance] = host.picture.instances;
  Object.assign(instance as object, { status: 'ended', ended: 'exited with 3' });
  host.publish();
  await bench.sees('exited with 3');
  expect(bench.text).toContain('C-b R restart');
  expect(bench.text).toContain('last words');
  bench.type(`${prefix}R`);
  await bench.until(() => host.sent('restart').length === 1, 'it is started');
  bench.type(`${prefix}x`);
  await bench.sees('hosted:1 has ended already');
});

test('a long reason is cut before the key that starts it again', async () => {
  await open();
  const ended = `broke it (H-3.6-1a): ${'a line was no JSON '.repeat(6)}`;
  Object.assign(host.picture.instances[0] as object, { status: 'ended', ended });
  host.publish();
  await bench.sees(/ broke it: a li[^ ]*… +C-b R restart/);
});

test('a single running program is one', async () => {
  for (const instance of host.picture.instances.slice(1)) instance.status = 'ended';
  await open();
  bench.type(`${prefix}:kill-session\r`);
  await bench.sees('with 1 running program?');
});

test('a tab is named', async () => {
  await open();
  bench.type(`${prefix},`);
  await bench.sees('Name of the tab: trading');
  bench.type('\x15market\r');
  await bench.sees('1 market*');
  expect(host.sent('renameTab')).toEqual([{ tab: 'tab:1', name: 'market' }]);
});

test('the help lists the keymap itself', async () => {
  await open(120, 60);
  bench.type(`${prefix}?`);
  await bench.sees('After C-b');
  for (const { help } of prefixKeys.filter(({ action }) => !action.startsWith('tab '))) {
    expect(bench.text).toContain(help);
  }
  bench.type(esc);
  await bench.until(() => !bench.text.includes('After C-b'), 'the help is gone');
});

test('the list has instances without a pane, and gives them one', async () => {
  host.instance('hosted:9', 'Hidden');
  await open();
  bench.type(`${prefix}w`);
  await bench.sees(/hosted:9 Hidden +running +no pane/);
  bench.type('G\r');
  await bench.until(() => host.sent('showInstance').length === 1, 'it is shown');
  expect(host.sent('showInstance')).toEqual([{ instance: 'hosted:9', beside: 'pane:1', direction: 'right' }]);
  bench.type(`${prefix}wx`);
  await bench.sees('End hosted:1 Counter?');
});

test('the palette completes, runs, remembers and complains', async () => {
  await open();
  bench.type(`${prefix}:`);
  await bench.sees('Commands');
  bench.type('them\tdu\t\r');
  await bench.until(() => !bench.text.includes('Commands'), 'it ran');
  const { active } = bench.terminal.emulator.buffer;
  await bench.until(() => active.getLine(1)?.getCell(0)?.isFgRGB() === true, 'the theme is another');
  bench.type(`${prefix}:\x1b[A\r`);
  bench.type(`${prefix}:nonsense\r`);
  await bench.sees('There is no command "nonsense"');
  bench.type(`${prefix}:open --name 'my bot' -- counter --from 3\r`);
  await bench.until(() => host.sent('open').length === 1, 'it was opened');
  expect(host.sent('open')[0]).toEqual({
    command: ['counter', '--from', '3'],
    name: 'my bot',
    cwd_of: 'hosted:1',
    place: { in: 'split', pane: 'pane:1', direction: 'right' },
  });
});

test('the inspector turns its pages, folds, and hides', async () => {
  host.inspections.set('hosted:1', {
    instance: 'hosted:1',
    descriptor: {
      protocol: 3,
      kind: 'k',
      title: 't',
      description: 'd',
      revision: '7',
      tools: [
        {
          name: 'add',
          description: 'Adds.',
          mutates: true,
          input_schema: { properties: { by: { type: 'integer', minimum: 1 } }, required: ['by'] },
        },
      ],
    },
    state: { seq: 1, data: { a: { b: 1 } }, at: '', received_at: Date.now() },
    changed: [],
    merged: 1,
    updates: 1,
  });
  host.waiting('call:1');
  host.picture.recent.push({ ...host.waiting('call:2').summary, state: 'unknown', call: 'call:0' });
  host.log.push({ at: 0, level: 'warn', text: 'something odd' });
  await open(120, 30);
  await bench.sees('▾ a  1 key');
  bench.type(`${prefix}i\r`);
  await bench.sees('▸ a  1 key');
  bench.type('\t');
  await bench.sees('add  mutates');
  await bench.sees('by  integer from 1  required');
  await bench.sees('catalogue revision 7');
  bench.type('\t');
  await bench.sees('unknown: it may have run');
  bench.type('\t');
  await bench.sees('something odd');
  host.logged({ at: 0, level: 'info', text: 'the newest' });
  await bench.sees('the newest');
  bench.type('\x1b[D\r');
  await bench.sees('Approve?');
  bench.type(`${esc}`);
  await bench.sees('Queue 2');
  bench.type(`${prefix}i${prefix}i`);
  await bench.until(() => !bench.text.includes('Queue 2'), 'it is hidden');
  await bench.until(() => host.sent('inspect').at(-1)?.instance === null, 'the host need not tell');
});

test('a terminal that is too small says so, and shows all when it grows', async () => {
  await open();
  bench.terminal.resize(59, 16);
  await bench.sees('Too small: 59x16, at least 60x16.');
  expect(bench.text.trim().split('\n').length).toBe(1);
  for (const [cols, words] of [
    [30, 'Too small: needs 60x16'],
    [20, 'needs 60x16'],
    [10, '60x16'],
    [4, ''],
  ] as const) {
    bench.terminal.resize(cols, 16);
    await bench.until(() => bench.text.trim() === words, `it says "${words}"`);
  }
  bench.terminal.resize(100, 30);
  await bench.sees('hosted:2 Market');
  expect(bench.text).not.toContain('State   Tools');
  expect(host.sent('show').at(-1)?.panes[2]).toEqual({ instance: 'hosted:2', cols: 48, rows: 26 });
});

test('a question that cannot be seen is not answered', async () => {
  await open();
  bench.type(`${prefix}x`);
  await bench.sees('End hosted:1 Counter?');
  bench.terminal.resize(40, 10);
  await bench.sees('Too small');
  bench.type('y');
  bench.terminal.resize(120, 16);
  await bench.sees('End hosted:1 Counter?');
  expect(host.sent('close')).toEqual([]);
});

test('a long question keeps its answers in sight', async () => {
  (host.picture.instances[0] as { title: string }).title = 'long '.repeat(40);
  bench = await TuiBench.start(host, 80, 16);
  await bench.sees('hosted:1 long');
  bench.type(`${prefix}x`);
  await bench.sees(/End hosted:1 long.*… {3}y yes {3}any other key no/);
});

test('the current tab is in sight, however many there are, and tabs can be clicked', async () => {
  for (let n = 3; n <= 12; n++) {
    host.tab(`tab number ${n}`, { type: 'pane', pane: `pane:${n + 10}`, instance: 'shell:3' });
  }
  await open();
  bench.type(`${prefix}9`);
  await bench.sees('9 tab number 9*');
  expect(bench.text).not.toContain('1 trading');
  const x = (bench.terminal.lines()[0] as string).indexOf('8 tab') + 1;
  bench.type(`\x1b[<0;${x + 1};1M\x1b[<0;${x + 1};1m`);
  await bench.sees('8 tab number 8*');
});

test('words of strangers cannot draw on the frame', async () => {
  (host.picture.instances[0] as { title: string }).title = 'x\x1b[2J\u202ey';
  await open2();
  await bench.sees('hosted:1 x␛[2J⟨U+202E⟩y');
});

async function open2(): Promise<void> {
  bench = await TuiBench.start(host, 120, 16);
  await bench.sees('hosted:2 Market');
}

test('what stops calls is said at the bottom', async () => {
  host.picture.problem = 'The disk is full: no call is sent.';
  await open();
  await bench.sees(/detach +The disk is full: no call is sent\./);
});

test('one key stops all dispatching, which is said until the same key lets it go on', async () => {
  await open();
  bench.type(`${prefix}!`);
  await bench.sees('STOPPED');
  await bench.sees('All dispatching is stopped: C-b ! lets it go on.');
  bench.type('x');
  await bench.sees('All dispatching is stopped, by view:1: C-b ! lets it go on.');
  expect(host.typed('hosted:1')).toBe('x');
  bench.type(`${prefix}!`);
  await bench.sees('Calls are dispatched again.');
  expect(bench.text).not.toContain('STOPPED');
});

test('detaching leaves the session and gives the terminal back', async () => {
  await open();
  bench.type(`${prefix}d`);
  await bench.until(() => bench.end !== undefined, 'it ended');
  expect(bench.end).toEqual({ reason: 'detached' });
  expect(bench.terminal.entered).toBe(false);
  expect(host.sent('kill')).toEqual([]);
});

test('killing the session asks first', async () => {
  await open();
  bench.type(`${prefix}:kill-session\r`);
  await bench.sees('End session main with 3 running programs?');
  bench.type('y');
  await bench.until(() => bench.end !== undefined, 'it ended');
  expect(bench.end).toEqual({ reason: 'killed' });
});

test('a host that goes gives the terminal back', async () => {
  await open();
  host.hangUp();
  await bench.until(() => bench.end !== undefined, 'it ended');
  expect(bench.end?.reason).toBe('host-gone');
  expect(bench.terminal.entered).toBe(false);
});

test('a session that another terminal ends is told apart from a host that broke', async () => {
  await open();
  host.end('view:2\x1b[2J');
  await bench.sees('The session is being ended by view:2␛[2J.');
  host.hangUp();
  await bench.until(() => bench.end !== undefined, 'it ended');
  expect(bench.end).toEqual({ reason: 'killed', message: 'Session main was ended by view:2␛[2J.' });
});

test('suspending is left to the terminal', async () => {
  await open();
  bench.type(`${prefix}\x1a`);
  await bench.until(() => bench.terminal.suspended === 1, 'it is suspended');
  bench.terminal.resume();
  await bench.sees('hosted:1 Counter');
});

test('a host that refuses to be shown says why', async () => {
  await open();
  const other = new FakeHost();
  other.refuseAttach = 'This is a pane of session main.';
  const terminal = new HeadlessTerminal();
  const { client, hello } = await other.connect();
  await expect(runTui({ client, hello, env: {}, cwd: '/', terminal })).rejects.toThrow(
    'This is a pane of session main.',
  );
  expect(terminal.entered).toBe(false);
});

test('typing narrows the list of keys, which stays where it is; Esc leaves', async () => {
  await open();
  bench.type(`${prefix}?`);
  await bench.sees('the oldest waiting approval');
  const top = bench.terminal.lines().findIndex((line) => line.includes('┌ Keys'));
  bench.type('ZOOM pane');
  await bench.sees('Find: ZOOM pane');
  await bench.until(() => !bench.text.includes('the oldest waiting approval'), 'the rest is gone');
  await bench.sees('zoom the pane, or back');
  expect(bench.terminal.lines().findIndex((line) => line.includes('┌ Keys'))).toBe(top);
  bench.type('qq');
  await bench.sees('No key does that');
  bench.type('\x15');
  await bench.sees('the oldest waiting approval');
  bench.type('\x1b[6~'.repeat(12));
  await bench.sees('Everything else goes to the program');
  bench.type(esc);
  await bench.until(() => !bench.text.includes('┌ Keys'), 'it is left');
  expect(host.typed('hosted:1')).toBe('');
});
