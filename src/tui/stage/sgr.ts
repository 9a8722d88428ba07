/**
 * The pen of the operator's terminal: from the attributes it has to those the next cell wants, in the
 * fewest bytes. Knows colours, attributes and links; no positions.
 */

import { bgFlag, colour, fgFlag } from '../../cells/row.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { CellTables, Extra } from './canvas.ts';

const fgFlags: readonly (readonly [flag: number, sgr: string])[] = [
  [fgFlag.bold, '1'],
  [fgFlag.blink, '5'],
  [fgFlag.inverse, '7'],
  [fgFlag.hidden, '8'],
  [fgFlag.strikethrough, '9'],
];
const bgFlags: readonly (readonly [flag: number, sgr: string])[] = [
  [bgFlag.dim, '2'],
  [bgFlag.italic, '3'],
  [bgFlag.overline, '53'],
];
const allFgFlags = 0xfc000000 >>> 0;
/** The background word without the bits that only say where else to look. */
export const bgMask = (colour.mask | bgFlag.dim | bgFlag.italic | bgFlag.overline) >>> 0;

export class Pen {
  readonly #out: ByteWriter;
  readonly #tables: CellTables;
  #fg = 0;
  #bg = 0;
  #extraId = 0;

  constructor(out: ByteWriter, tables: CellTables) {
    this.#out = out;
    this.#tables = tables;
  }

  /** Says `ESC [ 0 m` and ends any link, whatever the terminal has. */
  reset(): void {
    this.#out.ascii('\x1b[0m\x1b]8;;\x1b\\');
    this.#fg = this.#bg = this.#extraId = 0;
  }

  has(fg: number, bg: number, extraId: number): boolean {
    return fg === this.#fg && bg === this.#bg && extraId === this.#extraId;
  }

  set(fg: number, bg: number, extraId: number): void {
    if (this.has(fg, bg, extraId)) return;
    const extra = this.#tables.extra(extraId);
    const before = this.#tables.extra(this.#extraId);
    this.#link(before, extra);
    this.#attributes(fg, bg, extra, before);
    this.#fg = fg;
    this.#bg = bg;
    this.#extraId = extraId;
  }

  #link(before: Extra, after: Extra): void {
    if (before.link === after.link && before.linkId === after.linkId) return;
    this.#out.ascii(after.link === '' ? '\x1b]8;;' : `\x1b]8;id=${after.linkId};`);
    this.#out.text(after.link);
    this.#out.ascii('\x1b\\');
  }

  #attributes(fg: number, bg: number, extra: Extra, before: Extra): void {
    const underline = underlineOf(fg, extra);
    let oldFg = this.#fg;
    let oldBg = this.#bg;
    let oldUnderline = underlineOf(oldFg, before);
    let oldColour = before.underlineColour;
    const parts: string[] = [];
    const removed =
      (oldFg & allFgFlags & ~fg) !== 0 ||
      (oldBg & bgMask & ~colour.mask & ~bg) !== 0 ||
      (oldUnderline !== underline && oldUnderline !== 0) ||
      (oldColour !== extra.underlineColour && oldColour !== 0);
    if (removed) {
      // One reset is shorter than the several ways to end single attributes, and every terminal knows it.
      parts.push('0');
      oldFg = oldBg = oldUnderline = oldColour = 0;
    }
    for (const [flag, sgr] of fgFlags) if (fg & flag && !(oldFg & flag)) parts.push(sgr);
    for (const [flag, sgr] of bgFlags) if (bg & flag && !(oldBg & flag)) parts.push(sgr);
    if (underline !== oldUnderline) parts.push(underline === 1 ? '4' : `4:${underline}`);
    if (extra.underlineColour !== oldColour) parts.push(underlineColour(extra.underlineColour));
    if ((fg & colour.mask) !== (oldFg & colour.mask)) parts.push(colourSgr(fg, 30));
    if ((bg & colour.mask) !== (oldBg & colour.mask)) parts.push(colourSgr(bg, 40));
    if (parts.length === 0) return;
    this.#out.ascii(`\x1b[${parts.length === 1 && parts[0] === '0' ? '' : parts.join(';')}m`);
  }
}

function underlineOf(fg: number, extra: Extra): number {
  return fg & fgFlag.underline ? extra.underlineStyle || 1 : 0;
}

/** `base` is 30 for the foreground, 40 for the background. */
function colourSgr(word: number, base: number): string {
  const value = word & colour.valueMask;
  switch (word & colour.modeMask) {
    case 0:
      return String(base + 9);
    case colour.palette16:
      return String((value & 0xff) < 8 ? base + (value & 7) : base + 60 + (value & 7));
    case colour.palette256:
      return `${base + 8};5;${value & 0xff}`;
    default:
      return `${base + 8};2;${value >>> 16};${(value >>> 8) & 255};${value & 255}`;
  }
}

function underlineColour(word: number): string {
  const value = word & colour.valueMask;
  const mode = word & colour.modeMask;
  if (mode === 0) return '59';
  if (mode === colour.rgb) return `58:2::${value >>> 16}:${(value >>> 8) & 255}:${value & 255}`;
  return `58:5:${value & 0xff}`;
}
