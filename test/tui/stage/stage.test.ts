import { createRequire } from 'node:module';
import type blessedTypes from 'blessed';
import { afterEach, describe, expect, test } from 'vitest';
import type { Row } from '../../../src/cells/row.ts';
import {
  createStage,
  type PaneSource,
  type Stage,
  type Token,
  ttyTerminal,
} from '../../../src/tui/stage/index.ts';
import { CellRow } from '../../../src/tui/stage/span.ts';
import { HeadlessTerminal } from '../../support/headless-terminal.ts';

const stages: Stage[] = [];
afterEach(() => {
  for (const stage of stages.splice(0)) stage.dispose();
});

async function open(cols = 40, rows = 8, options: { frameMs?: number } = {}) {
  const terminal = new HeadlessTerminal(cols, rows);
  const stage = createStage({ terminal, ...options });
  stages.push(stage);
  await stage.whenPainted();
  return { terminal, stage };
}

function sourceOf(...lines: string[]): PaneSource & { rows: Row[] } {
  const rows = lines.map((text) => {
    const row = new CellRow(20, 0, 0);
    row.write([{ text }], 0, 20, [0, 0]);
    return row;
  });
  return { rows, row: (y) => rows[y] };
}

describe('chrome', () => {
  test('a box has a line around it, a title and a note, and clips its lines', async () => {
    const { terminal, stage } = await open();
    const box = stage.styledBox({
      left: 1,
      top: 1,
      width: 20,
      height: 4,
      border: { title: [{ text: 'hosted:1' }], note: [{ text: '你' }] },
    });
    box.setLines([
      [{ text: 'wide 你好你好你好你好你好' }],
      [{ text: 'bad\nline\x1b[2J' }],
      [{ text: 'third' }],
    ]);
    await stage.whenPainted();
    expect(terminal.lines().slice(0, 6)).toEqual([
      '',
      ' ┌ hosted:1 ─── 你 ─┐',
      ' │wide 你好你好你好 │',
      ' │bad\ufffdline\ufffd[2J      │',
      ' └──────────────────┘',
      '',
    ]);
    expect(box.inner).toEqual({ cols: 18, rows: 2 });
    box.setScroll(99);
    await stage.whenPainted();
    expect(box.scrollY).toBe(1);
    expect(terminal.lines()[3]).toBe(' │third             │');
  });

  test('a title without room is clipped before the corner, and the note goes first', async () => {
    const { terminal, stage } = await open(12, 3);
    stage.styledBox({
      width: 12,
      height: 3,
      border: { title: [{ text: '你好你好你好' }], note: [{ text: 'note' }] },
    });
    await stage.whenPainted();
    expect(terminal.lines()[0]).toBe('┌ 你好你好─┐');
  });

  test('a box with a line on one side only keeps its children beside it', async () => {
    const { terminal, stage } = await open(12, 3);
    const parent = stage.styledBox({
      width: 10,
      height: 2,
      border: { sides: { top: false, right: false, bottom: false } },
    });
    parent.setLines([[{ text: 'one' }], [{ text: 'two' }]]);
    const child = stage.styledBox({ parent, top: 1, width: 5, height: 1 });
    child.setLines([[{ text: 'child' }]]);
    await stage.whenPainted();
    expect(terminal.lines()).toEqual(['│one', '│child', '']);
  });

  test("blessed's own widgets are drawn with their colours and wide characters", async () => {
    const { terminal, stage } = await open(20, 3);
    const blessed = createRequire(import.meta.url)('blessed') as typeof blessedTypes;
    blessed.box({
      parent: stage.screen,
      width: 12,
      height: 1,
      tags: true,
      content: '{bold}{red-fg}a你e\u0301{/}b',
    });
    stage.invalidateChrome();
    await stage.whenPainted();
    expect(terminal.lines()[0]).toBe('a你e\u0301b');
    const cell = terminal.emulator.buffer.active.getLine(0)!.getCell(0)!;
    expect([cell.isBold() !== 0, cell.getFgColor()]).toEqual([true, 1]);
  });
});

