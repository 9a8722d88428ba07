/** The demo as a newcomer meets it, and panes: split, focus, typing, zoom, sizes, tabs, lists. */
import { beforeAll, expect, it } from 'vitest';
import { builtCli, keys, prefix, root, TestSession } from '../support/end-to-end.ts';

let cli: string;
beforeAll(() => {
  cli = builtCli();
}, 120_000);

it('starts with three Ticks, the inspector, a status line and hints, without any configuration', async () => {
  const session = new TestSession(cli, 'demo');
  const screen = session.terminal(['npm', '--prefix', root, 'start']);
  await screen.shows('hosted:1 Market', 'hosted:2 Counter', 'hosted:3 Note');
  await screen.shows(/^ demo {2}1 demo\* {2}2 shell .* ◆ \w+-\d+ {3}\d waiting$/m);
  await screen.shows('nobody has changed it yet', 'no notes yet', 'no orders yet');
  await screen.shows(/│ State {3}Tools {3}Queue/, 'example.market', 'spread');
  await screen.shows(/C-b \? keys .*i inspector {3}z zoom {3}d detach/);
  expect(screen.modes.screen).toBe('alternate');
  // The Tick with the focus takes keys at once.
  screen.press(`${prefix}l`);
  await screen.pressUntil('+', /add 1 {2}by person/);
});

it('splits, moves the focus by arrows and letters, and types into the focused pane only', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux();
  await screen.shows('shell:1 sh', '$');
  // What is typed ahead goes to the pane that was asked for.
  screen.press(`${prefix}vecho in-$((1+1))\r`);
  await screen.shows('shell:2 sh');
  await screen.until('shell:2 echoes', () => /\bin-2$/m.test(screen.paneText('shell:2')));
  screen.press(`${prefix}"`);
  await screen.shows('shell:3 sh');
  screen.press('echo in-$((1+2))\r');
  await screen.until('shell:3 echoes', () => /\bin-3$/m.test(screen.paneText('shell:3')));
  expect(screen.pane('shell:2').x).toBeGreaterThan(screen.pane('shell:1').x);
  expect(screen.pane('shell:3')).toMatchObject({ x: screen.pane('shell:2').x });

  const moves: [string, number][] = [
    [keys.up, 2],
    [keys.left, 1],
    [keys.right, 2],
    [keys.down, 3],
    ['h', 1],
    ['l', 2],
    ['j', 3],
    ['k', 2],
  ];
  for (const [at, [key, to]] of moves.entries()) {
    screen.press(`${prefix}${key}echo move-${at}-\r`);
    const title = `shell:${to}`;
    await screen.until(`key ${JSON.stringify(key)} leads to ${title}`, () =>
      new RegExp(`^move-${at}-$`, 'm').test(screen.paneText(title)),
    );
  }
  expect(screen.paneText('shell:1')).not.toMatch(/move-[0235-7]-/);
});

