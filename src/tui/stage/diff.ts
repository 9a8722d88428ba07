/**
 * From what the terminal shows to a new canvas in the fewest bytes that every terminal understands alike.
 * Knows cells, cursor and bytes; not where a cell came from.
 */

import { content, wordsPerCell } from '../../cells/row.ts';
import { ByteWriter } from './byte-writer.ts';
import { Canvas, type CellTables } from './canvas.ts';
import { Pen } from './sgr.ts';

/** The terminal's own cursor; DECSCUSR's number, 0 for what the terminal has by itself. */
export interface ShownCursor {
  readonly x: number;
  readonly y: number;
  readonly shape: number;
}

/** Rewriting up to this many unchanged cells is shorter than moving over them. */
const longestBridge = 4;
/** From this many blank cells on, erasing is shorter than writing. */
const shortestErase = 9;

export class Differ {
  readonly #tables: CellTables;
  readonly #out = new ByteWriter();
  readonly #pen: Pen;
  #shown = new Canvas(0, 0);
  #forgotten = true;
  /** Where the terminal's cursor is; -1 where we do not rely on it. */
  #x = -1;
  #y = -1;
  #visible: boolean | undefined;
  #shape: number | undefined;

  constructor(tables: CellTables) {
    this.#tables = tables;
    this.#pen = new Pen(this.#out, tables);
  }

  /** The terminal may show anything: the next frame starts by erasing it. */
  forget(): void {
    this.#forgotten = true;
  }

  /** Only rows marked in `dirty` are looked at. Undefined: the terminal shows it already. */
  diff(next: Canvas, dirty: Uint8Array, cursor: ShownCursor | undefined): Uint8Array | undefined {
    const out = this.#out;
    out.clear();
    // A terminal that knows mode 2026 shows the frame at once, however slowly it arrives.
    out.ascii('\x1b[?2026h');
    const start = out.length;
    if (this.#forgotten) this.#erase(next);
    for (let y = 0; y < next.rows; y++) if (dirty[y]) this.#diffRow(next, y);
    const drew = out.length > start;
    this.#showCursor(cursor, drew);
    if (out.length === start) return undefined;
    out.ascii('\x1b[?2026l');
    return out.take();
  }

  #erase(next: Canvas): void {
    this.#forgotten = false;
    this.#shown = new Canvas(next.cols, next.rows);
    this.#visible = this.#shape = undefined;
    this.#hideCursor();
    this.#pen.reset();
    this.#out.ascii('\x1b[2J\x1b[H');
    this.#x = this.#y = 0;
  }

  #diffRow(next: Canvas, y: number): void {
    const { cols, words } = next;
    const start = y * cols;
    const blankFrom = this.#blankFrom(next, start);
    let tainted = 0;
    for (let x = 0; x < cols; ) {
      const width = words[(start + x) * wordsPerCell]! >>> content.widthShift === 2 ? 2 : 1;
      if (x >= tainted && this.#same(next, start + x, width)) {
        x += width;
        continue;
      }
      if (this.#visible !== false) this.#hideCursor();
      this.#bridge(next, y, x);
      this.#move(x, y);
      if (x >= blankFrom && cols - x > 3) {
        this.#pen.set(0, 0, 0);
        this.#out.ascii('\x1b[K');
        break;
      }
      const blanks = this.#blankRun(next, start + x, cols - x);
      if (blanks >= shortestErase) {
        this.#pen.set(0, 0, 0);
        this.#out.ascii('\x1b[');
        this.#out.number(blanks);
        this.#out.ascii('X');
        x += blanks;
        continue;
      }
      tainted = Math.max(tainted, x + this.#put(next, start + x));
      x += width;
      // Past the last column terminals differ on where the cursor is.
      if (x >= cols) this.#x = -1;
      else if (this.#x >= 0) this.#x = x;
    }
    const from = start * wordsPerCell;
    this.#shown.words.set(words.subarray(from, from + cols * wordsPerCell), from);
    this.#shown.extras.set(next.extras.subarray(start, start + cols), start);
  }

  #same(next: Canvas, cell: number, width: number): boolean {
    const shown = this.#shown;
    for (let i = cell; i < cell + width; i++) {
      const w = i * wordsPerCell;
      if (next.words[w] !== shown.words[w] || next.words[w + 1] !== shown.words[w + 1]) return false;
      if (next.words[w + 2] !== shown.words[w + 2] || next.extras[i] !== shown.extras[i]) return false;
    }
    return true;
  }

  /**
   * Writes one cell; returns how many columns a terminal that does not join its characters would spoil.
   * Both columns of what may come out narrower are erased before.
   */
  #put(next: Canvas, cell: number): number {
    const w = cell * wordsPerCell;
    this.#pen.set(next.words[w + 1]!, next.words[w + 2]!, next.extras[cell]!);
    const word = next.words[w]!;
    const wide = word >>> content.widthShift === 2;
    if (word & content.joined) {
      if (wide) this.#out.ascii('\x1b[2X');
      const text = this.#tables.joined(word & content.codePoint);
      this.#out.text(text);
      this.#x = -1;
      return [...text].length * 2;
    }
    const code = word & content.codePoint;
    // Terminals disagree on the width of emoji and newer characters; CJK is agreed upon.
    const risky = code >= 0x10000 || (wide && code >= 0x2300 && code < 0x2e80);
    if (risky && wide) this.#out.ascii('\x1b[2X');
    this.#out.codePoint(code);
    if (risky) this.#x = -1;
    return risky ? 2 : 0;
  }

