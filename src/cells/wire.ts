/**
 * Rows as JSON: encoding for the host, decoding with every bound checked for whoever receives them.
 * Never trusts a received row: what comes out of `decodeRow` is well formed or nothing comes out.
 */
import {
  bgFlag,
  blankWords,
  content,
  type ExtendedAttributes,
  extendedEqual,
  maxJoinedUnits,
  type Row,
  screenLimits,
  wordsPerCell,
} from './row.ts';

/** The longest OSC 8 target a cell can carry, in UTF-16 units (the limit VTE and iTerm2 use). */
export const maxLinkUnits = 2_083;
/** The longest link id, in UTF-16 units. */
export const maxLinkIdUnits = 64;

/** A run of cells with the same extended attributes: column, cells, style, colour, link, link id. */
type WireRun = [number, number, number, number, string?, string?];

/** A row on the wire. */
export interface WireRow {
  /** The words, little-endian, base64, without trailing default blanks. */
  w: string;
  /** Joined characters by column. */
  j?: Array<[number, string]>;
  /** Extended attributes. */
  x?: WireRun[];
  /** 1: the row continues the one above it. */
  c?: 1;
}

/** What was received is not a row or a frame. The message says which part is wrong. */
export class MalformedWireError extends Error {
  override readonly name = 'MalformedWireError';
}

export function encodeRow(row: Row): WireRow {
  const { words } = row;
  let end = words.length;
  while (end > 0 && words[end - 3] === content.blank && words[end - 2] === 0 && words[end - 1] === 0) {
    end -= wordsPerCell;
  }
  const wire: WireRow = { w: Buffer.from(words.buffer, words.byteOffset, end * 4).toString('base64') };
  if (row.joined) wire.j = Object.entries(row.joined).map(([x, chars]) => [Number(x), chars]);
  if (row.extended) wire.x = runsOf(row.extended);
  if (row.wrapped) wire.c = 1;
  return wire;
}

function runsOf(extended: Record<number, ExtendedAttributes>): WireRun[] {
  const runs: WireRun[] = [];
  let last: ExtendedAttributes | undefined;
  for (const [key, e] of Object.entries(extended)) {
    const x = Number(key);
    const run = runs.at(-1);
    if (run && last && run[0] + run[1] === x && extendedEqual(last, e)) run[1]++;
    else if (e.link === undefined) runs.push([x, 1, e.underlineStyle, e.underlineColour]);
    else runs.push([x, 1, e.underlineStyle, e.underlineColour, e.link, e.linkId ?? '']);
    last = e;
  }
  return runs;
}

/**
 * The row a `WireRow` stands for, `columns` wide (1 to `screenLimits.maxColumns`).
 * Throws `MalformedWireError` for anything `encodeRow` could not have made.
 */
export function decodeRow(wire: unknown, columns: number): Row {
  if (!Number.isInteger(columns) || columns < 1 || columns > screenLimits.maxColumns) {
    throw new MalformedWireError(`A row cannot be ${columns} columns wide.`);
  }
  if (!isRecord(wire)) throw new MalformedWireError('A row is not an object.');
  const row: Row = { words: decodeWords(wire.w, columns), wrapped: wire.c === 1 };
  const joined = decodeJoined(wire.j, columns);
  const extended = decodeRuns(wire.x, columns);
  if (joined) row.joined = joined;
  if (extended) row.extended = extended;
  checkCells(row, columns);
  return row;
}

function decodeWords(value: unknown, columns: number): Uint32Array {
  // A cell is 12 bytes, so 16 characters, and never needs padding.
  if (typeof value !== 'string' || value.length % 16 !== 0 || value.length / 16 > columns) {
    throw new MalformedWireError(`The cells of a row do not fit ${columns} columns.`);
  }
  if (!/^[A-Za-z0-9+/]*$/.test(value)) throw new MalformedWireError('The cells of a row are not base64.');
  const words = blankWords(columns);
  new Uint8Array(words.buffer).set(Buffer.from(value, 'base64'));
  return words;
}

function decodeJoined(value: unknown, columns: number): Record<number, string> | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0 || value.length > columns) {
    throw new MalformedWireError('The joined characters of a row are not a list of at most a row.');
  }
  const joined: Record<number, string> = {};
  for (const entry of value) {
    const [x, chars] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (!isColumn(x, columns) || !isPrintable(chars, maxJoinedUnits) || chars === '') {
      throw new MalformedWireError('A joined character of a row is malformed.');
    }
    joined[x] = chars;
  }
  return joined;
}