it('hands on paste and mouse as the program of the pane asked for them', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux();
  await screen.shows('shell:1 sh', '$');
  screen.press(`${prefix}v`);
  await screen.shows('shell:2 sh');
  await screen.until('the shell is ready', () => screen.paneText('shell:2').includes('$'));
  const paste = (text: string) => screen.press(`\x1b[200~${text}\x1b[201~`);
  const click = (x: number, y: number) =>
    screen.press(`\x1b[<0;${x + 1};${y + 1}M\x1b[<0;${x + 1};${y + 1}m`);

  // A pasted prefix key is text, and a program that did not ask gets no brackets.
  screen.press('stty -icanon -echo -ctlecho; cat -v\r');
  await screen.shows('cat -v');
  paste('one \x02d two\n');
  await screen.until('the paste is there', () => /^one \^Bd two$/m.test(screen.paneText('shell:2')));
  screen.press('\x03');

  // The first click only chooses the pane; the next one is the program's, in its own coordinates.
  const { x, y } = screen.pane('shell:1');
  click(x + 4, y + 2);
  screen.press("stty -icanon -echo; printf '\\033[?2004h\\033[?1000h\\033[?1006hasked\\n'; cat -v\r");
  await screen.until('the program has asked', () => /^asked$/m.test(screen.paneText('shell:1')));
  click(x + 4, y + 2);
  paste('three\n');
  await screen.until('both are there', () =>
    /\^\[\[<0;5;3M\^\[\[<0;5;3m\^\[\[200~three\s+\^\[\[201~/.test(screen.paneText('shell:1')),
  );
});

it('zooms a pane and shows all again', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux();
  await screen.shows('shell:1 sh', '$');
  screen.press(`${prefix}v`);
  await screen.shows('shell:2 sh');
  const before = screen.pane('shell:2');
  screen.press(`${prefix}z`);
  await screen.shows(/shell:2 sh ─+ zoomed ─?┐/);
  await screen.hides('shell:1 sh');
  screen.press('stty size\r');
  const { rows, cols } = screen.pane('shell:2');
  expect(cols).toBeGreaterThan(before.cols * 1.8);
  await screen.shows(`${rows} ${cols}`);
  screen.press(`${prefix}z`);
  await screen.shows('shell:1 sh', 'shell:2 sh');
  expect(screen.pane('shell:2')).toEqual(before);
});

it('moves borders by keys and by mouse in every view, and panes to other tabs with what runs in them', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux();
  await screen.shows('shell:1 sh', '$');
  screen.press(`${prefix}v`);
  await screen.shows('shell:2 sh');
  const other = session.tickmux();
  await other.shows('shell:1 sh', 'shell:2 sh');
  const before = screen.pane('shell:2');
  const hasMoved = (cells: number) =>
    Promise.all(
      [screen, other].map((view) =>
        view.until(`the border has moved by ${cells}`, () => view.pane('shell:2').x === before.x + cells),
      ),
    );
  screen.press(`${prefix}rHhh`);
  await hasMoved(-7);
  screen.press('q');
  const at = (code: number, x: number, end = 'M') => screen.press(`\x1b[<${code};${x};9${end}`);
  // The last column of the pane to the left, counted from 1.
  at(0, before.x - 8);
  at(32, before.x + 10);
  await hasMoved(11);
  at(0, before.x + 10, 'm');
  screen.press('stty size\r');
  const { rows, cols } = screen.pane('shell:2');
  expect(cols).toBe(before.cols - 11);
  await screen.shows(`${rows} ${cols}`);

  screen.press('x=kept\r');
  screen.press(`${prefix}b`);
  await screen.shows(/ 2 sh\*/);
  await screen.hides('shell:1 sh');
  screen.press('echo $x-here\r');
  await screen.until('its shell goes on', () => /^kept-here$/m.test(screen.paneText('shell:2')));
  await other.shows(/ 1 sh\* +2 sh/);
  screen.press(`${prefix}:move-pane 1\r`);
  await screen.shows('shell:1 sh', 'shell:2 sh');
  screen.press(`${prefix}H`);
  await screen.until('they have changed places', () => screen.pane('shell:2').x < screen.pane('shell:1').x);
});

it('follows the size of its terminal, and says when that is too small', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux([], { cols: 160, rows: 45 });
  await screen.shows('shell:1 sh', /│ State/);
  const fits = async (cols: number, rows: number, inspector: boolean) => {
    screen.resize(cols, rows);
    await screen.until(`it fills ${cols}x${rows}`, () => {
      const { lines } = screen;
      const status = lines[rows - 1] ?? '';
      return lines.length === rows && status.includes('C-b ? keys') && /waiting$/.test(lines[0] ?? '');
    });
    await screen[inspector ? 'shows' : 'hides'](/│ State/);
    const pane = screen.pane('shell:1');
    expect(pane.rows).toBe(rows - 4);
    if (!inspector) expect(pane.cols).toBe(cols - 2);
    screen.press('clear; stty size\r');
    await screen.shows(`${pane.rows} ${pane.cols}`);
  };
  await fits(80, 24, false);
  screen.resize(50, 12);
  await screen.shows('Too small: 50x12, at least 60x16.');
  await screen.hides('shell:1');
  await fits(200, 50, true);
});

it('lists keys, opens programs by command, names tabs, ends programs after a question, lists instances', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux([], { cols: 170, rows: 50 });
  await screen.shows('shell:1 sh', '$');

  screen.press(`${prefix}?`);
  await screen.shows('type or find a command', 'the oldest waiting approval', 'zoom the pane, or back');
  screen.press('\x1b');
  await screen.hides('zoom the pane, or back');

  screen.press(`${prefix}:`);
  await screen.shows('Commands');
  screen.press(`open -- ${session.ledgerCommand.join(' ')}\r`);
  await screen.shows('hosted:1 Ledger', 'calls 0');
  await screen.hides('Commands');

  screen.press(`${prefix}c`);
  await screen.shows(/ 2 sh\*/, 'shell:2 sh');
  screen.press(`${prefix},`);
  await screen.shows('Name of the tab: sh');
  screen.press('\x7f\x7fbuild\r');
  await screen.shows(/ 2 build\*/);

  screen.press(`${prefix}x`);
  await screen.shows('End shell:2 sh?');
  screen.press('n');
  await screen.hides('End shell:2 sh?');
  screen.press(`${prefix}x`);
  await screen.shows('End shell:2 sh?');
  screen.press('y');
  await screen.shows(/was closed.*C-b R restart/);
  screen.press(`${prefix}R`);
  await screen.hides('C-b R restart');

  // Without its pane the program goes on; its tab is gone.
  screen.press(`${prefix}X`);
  await screen.hides('build');
  await screen.shows('shell:2 goes on without a pane');
  screen.press(`${prefix}w`);
  await screen.shows('Instances', /hosted:1 Ledger +running/, /shell:2 sh +running +no pane/);
  screen.press('G\r');
  await screen.hides('Instances');
  await screen.shows('┌ shell:2 sh');
  const { instances } = await session.picture();
  expect(instances.map(({ instance, status }) => `${instance} ${status}`)).toEqual([
    'shell:1 running',
    'hosted:1 running',
    'shell:2 running',
  ]);
});
