import headless from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame } from '../../src/cells/frame.ts';
import { Grid } from '../../src/cells/grid.ts';
import { content, type Row, rowsEqual } from '../../src/cells/row.ts';
import { widthTable } from '../../src/cells/widths.ts';
import { withoutReordering } from '../../src/cells/wire.ts';
import { Screen } from '../../src/screen/index.ts';
import { split, terminalBytes } from '../support/terminal-streams.ts';

const seed = 20_261_130;

type Step = { do: 'write'; bytes: Buffer } | { do: 'resize'; cols: number; rows: number } | { do: 'look' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: terminalBytes.map((bytes): Step => ({ do: 'write', bytes })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 12 }))
      .map(([cols, rows]): Step => ({ do: 'resize', cols, rows })),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'look' }) },
);
const steps = fc.array(step, { minLength: 1, maxLength: 24 });

function feed(screen: Screen, bytes: Buffer): void {
  screen.write(bytes);
  while (screen.parse(1_000));
}

/** What a socket does to a frame. */
function update(grid: Grid, screen: Screen): void {
  const wire: unknown = JSON.parse(JSON.stringify(encodeFrame(screen.frame(grid.generation))));
  expect(grid.applyFrame(wire)).not.toBe('gap');
}

function expectSame(grid: Grid, screen: Screen): void {
  const whole = screen.frame(0);
  expect([grid.cols, grid.rows]).toEqual([whole.cols, whole.rows]);
  for (const [y, row] of whole.changed) {
    if (!rowsEqual(grid.row(y), row)) expect(grid.row(y)).toEqual(row);
  }
  expect(grid.cursor).toEqual(whole.cursor);
  expect(grid.modes).toEqual(whole.modes);
  expect(grid.title).toBe(whole.title);
}

describe('frames', () => {
  it('bring any view, however rarely it asks, to the screen that a replay from the start gives', () => {
    fc.assert(
      fc.property(steps, fc.array(fc.nat(), { maxLength: 8 }), (script, cuts) => {
        const screen = new Screen({ cols: 20, rows: 6, scrollback: 20 });
        const eager = new Grid();
        const lazy = new Grid();
        script.forEach((current, index) => {
          if (current.do === 'write') for (const chunk of split(current.bytes, cuts)) feed(screen, chunk);
          else if (current.do === 'resize') screen.resize(current.cols, current.rows);
          else update(lazy, screen);
          update(eager, screen);
          // Independent of what was reported as changed: a screen that is looked at only once.
          const replay = new Screen({ cols: 20, rows: 6, scrollback: 20 });
          for (const earlier of script.slice(0, index + 1)) {
            if (earlier.do === 'write') feed(replay, earlier.bytes);
            else if (earlier.do === 'resize') replay.resize(earlier.cols, earlier.rows);
          }
          expectSame(eager, replay);
          replay.dispose();
        });
        update(lazy, screen);
        expectSame(lazy, screen);
        screen.dispose();
      }),
      { seed, numRuns: 70 },
    );
  });

  it('show the cells that the emulator itself gives', () => {
    fc.assert(
      fc.property(fc.array(terminalBytes, { minLength: 1, maxLength: 12 }), (writes) => {
        const screen = new Screen({ cols: 24, rows: 8, scrollback: 20 });
        const terminal = new headless.Terminal({
          cols: 24,
          rows: 8,
          scrollback: 20,
          allowProposedApi: true,
          logLevel: 'off',
          windowOptions: { pushTitle: true, popTitle: true },
        });
        terminal.unicode.register(widthTable);
        terminal.unicode.activeVersion = widthTable.version;
        const grid = new Grid();
        for (const bytes of writes) {
          feed(screen, bytes);
          (terminal as unknown as { _core: { writeSync(bytes: Buffer): void } })._core.writeSync(bytes);
          update(grid, screen);
          for (let y = 0; y < 8; y++) expect(ours(grid.row(y), 24)).toEqual(theirs(terminal, y));
        }
        screen.dispose();
        terminal.dispose();
      }),
      { seed, numRuns: 80 },
    );
  });

  it('do not depend on where the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(terminalBytes, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 60 }),
        (writes, cuts) => {
          const bytes = Buffer.concat(writes);
          const whole = new Screen({ cols: 20, rows: 6 });
          const pieces = new Screen({ cols: 20, rows: 6 });
          feed(whole, bytes);
          for (const chunk of split(bytes, cuts)) feed(pieces, chunk);
          const grid = new Grid();
          update(grid, pieces);
          expectSame(grid, whole);
          expect(pieces.historyLength).toBe(whole.historyLength);
        },
      ),
      { seed, numRuns: 150 },
    );
  });
});

function ours(row: Row, cols: number): string[] {
  const cells: string[] = [];
  for (let x = 0; x < cols; x++) {
    const [word = 0, fg = 0, bg = 0] = row.words.subarray(x * 3, x * 3 + 3);
    const width = word >>> content.widthShift;
    const chars = word & content.joined ? row.joined?.[x] : String.fromCodePoint(word & content.codePoint);
    cells.push(`${width === 0 ? '' : chars}|${width}|${fg}|${bg & ~0x10000000}`);
  }
  return cells;
}

/** The emulator's cells by its public interface; halves of wide characters that it left alone read as blanks. */
function theirs(terminal: headless.Terminal, y: number): string[] {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + y);
  const cells: string[] = [];
  let half: boolean = false;
  for (let x = 0; x < terminal.cols; x++) {
    const cell = line?.getCell(x) as headless.IBufferCell & { fg: number; bg: number };
    const next = line?.getCell(x + 1);
    const attributes = `${cell.fg >>> 0}|${(cell.bg & ~0x10000000) >>> 0}`;
    const width = cell.getWidth();
    const whole: boolean =
      width === 1 || (width === 0 ? half : next?.getWidth() === 0 && next.getChars() === '');
    if (!whole) cells.push(` |1|${attributes}`);
    else cells.push(`${width === 0 ? '' : withoutReordering(cell.getChars()) || ' '}|${width}|${attributes}`);
    half = whole && width === 2;
  }
  return cells;
}
