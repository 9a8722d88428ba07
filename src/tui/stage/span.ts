/**
 * Text of the chrome with its colours, and how it becomes packed cells: controls become visible
 * characters, and no wide or joined character is ever torn. Knows nothing of widgets.
 */

import { bgFlag, blankWords, colour, content, fgFlag, type Row, wordsPerCell } from '../../cells/row.ts';
import { clusters } from '../../cells/widths.ts';

/** A palette index (0 to 15 follow the terminal's theme, 16 to 255 are fixed), '#rrggbb', or the terminal's own. */
export type Colour = number | `#${string}` | 'default';

export interface Style {
  readonly fg?: Colour;
  readonly bg?: Colour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly strikethrough?: boolean;
}

/** A run of text in one style. Control characters in `text` are drawn as U+FFFD: escape them before. */
export interface Span extends Style {
  readonly text: string;
}

/** The colour words of a style, over the words it does not speak of. */
export function styleWords(
  style: Style,
  under: readonly [fg: number, bg: number] = [0, 0],
): [number, number] {
  let fg = style.fg === undefined ? under[0] : ((under[0] & ~colour.mask) | colourWord(style.fg)) >>> 0;
  let bg = style.bg === undefined ? under[1] : ((under[1] & ~colour.mask) | colourWord(style.bg)) >>> 0;
  fg = flagged(fg, fgFlag.bold, style.bold);
  fg = flagged(fg, fgFlag.underline, style.underline);
  fg = flagged(fg, fgFlag.inverse, style.inverse);
  fg = flagged(fg, fgFlag.strikethrough, style.strikethrough);
  bg = flagged(bg, bgFlag.dim, style.dim);
  bg = flagged(bg, bgFlag.italic, style.italic);
  return [fg, bg];
}

function flagged(word: number, flag: number, on: boolean | undefined): number {
  if (on === undefined) return word;
  return (on ? word | flag : word & ~flag) >>> 0;
}

function colourWord(value: Colour): number {
  if (value === 'default') return 0;
  if (typeof value === 'string') {
    if (!/^#[0-9a-f]{6}$/i.test(value)) throw new Error(`"${value}" is not a colour; write '#rrggbb'.`);
    return colour.rgb | Number.parseInt(value.slice(1), 16);
  }
  if (!Number.isInteger(value) || value < 0 || value > 255) {
    throw new Error(`${value} is not a colour; palette indexes are 0 to 255.`);
  }
  return (value < 16 ? colour.palette16 : colour.palette256) | value;
}

/** A row of `cols` cells that is written into from the left; what does not fit is left out whole. */
export class CellRow implements Row {
  readonly words: Uint32Array;
  readonly joined: Record<number, string> = {};
  readonly wrapped = false;
  readonly #cols: number;

  constructor(cols: number, fg: number, bg: number) {
    this.#cols = cols;
    this.words = blankWords(cols);
    for (let w = 0; w < this.words.length; w += wordsPerCell) {
      this.words[w + 1] = fg;
      this.words[w + 2] = bg;
    }
  }

  /**
   * Writes spans from column `x` on (negative: their start is off the left edge), not past column `end`.
   * Returns the column behind the last character, as if nothing had been clipped.
   */
  write(spans: readonly Span[], x: number, end: number, under: readonly [fg: number, bg: number]): number {
    for (const span of spans) {
      const [fg, bg] = styleWords(span, under);
      for (const { text, width } of clusters(span.text)) {
        const columns = width || 1;
        this.#put(x, Math.min(end, this.#cols), width === 0 ? '\ufffd' : text, columns, fg, bg);
        x += columns;
      }
    }
    return x;
  }

  #put(x: number, end: number, text: string, width: number, fg: number, bg: number): void {
    for (let column = Math.max(0, x); column < Math.min(x + width, end); column++) {
      const w = column * wordsPerCell;
      this.words[w] = content.blank;
      this.words[w + 1] = fg;
      this.words[w + 2] = bg;
    }
    // A wide character cut by an edge leaves a space in its colours.
    if (x < 0 || x + width > end) return;
    const w = x * wordsPerCell;
    const code = text.codePointAt(0)!;
    const single = text.length === (code > 0xffff ? 2 : 1);
    if (!single) this.joined[x] = text;
    this.words[w] = ((width << content.widthShift) | (single ? code : content.joined)) >>> 0;
    if (width === 2) this.words[w + wordsPerCell] = 0;
  }
}