  #move(x: number, y: number): void {
    const out = this.#out;
    if (this.#y === y && this.#x >= 0 && x >= this.#x) {
      const right = x - this.#x;
      if (right > 0) {
        out.ascii('\x1b[');
        if (right > 1) out.number(right);
        out.ascii('C');
      }
    } else if (x === 0 && this.#x >= 0 && y === this.#y) {
      out.ascii('\r');
    } else if (x === 0 && this.#x >= 0 && y === this.#y + 1) {
      out.ascii('\r\n');
    } else {
      out.ascii('\x1b[');
      if (x > 0 || y > 0) out.number(y + 1);
      if (x > 0) {
        out.ascii(';');
        out.number(x + 1);
      }
      out.ascii('H');
    }
    this.#x = x;
    this.#y = y;
  }

  /** Repeats a few unchanged cells in the pen's attributes instead of moving over them. */
  #bridge(next: Canvas, y: number, x: number): void {
    const gap = x - this.#x;
    if (this.#y !== y || this.#x < 0 || gap <= 0 || gap > longestBridge) return;
    const start = y * next.cols;
    for (let cell = start + this.#x; cell < start + x; cell++) {
      const w = cell * wordsPerCell;
      const word = next.words[w]!;
      const code = word & content.codePoint;
      if (word >>> content.widthShift !== 1 || word & content.joined || code >= 0x7f) return;
      if (!this.#pen.has(next.words[w + 1]!, next.words[w + 2]!, next.extras[cell]!)) return;
    }
    for (let cell = start + this.#x; cell < start + x; cell++) {
      this.#out.codePoint(next.words[cell * wordsPerCell]! & content.codePoint);
    }
    this.#x = x;
  }

  /** The first column from which on the row is blank in the terminal's own colours. */
  #blankFrom(next: Canvas, start: number): number {
    let x = next.cols;
    while (x > 0 && isBlank(next, start + x - 1)) x--;
    return x;
  }

  #blankRun(next: Canvas, cell: number, most: number): number {
    let count = 0;
    while (count < most && isBlank(next, cell + count)) count++;
    return count;
  }

  #hideCursor(): void {
    this.#out.ascii('\x1b[?25l');
    this.#visible = false;
  }

  #showCursor(cursor: ShownCursor | undefined, drew: boolean): void {
    if (!cursor) {
      if (this.#visible !== false) this.#hideCursor();
      return;
    }
    if (drew || this.#x !== cursor.x || this.#y !== cursor.y) this.#move(cursor.x, cursor.y);
    if (this.#shape !== cursor.shape) {
      this.#out.ascii(`\x1b[${cursor.shape} q`);
      this.#shape = cursor.shape;
    }
    if (this.#visible === true) return;
    this.#out.ascii('\x1b[?25h');
    this.#visible = true;
  }
}

/** A space that erasing makes as well: no attribute that shows on one. */
function isBlank(canvas: Canvas, cell: number): boolean {
  const w = cell * wordsPerCell;
  return (
    canvas.words[w] === content.blank &&
    canvas.words[w + 1] === 0 &&
    canvas.words[w + 2] === 0 &&
    canvas.extras[cell] === 0
  );
}
