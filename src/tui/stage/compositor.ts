/**
 * Puts chrome and panes together into one canvas, row by row, and asks for the difference to what the
 * terminal shows. Knows where cells come from; nothing of blessed's elements nor of how bytes get out.
 */

import { bgFlag, content, fgFlag, type Row, wordsPerCell } from '../../cells/row.ts';
import { Canvas, CellTables } from './canvas.ts';
import { Differ, type ShownCursor } from './diff.ts';
import { bgMask } from './sgr.ts';

/** Something with rows of packed cells, standing somewhere on the screen. */
export interface Layer {
  /** Screen cell of the layer's top left; may be off the screen. */
  readonly x: number;
  readonly y: number;
  /** The row `y` from the layer's top; undefined is blank. */
  row(y: number): Row | undefined;
  /** The column of its rows that stands at `x`. */
  readonly firstColumn: number;
  /** Keeps the layer's links apart from others'. */
  readonly scope: string;
}

/** Cells `x0` up to and not including `x1` of a screen row show `layers[layer]`. */
export interface LayerRun {
  readonly x0: number;
  readonly x1: number;
  readonly layer: number;
}

/** What stands where: cells of plain chrome, and over them which runs belong to which layer. */
export interface Plane {
  readonly chrome: Canvas;
  readonly runs: readonly (readonly LayerRun[])[];
  readonly layers: readonly Layer[];
}

export class Compositor {
  readonly tables = new CellTables();
  readonly #differ = new Differ(this.tables);
  #next: Canvas;
  #plane: Plane;
  #dirty: Uint8Array;

  constructor(cols: number, rows: number) {
    this.#next = new Canvas(cols, rows);
    this.#plane = emptyPlane(cols, rows);
    this.#dirty = new Uint8Array(rows).fill(1);
  }

  /** A new size, or the same one when the terminal may show anything: all is painted again. */
  reset(cols: number, rows: number): void {
    this.#next = new Canvas(cols, rows);
    this.#plane = emptyPlane(cols, rows);
    this.repaint();
  }

  repaint(): void {
    this.#differ.forget();
    this.#dirty = new Uint8Array(this.#next.rows).fill(1);
  }

  /** The plane must have the compositor's size. */
  setPlane(plane: Plane): void {
    this.#plane = plane;
    this.#dirty.fill(1);
  }

  /**
   * Whether the tables of joined characters and links have grown enough to start anew. If so, cells of
   * the plane name nothing any more: the caller sets a new one before the next frame.
   */
  forgetIfCrowded(): boolean {
    if (!this.tables.full) return false;
    this.tables.clear();
    this.repaint();
    return true;
  }

  /** Screen rows `y0` to `y1`, inclusive, must be composed again. */
  invalidate(y0: number, y1: number): void {
    this.#dirty.fill(1, Math.max(0, y0), Math.max(0, y1 + 1));
  }

  /** The number of the layer that the screen cell shows; undefined for plain chrome and off the screen. */
  layerAt(x: number, y: number): number | undefined {
    return this.#plane.runs[y]?.find((run) => x >= run.x0 && x < run.x1)?.layer;
  }

  /** The bytes that bring the terminal from the last frame to this one; undefined when it shows it already. */
  frame(cursor: ShownCursor | undefined): Uint8Array | undefined {
    for (let y = 0; y < this.#next.rows; y++) if (this.#dirty[y]) this.#composeRow(y);
    const bytes = this.#differ.diff(this.#next, this.#dirty, cursor);
    this.#dirty.fill(0);
    return bytes;
  }

  #composeRow(y: number): void {
    const { words, extras, cols } = this.#next;
    const { chrome, runs, layers } = this.#plane;
    const start = y * cols;
    words.set(
      chrome.words.subarray(start * wordsPerCell, (start + cols) * wordsPerCell),
      start * wordsPerCell,
    );
    extras.fill(0, start, start + cols);
    for (const { x0, x1, layer: index } of runs[y] ?? []) {
      const layer = layers[index];
      const row = layer?.row(y - layer.y);
      if (layer && row)
        this.#copyCells(row, x0 - layer.x + layer.firstColumn, x1 - x0, start + x0, layer.scope);
      else blank(words, start + x0, start + x1);
    }
  }

  /** `count` cells of a row from column `from` on to the canvas cell `to`, each made clean. */
  #copyCells(row: Row, from: number, count: number, to: number, scope: string): void {
    const { words, extras } = this.#next;
    const source = row.words;
    for (let i = 0; i < count; i++) {
      const s = (from + i) * wordsPerCell;
      const t = (to + i) * wordsPerCell;
      const word = source[s];
      if (from + i < 0 || word === undefined) {
        blank(words, to + i, to + i + 1);
        continue;
      }
      const fg = source[s + 1]!;
      const bg = source[s + 2]!;
      const width = word >>> content.widthShift;
      words[t + 1] = fg;
      words[t + 2] = (bg & bgMask) >>> 0;
      if (bg & bgFlag.extended) {
        const extended = row.extended?.[from + i];
        if (extended) extras[to + i] = this.tables.extraId(extended, (fg & fgFlag.underline) !== 0, scope);
      }
      words[t] = this.#clean(word, row, from + i);
      if (width !== 2) continue;
      // Both halves must be inside, or neither is drawn; one attribute for both keeps them comparable.
      const inside = i + 1 < count && source[s + wordsPerCell] !== undefined;
      if (!inside || source[s + wordsPerCell]! >>> content.widthShift !== 0) {
        words[t] = content.blank;
        continue;
      }
      i++;
      words[t + 3] = 0;
      words[t + 4] = words[t + 1]!;
      words[t + 5] = words[t + 2]!;
      extras[to + i] = extras[to + i - 1]!;
    }
  }

  /** A content word that draws exactly its width and moves nothing else. */
  #clean(word: number, row: Row, column: number): number {
    const width = word >>> content.widthShift;
    // A right half without its left one, or an emulator's empty cell.
    if (width === 0) return content.blank;
    if (word & content.joined) {
      const id = this.tables.joinedId(row.joined?.[column] ?? ' ');
      return ((width << content.widthShift) | content.joined | id) >>> 0;
    }
    const code = word & content.codePoint;
    if (code >= 0x20 && code < 0x7f) return word;
    const hidden = code < 0x20 || code < 0xa0 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff;
    return hidden ? ((width << content.widthShift) | 0x20) >>> 0 : word;
  }
}

function blank(words: Uint32Array, from: number, to: number): void {
  for (let t = from * wordsPerCell; t < to * wordsPerCell; t += wordsPerCell) {
    words[t] = content.blank;
    words[t + 1] = 0;
    words[t + 2] = 0;
  }
}

function emptyPlane(cols: number, rows: number): Plane {
  return { chrome: new Canvas(cols, rows), runs: [], layers: [] };
}