function decodeRuns(value: unknown, columns: number): Record<number, ExtendedAttributes> | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0 || value.length > columns) {
    throw new MalformedWireError('The extended attributes of a row are not a list of at most a row.');
  }
  const extended: Record<number, ExtendedAttributes> = {};
  for (const run of value) {
    const [x, count, style, colour, link, linkId] = Array.isArray(run) ? (run as unknown[]) : [];
    if (!isColumn(x, columns) || !isInteger(count, 1, columns - x)) {
      throw new MalformedWireError('A run of extended attributes leaves its row.');
    }
    if (!isInteger(style, 0, 5) || !isInteger(colour, 0, 0x3ffffff)) {
      throw new MalformedWireError('An underline of a row is malformed.');
    }
    const attributes: ExtendedAttributes = { underlineStyle: style, underlineColour: colour };
    if (link !== undefined) {
      if (!isPrintable(link, maxLinkUnits) || !isPrintable(linkId, maxLinkIdUnits)) {
        throw new MalformedWireError('A link of a row is malformed.');
      }
      attributes.link = link;
      attributes.linkId = linkId;
    }
    // One object for the run: rows are never changed.
    for (let i = x; i < x + count; i++) extended[i] = attributes;
  }
  return extended;
}

/** Holds a row to what `row.ts` promises; a compositor prints these words to a real terminal. */
function checkCells(row: Row, columns: number): void {
  const { words } = row;
  let joined = 0;
  let extended = 0;
  let half = false;
  for (let x = 0; x < columns; x++) {
    const word = words[x * wordsPerCell] as number;
    const codePoint = word & content.codePoint;
    const width = word >>> content.widthShift;
    if (half !== (width === 0) || (half && word !== 0) || width > 2) {
      throw new MalformedWireError(`The cell in column ${x} has a wrong width.`);
    }
    half = width === 2;
    if (word & content.joined) {
      joined++;
      if (row.joined?.[x] === undefined || codePoint !== 0) {
        throw new MalformedWireError(`The cell in column ${x} lacks its characters.`);
      }
    } else if (width > 0 && !isPrintableCodePoint(codePoint)) {
      throw new MalformedWireError(`The cell in column ${x} holds no printable character.`);
    }
    if ((words[x * wordsPerCell + 2] as number) & bgFlag.extended) {
      extended++;
      if (!row.extended?.[x])
        throw new MalformedWireError(`The cell in column ${x} lacks its extended attributes.`);
    }
  }
  if (half) throw new MalformedWireError('The last cell of a row is half a wide one.');
  if (joined !== Object.keys(row.joined ?? {}).length) {
    throw new MalformedWireError('A row has joined characters that belong to no cell.');
  }
  if (extended !== Object.keys(row.extended ?? {}).length) {
    throw new MalformedWireError('A row has extended attributes that belong to no cell.');
  }
}

/** Not a C0 or C1 control, DEL, surrogate or beyond Unicode, and nothing that reorders what is around it: may stand in a cell. */
export function isPrintableCodePoint(codePoint: number): boolean {
  return (
    codePoint >= 0x20 &&
    (codePoint < 0x7f || codePoint > 0x9f) &&
    (codePoint < 0xd800 || codePoint > 0xdfff) &&
    codePoint <= 0x10ffff &&
    (codePoint < 0x61c || codePoint > 0x2069 || !reordering.test(String.fromCodePoint(codePoint)))
  );
}

/** A string of at most `max` UTF-16 units of such characters. */
export function isPrintable(value: unknown, max: number): value is string {
  return (
    typeof value === 'string' &&
    value.length <= max &&
    !/[\p{Cc}\p{Cs}]/u.test(value) &&
    !reordering.test(value)
  );
}

/** Marks of direction and ends of lines: a terminal that heeds them would reorder its whole row, beyond the pane. */
const reordering = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** The text without what reorders what is around it. */
export function withoutReordering(text: string): string {
  return reordering.test(text) ? text.replace(new RegExp(reordering, 'g'), '') : text;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isColumn(value: unknown, columns: number): value is number {
  return isInteger(value, 0, columns - 1);
}