describe('panes', () => {
  test('show their source from the offset on, below what is stacked over them', async () => {
    const { terminal, stage } = await open(12, 3);
    const area = stage.paneArea('shell:1', { left: 2, top: 0, width: 8, height: 2 });
    stage.setPaneSource('shell:1', sourceOf('zero', '你好世界', '0123456789'), { x: 0, y: 1 });
    await stage.whenPainted();
    expect(area.place).toEqual({ x: 2, y: 0, cols: 8, rows: 2 });
    expect(terminal.lines()).toEqual(['  你好世界', '  01234567', '']);
    const popup = stage.styledBox({ left: 5, top: 0, width: 2, height: 1 });
    popup.setLines([[{ text: '##' }]]);
    await stage.whenPainted();
    expect(terminal.lines()[0]).toBe('  你 ## 界');
    popup.destroy();
    stage.invalidateChrome();
    await stage.whenPainted();
    expect(terminal.lines()[0]).toBe('  你好世界');
  });

  test('send only what changed', async () => {
    const { terminal, stage } = await open(60, 20);
    stage.paneArea('shell:1', { width: 20, height: 20 });
    const source = sourceOf('one', 'two', 'three');
    stage.setPaneSource('shell:1', source);
    await stage.whenPainted();
    source.rows[1] = sourceOf('twi').rows[0]!;
    stage.invalidateRows('shell:1', 1, 1);
    await stage.whenPainted();
    expect(Buffer.from(terminal.frames.at(-1)!).toString()).toBe('\x1b[?2026h\x1b[2;3Hi\x1b[?2026l');
    const { length } = terminal.frames;
    stage.invalidateRows('shell:1', 0, 2);
    expect(await stage.whenPainted()).toBe(true);
    expect(terminal.frames.length).toBe(length);
  });

  test('never move, erase or speak outside their cells, whatever their source says', async () => {
    const { terminal, stage } = await open(20, 2);
    stage.paneArea('shell:1', { width: 10, height: 1 });
    const source = sourceOf('abcdefghij');
    const words = source.rows[0]!.words;
    [0x1b, 0x0a, 0x9b, 0x7f, 0xd800, 0x1fffff].forEach((code, i) => {
      words[i * 3] = 0x400000 | code;
    });
    words[6 * 3] = 0x600000;
    words[7 * 3 + 2] = 0x10000000;
    Object.assign(source.rows[0]!, {
      joined: { 6: 'x\x1b[2J' },
      extended: {
        7: { underlineStyle: 0, underlineColour: 0, link: 'http://a/\x07\x1b[2J', linkId: ':;\x07' },
      },
    });
    stage.setPaneSource('shell:1', source);
    await stage.whenPainted();
    const frame = Buffer.from(terminal.frames.at(-1)!).toString();
    expect(frame).not.toContain('\x1b[2J');
    expect(frame).not.toMatch(/[\x07\x7f\x80-\x9f]/);
    expect(terminal.lines()[0]).toContain('hij');
  });
});

describe('a terminal that measures otherwise', () => {
  /** Which characters stand in which columns, blanks left out. */
  const columns = (terminal: HeadlessTerminal) => {
    const line = terminal.emulator.buffer.active.getLine(0)!;
    return Array.from({ length: 20 }, (_, x) => line.getCell(x)!.getChars().trim());
  };

  test.each(['6', '15-without-clusters'])(
    '(%s) keeps everything but the character itself in place',
    async (table) => {
      const { terminal, stage } = await open(20, 1);
      if (table === '6') terminal.emulator.unicode.activeVersion = '6';
      else {
        // Every code point by itself, two columns each: what a terminal without clusters does at worst.
        terminal.emulator.unicode.register({
          version: table,
          wcwidth: (code) => (code >= 0x2600 ? 2 : 1),
          charProperties: (code) => (code === 0x200d || code === 0xfe0f ? 0 : code >= 0x2600 ? 4 : 2),
        });
        terminal.emulator.unicode.activeVersion = table;
      }
      const box = stage.styledBox({ width: 20, height: 1 });
      box.setLines([[{ text: 'ABCDEFGHIJKLMNOPQRST' }]]);
      await stage.whenPainted();
      box.setLines([[{ text: 'AB\u{1f469}\u200d\u{1f680}EF\u{1f600}IJ☂\ufe0fMN你QRST' }]]);
      await stage.whenPainted();
      const shown = columns(terminal);
      for (const [x, text] of [...'AB  EF  IJ  MN  QRST'].entries()) {
        if (text !== ' ') expect([x, shown[x]]).toEqual([x, text]);
      }
      // Nothing of what stood there before is left either.
      expect(shown.join('')).not.toMatch(/[CDGHKLOP]/);
    },
  );
});

