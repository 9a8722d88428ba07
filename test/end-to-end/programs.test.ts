/** Real programs in panes: what the terminal shows is what the host's emulator holds, cell by cell. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { agentApi } from '../../src/rpc/api/index.ts';
import { builtCli, isInstalled, TestSession } from '../support/end-to-end.ts';
import { type OuterTerminal, until } from '../support/outer-terminal.ts';
import { TerminalGrid } from '../support/terminal-grid.ts';
import { watchGrid } from '../support/watched-grid.ts';

let cli: string;
beforeAll(() => {
  cli = builtCli();
}, 120_000);

const each = (count: number, cell: (n: number) => string) => Array.from({ length: count }, (_, n) => cell(n));

/** What a line of text can be, in SGR and in Unicode. The last ones are more than tmux tells of. */
const attributes = [
  ...[1, 2, 3, 4, 5, 7, 9, 21].map((sgr) => `\x1b[${sgr}mattribute ${sgr}\x1b[m plain`),
  each(8, (n) => `\x1b[3${n};10${n}m ${n} \x1b[9${n};4${n}m ${n} \x1b[m`).join(''),
  each(24, (n) => `\x1b[38;5;${n * 10}m#\x1b[48;5;${250 - n * 10}m \x1b[m`).join(''),
  each(24, (n) => `\x1b[38;2;${n * 9};${255 - n * 7};99m#\x1b[m`).join(''),
  // Its capture-pane writes overline as `5:3`.
  '\x1b[53mattribute 53\x1b[m plain',
  '\x1b[4:3;58;2;250;10;10mcurly red\x1b[m \x1b[4:5;38;5;202mdashed\x1b[m \x1b[1;3;4;7;9;38;2;1;2;3mall\x1b[m',
  'wide 漢字かな한글, combining e\u0301a\u0308, box ┌─┐│└┘, emoji 😀',
];
const toldByTmux = attributes.length - 3;

function examples(session: TestSession): { text: string; source: string } {
  const text = join(session.directory, 'attributes.txt');
  const lines = Array.from({ length: 40 }, (_, n) => `${n} ${'word '.repeat(n)}`);
  writeFileSync(text, `${[...attributes, ...lines].join('\n')}\n`);
  const source = join(session.directory, 'example.js');
  const code = [
    '// A comment',
    'const wide = "漢字 😀";',
    'function f(x) {',
    '\treturn x + 0xff; // TODO',
    '}',
  ];
  writeFileSync(
    source,
    `${Array.from({ length: 12 }, () => code)
      .flat()
      .join('\n')}\n`,
  );
  return { text, source };
}

const programs: {
  name: string;
  command: (files: ReturnType<typeof examples>) => string[];
  steps: [keys: string, shows: RegExp][];
}[] = [
  {
    name: 'vim',
    command: ({ source }) => [
      'vim',
      ...['-N', '-u', 'NONE', '-i', 'NONE', '-n', '-c', 'syntax on', '-c', 'set nu cul hls ls=2 ru', source],
    ],
    steps: [
      ['', /return x \+ 0xff/],
      ['/x\\b\r', /function f/],
      [':vsplit | set list\r', /\^Ireturn/],
      ['GVkk', /VISUAL LINE/],
    ],
  },
  {
    name: 'less',
    command: ({ text }) => ['less', '-R', text],
    steps: [
      ['', /attribute 53/],
      ['/word\r', /^25 word/m],
      ['g', /attribute 1 plain/],
    ],
  },
  {
    name: 'top',
    command: () => ['top', '-d', '600'],
    steps: [
      ['', /PID +USER/],
      ['z', /PID +USER/],
      ['x', /PID +USER/],
    ],
  },
];

it.for(programs)(
  'shows of $name every cell with its attributes',
  async ({ name, command, steps }, context) => {
    if (!isInstalled(name)) return context.skip(`${name} is not installed`);
    const session = new TestSession(cli);
    const screen = session.tickmux(['--shell', '--', ...command(examples(session))], { cols: 150, rows: 42 });
    await screen.shows(`┌ shell:1 ${name}`);
    const rect = screen.pane('shell:1');
    const grid = await watchGrid(await session.operator(), 'shell:1', rect);
    for (const [pressed, shown] of steps) {
      screen.press(pressed);
      await screen.until(`${name} shows ${shown}`, () => shown.test(screen.paneText('shell:1')));
      await same(screen, rect, grid);
    }
  },
);

