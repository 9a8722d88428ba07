/**
 * A row of terminal cells as it travels from a screen to a compositor: three 32-bit words a cell,
 * with the characters and attributes that do not fit beside them. Knows no emulator and no terminal.
 *
 * Word 0, content:    bits 0-20 code point, bit 21 "joined" (the characters stand in `joined`),
 *                     bits 22-23 width (0: right half of a wide cell, 1, 2).
 * Word 1, foreground: bits 0-23 colour value, bits 24-25 colour mode, bits 26-31 flags.
 * Word 2, background: bits 0-23 colour value, bits 24-25 colour mode, bits 26-31 flags.
 *
 * A row is well formed: every cell of width 2 is followed by its right half (width 0, no code point),
 * no other cell has width 0, an empty cell is a space, and no cell holds a control character. Both
 * `screen/`, which makes rows, and `decodeRow`, which takes them from a wire, see to that; a
 * compositor may rely on it. Rows are never changed after they were handed out.
 *
 * The packing is the one xterm.js uses in memory, so that a screen copies instead of converting;
 * it is nevertheless ours: `screen/` is the place to convert should the emulator change.
 */

export const content = {
  codePoint: 0x1fffff,
  joined: 0x200000,
  widthShift: 22,
  /** A space, one column wide. */
  blank: 0x400020,
} as const;

export const colour = {
  modeMask: 0x3000000,
  /** Mode 0: the terminal's default. */
  palette16: 0x1000000,
  palette256: 0x2000000,
  rgb: 0x3000000,
  valueMask: 0xffffff,
  /** Mode and value together: what decides whether two words name one colour. */
  mask: 0x3ffffff,
} as const;

/** Flags of the foreground word. */
export const fgFlag = {
  inverse: 0x4000000,
  bold: 0x8000000,
  underline: 0x10000000,
  blink: 0x20000000,
  hidden: 0x40000000,
  strikethrough: 0x80000000,
} as const;

/** Flags of the background word. */
export const bgFlag = {
  italic: 0x4000000,
  dim: 0x8000000,
  /** The cell has an entry in `extended`. */
  extended: 0x10000000,
  protected: 0x20000000,
  overline: 0x40000000,
} as const;

/** Attributes few cells have. */
export interface ExtendedAttributes {
  /** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed. */
  underlineStyle: number;
  /** A colour word as above (mode and value); 0 follows the foreground. */
  underlineColour: number;
  /** Target of an OSC 8 link. */
  link?: string;
  /** What joins cells to one link; unique within an instance. */
  linkId?: string;
}

export interface Row {
  /** `3 * columns` words. */
  words: Uint32Array;
  /** Characters of joined cells (combining marks, ZWJ sequences), by column. */
  joined?: Record<number, string>;
  extended?: Record<number, ExtendedAttributes>;
  /** The row continues the one above it (soft wrap). */
  wrapped: boolean;
}

/** Words a cell takes. */
export const wordsPerCell = 3;

/** The most UTF-16 units one cell's joined characters can have; a longer cluster is broken up. */
export const maxJoinedUnits = 64;

/** Sizes a screen can have, in columns and rows (inclusive). */
export const screenLimits = { minColumns: 2, maxColumns: 1_000, minRows: 1, maxRows: 1_000 } as const;

/** A row of default-coloured spaces. */
export function blankRow(columns: number): Row {
  return { words: blankWords(columns), wrapped: false };
}

/** The words of `blankRow`. */
export function blankWords(columns: number): Uint32Array {
  const words = new Uint32Array(columns * wordsPerCell);
  for (let o = 0; o < words.length; o += wordsPerCell) words[o] = content.blank;
  return words;
}

/** Whether two rows look the same in every cell, link and wrap. */
export function rowsEqual(a: Row, b: Row): boolean {
  return (
    a.wrapped === b.wrapped &&
    wordsEqual(a.words, b.words) &&
    mapsEqual(a.joined, b.joined, (x, y) => x === y) &&
    mapsEqual(a.extended, b.extended, extendedEqual)
  );
}

export function extendedEqual(a: ExtendedAttributes, b: ExtendedAttributes): boolean {
  return (
    a.underlineStyle === b.underlineStyle &&
    a.underlineColour === b.underlineColour &&
    a.link === b.link &&
    a.linkId === b.linkId
  );
}

function wordsEqual(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function mapsEqual<T>(
  a: Record<number, T> | undefined,
  b: Record<number, T> | undefined,
  equal: (x: T, y: T) => boolean,
): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    const other = b[Number(key)];
    if (other === undefined || !equal(a[Number(key)] as T, other)) return false;
  }
  return true;
}