describe('the cursor', () => {
  const at = (terminal: HeadlessTerminal) => [
    terminal.emulator.buffer.active.cursorX,
    terminal.emulator.buffer.active.cursorY,
  ];
  const lastFrame = (terminal: HeadlessTerminal) => Buffer.from(terminal.frames.at(-1)!).toString();

  test('follows its cell in the pane and hides under a popup', async () => {
    const { terminal, stage } = await open();
    stage.paneArea('shell:1', { left: 3, top: 2, width: 10, height: 4 });
    stage.setPaneSource('shell:1', sourceOf('a', 'b', 'c'), { x: 0, y: 1 });
    stage.setCursor({ paneId: 'shell:1', x: 1, y: 2 }, { shape: 'bar', blink: true });
    await stage.whenPainted();
    expect(at(terminal)).toEqual([4, 3]);
    expect(lastFrame(terminal)).toContain('\x1b[5 q');
    expect(lastFrame(terminal)).toContain('\x1b[?25h');
    const popup = stage.styledBox({ left: 0, top: 0, width: 10, height: 5 });
    await stage.whenPainted();
    expect(lastFrame(terminal)).not.toContain('\x1b[?25h');
    popup.hide();
    stage.setCursor({ paneId: 'shell:1', x: 1, y: 0 });
    stage.invalidateChrome();
    await stage.whenPainted();
    expect(lastFrame(terminal)).not.toContain('\x1b[?25h');
  });

  test('stands in an element or anywhere on the screen', async () => {
    const { terminal, stage } = await open();
    const box = stage.styledBox({ left: 5, top: 1, width: 10, height: 3, border: {} });
    stage.setCursor({ element: box, x: 2, y: 0 });
    await stage.whenPainted();
    expect(at(terminal)).toEqual([8, 2]);
    stage.setCursor({ screen: { x: 7, y: 7 } });
    await stage.whenPainted();
    expect(at(terminal)).toEqual([7, 7]);
  });
});

describe('painting', () => {
  test('waits for a slow terminal and then shows the newest state only', async () => {
    const { terminal, stage } = await open(40, 8, { frameMs: 0 });
    const box = stage.styledBox({ width: 20, height: 1 });
    await stage.whenPainted();
    terminal.hold();
    box.setLines([[{ text: 'first' }]]);
    const first = new Promise<number>((resolve) => stage.onPainted(resolve));
    await expect.poll(() => terminal.lines()[0]).toBe('first');
    const { length } = terminal.frames;
    for (let i = 0; i < 100; i++) box.setLines([[{ text: `state ${i}` }]]);
    const painted = stage.whenPainted();
    let done = false;
    void painted.then(() => {
      done = true;
    });
    // Without pacing a painter that did not wait would have painted by now.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect([done, terminal.frames.length]).toEqual([false, length]);
    terminal.release();
    expect(await painted).toBe(true);
    await first;
    expect(terminal.frames.length).toBe(length + 1);
    expect(terminal.lines()[0]).toBe('state 99');
  });

  test('a resize paints everything anew and tells who listens', async () => {
    const { terminal, stage } = await open(40, 8);
    const box = stage.styledBox({ width: '100%', height: '100%', border: {} });
    await stage.whenPainted();
    const sizes: object[] = [];
    stage.onResize((size) => sizes.push(size));
    terminal.resize(20, 4);
    await stage.whenPainted();
    expect(sizes).toEqual([{ cols: 20, rows: 4 }]);
    expect(box.inner).toEqual({ cols: 18, rows: 2 });
    expect(terminal.lines()).toEqual([
      `┌${'─'.repeat(18)}┐`,
      ...Array(2).fill(`│${' '.repeat(18)}│`),
      `└${'─'.repeat(18)}┘`,
    ]);
  });

  test('after a stop everything is painted again, also what was lost on the way', async () => {
    const { terminal, stage } = await open(20, 2);
    const box = stage.styledBox({ width: 20, height: 1 });
    await stage.whenPainted();
    terminal.hold();
    box.setLines([[{ text: 'text' }]]);
    await expect.poll(() => terminal.lines()[0]).toBe('text');
    const painted = stage.whenPainted();
    stage.suspend();
    expect(terminal.suspended).toBe(1);
    terminal.emulator.write('\x1b[2Jgarbage');
    terminal.resume();
    terminal.release();
    expect(await painted).toBe(true);
    expect(terminal.lines()).toEqual(['text', '']);
  });

  test('title and bell go out with their text made harmless', async () => {
    const { terminal, stage } = await open();
    const titles: string[] = [];
    let bells = 0;
    terminal.emulator.onTitleChange((title) => titles.push(title));
    terminal.emulator.onBell(() => bells++);
    stage.title('one\x07two\x1b]2;three');
    stage.bell();
    await stage.whenPainted();
    expect([titles, bells]).toEqual([['onetwo]2;three'], 1]);
  });

  test('whoever waits when the stage ends is told so', async () => {
    const { stage } = await open();
    stage.invalidateChrome();
    const painted = stage.whenPainted();
    stage.dispose();
    expect(await painted).toBe(false);
  });

  test('more joined characters than the tables hold start them anew', async () => {
    const { terminal, stage } = await open(20, 1);
    stage.paneArea('shell:1', { width: 20, height: 1 });
    const source = sourceOf('');
    stage.setPaneSource('shell:1', source);
    for (let i = 0; i < 51_000; i += 20) {
      const joined: Record<number, string> = {};
      for (let x = 0; x < 20; x++) {
        joined[x] =
          `e${String.fromCodePoint(0x300 + ((i + x) % 100), 0x300 + ((((i + x) / 100) % 100) | 0), 0x300 + (((i + x) / 10_000) | 0))}`;
        source.rows[0]!.words[x * 3] = 0x600000;
      }
      source.rows[0] = { words: source.rows[0]!.words, joined, wrapped: false };
      stage.invalidateRows('shell:1', 0, 0);
      if (i % 2000 === 0) await stage.whenPainted();
    }
    await stage.whenPainted();
    expect(terminal.lines()[0]!.normalize('NFD').replace(/[^e]/g, '')).toBe('e'.repeat(20));
  });
});