it('shows what a shell prints with every attribute', async () => {
  const session = new TestSession(cli);
  const { text } = examples(session);
  const screen = session.tickmux([], { cols: 150, rows: 42 });
  await screen.shows('shell:1 sh', '$');
  const rect = screen.pane('shell:1');
  const grid = await watchGrid(await session.operator(), 'shell:1', rect);
  screen.press(`head -${attributes.length} ${text}\r`);
  await screen.shows('attribute 53', 'emoji 😀', 'curly red');
  await same(screen, rect, grid);
  screen.press(`cat ${text}\r`);
  await screen.shows('39 word');
  await same(screen, rect, grid);
});

/** Waits until the terminal shows in this rectangle what the host holds, the cursor included. */
async function same(
  screen: OuterTerminal,
  rect: ReturnType<OuterTerminal['pane']>,
  grid: Awaited<ReturnType<typeof watchGrid>>,
): Promise<void> {
  let found: string[] = [];
  await until(
    'every cell is as the host has it',
    () => {
      found = screen.differences(rect, grid);
      const { x, y, visible } = screen.cursor;
      const { cursor } = grid;
      const there = x === rect.x + cursor.x && y === rect.y + cursor.y;
      if (visible !== cursor.visible || (visible && !there)) {
        found.push(`the cursor is at ${x},${y} ${visible}, not ${JSON.stringify(cursor)}`);
      }
      return found.length === 0;
    },
    () => `${found.length} differ:\n${found.slice(0, 20).join('\n')}\n${screen.text}`,
  );
}

it('starts and approves in a terminal that is tmux', async (context) => {
  if (!isInstalled('tmux')) return context.skip('tmux is not installed');
  const session = new TestSession(cli);
  const { text } = examples(session);
  const tmux = (...args: string[]) => {
    const socket = join(session.directory, 'tmux.sock');
    const { status, stdout, stderr } = spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      env: session.env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`tmux ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const capture = async () => {
    const grid = new TerminalGrid(160, 45);
    await grid.write(tmux('capture-pane', '-e', '-N', '-p').split('\n').slice(0, 45));
    return grid;
  };
  let shown = new TerminalGrid(160, 45);
  const shows = (...wanted: (string | RegExp)[]) =>
    until(
      `tmux shows ${wanted.join(', ')}`,
      async () => {
        shown = await capture();
        return wanted.every((one) => shown.holds(one));
      },
      () => shown.text,
    );

  const ledger = session.command('--', ...session.ledgerCommand);
  tmux('new-session', '-d', '-x', '160', '-y', '45', ...ledger, ';', 'set', '-g', 'status', 'off');
  await shows('┌ hosted:1 Ledger', 'calls 0');
  tmux('send-keys', 'C-b', 'v');
  await shows('┌ shell:1 sh', '$');
  tmux('send-keys', `head -${toldByTmux} ${text}`, 'Enter');
  await shows('attribute 21', /#{24}/);
  const rect = shown.pane('shell:1');
  const grid = await watchGrid(await session.operator(), 'shell:1', rect);
  let found: string[] = [];
  await until(
    'every cell is as the host has it',
    async () => {
      shown = await capture();
      found = shown.differences(rect, grid);
      return found.length === 0;
    },
    () => `${found.length} differ:\n${found.slice(0, 20).join('\n')}\n${shown.text}`,
  );

  const report = (await session.agent()).request(agentApi.tickCall, {
    instance: 'hosted:1',
    tool: 'note',
    arguments: { text: 'under tmux' },
  });
  report.catch(() => {});
  await shows('1 waiting');
  tmux('send-keys', 'C-b', 'a');
  await shows('Approve?', '"under tmux"', 'y once');
  await until('the call is approved', async () => {
    tmux('send-keys', 'y');
    return (await capture()).holds('0 waiting');
  });
  expect(await report).toMatchObject({ state: 'succeeded' });
  expect(session.entries.map(({ args }) => args)).toEqual([{ text: 'under tmux' }]);
  tmux('send-keys', 'C-b', 'd');
});
