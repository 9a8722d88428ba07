/**
 * What the compositor is held against: a terminal whose cells can be read back, programs' screens as a view
 * has them, and the answer to which cell must stand where.
 */
import { expect } from 'vitest';
import { encodeFrame } from '../../../src/cells/frame.ts';
import { Grid } from '../../../src/cells/grid.ts';
import { bgFlag, colour, content, fgFlag, type Row, wordsPerCell } from '../../../src/cells/row.ts';
import { Screen } from '../../../src/screen/index.ts';
import type { PaneArea, StyledBox, Terminal } from '../../../src/tui/stage/index.ts';
import { OuterInput } from '../../../src/tui/stage/outer-input.ts';

/** An operator's terminal whose cells can be read back with all their attributes. */
export class CellTerminal implements Terminal {
  readonly screen: Screen;
  readonly input = new OuterInput();
  #resized = () => {};

  constructor(cols: number, rows: number) {
    this.screen = new Screen({ cols, rows, scrollback: 0 });
    // What the real one gets when it is entered.
    feed(this.screen, '\x1b[?1049h\x1b[?7l');
  }

  get size() {
    return { cols: this.screen.cols, rows: this.screen.rows };
  }

  write(bytes: Uint8Array, taken: () => void): void {
    feed(this.screen, bytes);
    setImmediate(taken);
  }

  resize(cols: number, rows: number): void {
    this.screen.resize(cols, rows);
    this.#resized();
  }

  rows(): Row[] {
    return this.screen.frame(0).changed.map(([, row]) => row);
  }

  onResize(listener: () => void): void {
    this.#resized = listener;
  }

  enter(): void {}
  leave(): void {}
  onInput(): void {}
  onResume(): void {}
  suspend(): void {}
  dispose(): void {}
}

export function feed(screen: Screen, bytes: string | Uint8Array): void {
  screen.write(Buffer.from(bytes));
  while (screen.parse(1000)) {
    // Until all is parsed.
  }
}

/** A program's screen as a view has it, kept up to date the way the product does. */
export class Pane {
  readonly screen: Screen;
  readonly grid = new Grid();
  offset = { x: 0, y: 0 };

  constructor(cols: number, rows: number) {
    this.screen = new Screen({ cols, rows, scrollback: 0 });
    this.update();
  }

  /** The rows that changed. */
  update(): number[] {
    const changed = this.grid.applyFrame(encodeFrame(this.screen.frame(this.grid.generation)));
    if (changed === 'gap') throw new Error('a frame was lost');
    return changed;
  }
}

export interface Rect {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** An element in the order of stacking, and what its cells must be. */
export interface Placed extends Rect {
  element: PaneArea | StyledBox;
  hidden: boolean;
  scope: string;
  row(y: number): Row | undefined;
  firstColumn(): number;
}

interface Cell {
  text: string;
  width: number;
  fg: number;
  bg: number;
  underline: number;
  underlineColour: number;
  link: string;
  linkId: string;
}

const blankCell: Cell = {
  text: ' ',
  width: 1,
  fg: 0,
  bg: 0,
  underline: 0,
  underlineColour: 0,
  link: '',
  linkId: '',
};

function cellAt(row: Row | undefined, x: number): Cell {
  const word = row?.words[x * wordsPerCell];
  if (!row || word === undefined || x < 0) return blankCell;
  const fg = plainColour(row.words[x * wordsPerCell + 1]!);
  const bg = plainColour(row.words[x * wordsPerCell + 2]!);
  const extended = row.extended?.[x];
  const code = word & content.codePoint;
  const width = word >>> content.widthShift;
  const text = word & content.joined ? (row.joined?.[x] ?? ' ') : code ? String.fromCodePoint(code) : '';
  return {
    text: text || (width === 0 ? '' : ' '),
    width,
    fg,
    bg: (bg & ~(bgFlag.extended | bgFlag.protected)) >>> 0,
    underline: fg & fgFlag.underline ? extended?.underlineStyle || 1 : 0,
    // Without an underline its colour means nothing, and emulators keep it or not.
    underlineColour: fg & fgFlag.underline ? plainColour(extended?.underlineColour ?? 0) : 0,
    link: extended?.link ?? '',
    linkId: extended?.link ? (extended.linkId ?? '') : '',
  };
}

/** The emulator leaves bits of an earlier colour above a palette index. */
function plainColour(word: number): number {
  const mode = word & colour.modeMask;
  const value = mode === colour.rgb ? word & colour.valueMask : mode === 0 ? 0 : word & 0xff;
  return ((word & ~colour.valueMask) | value) >>> 0;
}

/** What must stand at a cell of the terminal, found out by asking who is on top there. */
function expectedCell(placed: readonly Placed[], x: number, y: number): Cell & { scope: string } {
  const owner = topAt(placed, x, y);
  if (!owner) return { ...blankCell, scope: '' };
  const column = x - owner.left + owner.firstColumn();
  const row = owner.row(y - owner.top);
  const cell = cellAt(row, column);
  // Half of a wide character whose other half is not visible here is a space in its colours.
  const torn =
    (cell.width === 2 && topAt(placed, x + 1, y) !== owner) ||
    (cell.width === 0 && topAt(placed, x - 1, y) !== owner);
  return { ...cell, ...(torn ? { text: ' ', width: 1 } : {}), scope: owner.scope };
}

let screenSize = { cols: 0, rows: 0 };

function topAt(placed: readonly Placed[], x: number, y: number): Placed | undefined {
  if (x < 0 || y < 0 || x >= screenSize.cols || y >= screenSize.rows) return undefined;
  return placed.findLast(
    (p) => !p.hidden && x >= p.left && x < p.left + p.width && y >= p.top && y < p.top + p.height,
  );
}

function sameCell(a: Omit<Cell, 'linkId'>, b: Omit<Cell, 'linkId'>): boolean {
  return (
    a.text === b.text &&
    a.width === b.width &&
    a.fg === b.fg &&
    a.bg === b.bg &&
    a.underline === b.underline &&
    a.underlineColour === b.underlineColour &&
    a.link === b.link
  );
}

export function compare(terminal: CellTerminal, placed: readonly Placed[]): void {
  screenSize = terminal.size;
  const links = new Map<string, string>();
  const rows = terminal.rows();
  for (let y = 0; y < screenSize.rows; y++) {
    for (let x = 0; x < screenSize.cols; x++) {
      const { linkId: wantedId, scope, ...wanted } = expectedCell(placed, x, y);
      const { linkId, ...shown } = cellAt(rows[y], x);
      if (!sameCell(shown, wanted)) expect({ x, y, ...shown }).toEqual({ x, y, ...wanted });
      if (!wanted.link) continue;
      // Cells of one link stay together, and those of two panes apart.
      const key = `${scope} ${wantedId} ${wanted.link}`;
      const known = links.get(key) ?? linkId;
      expect(linkId).toBe(known);
      links.set(key, known);
    }
  }
  expect(new Set(links.values()).size).toBe(links.size);
}