describe('input', () => {
  test('tokens come whole and in order', async () => {
    const { terminal, stage } = await open();
    const tokens: Token[] = [];
    stage.onToken((token) => tokens.push(token));
    terminal.type('a\x1b[');
    terminal.type('A\x02');
    expect(tokens.map((token) => token.type)).toEqual(['text', 'key', 'key']);
  });

  test("blessed's widgets get what is fed to them, once each, and emoji whole", async () => {
    const { terminal, stage } = await open();
    const blessed = createRequire(import.meta.url)('blessed') as typeof blessedTypes;
    const box = blessed.box({ parent: stage.screen, left: 4, width: 10, height: 3, keyable: true });
    box.focus();
    const keys: string[] = [];
    box.on('keypress', (character, key) => keys.push(`${character ?? ''}|${key.full}`));
    box.on('click', ({ x, y }) => keys.push(`click ${x},${y}`));
    stage.onToken((token) => stage.feedWidget(token));
    stage.invalidateChrome();
    await stage.whenPainted();
    terminal.type('aB\u{1f469}\u200d\u{1f680}\r\x1b[A\x02\x1bx\x1b[3~\x1b[<0;6;2M\x1b[<0;6;2m');
    expect(keys).toEqual([
      'a|a',
      'B|S-b',
      '\u{1f469}\u200d\u{1f680}|\u{1f469}\u200d\u{1f680}',
      '|enter',
      '|up',
      '|C-b',
      '|M-x',
      '|delete',
      'click 5,1',
    ]);
  });
});

test('a colour that is none is refused', async () => {
  const { stage } = await open();
  const box = stage.styledBox({ width: 5, height: 1, style: { fg: 8 } });
  expect(() => box.setStyle({ fg: 256 })).toThrow('256 is not a colour; palette indexes are 0 to 255.');
  expect(() => box.setLines([[{ text: '', bg: '#12' }]])).toThrow('"#12" is not a colour');
});

test('without a terminal the stage is not opened', () => {
  expect(() => ttyTerminal()).toThrow('is not a terminal');
});

test('blessed neither listens to the process nor keeps anything of a stage that ended', async () => {
  const events = ['exit', 'SIGTERM', 'SIGINT', 'SIGQUIT', 'uncaughtException'] as const;
  const before = events.map((event) => process.listenerCount(event));
  const { stage } = await open();
  expect(events.map((event) => process.listenerCount(event))).toEqual(before);
  stage.dispose();
  const again = await open();
  expect(again.terminal.lines().join('')).toBe('');
});
