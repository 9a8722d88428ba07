/**
 * Frames: the rows of a screen that changed since the last frame a view has, with cursor and modes.
 * Encodes and decodes them; never decides when one is sent.
 */
import { type Row, screenLimits } from './row.ts';
import {
  decodeRow,
  encodeRow,
  isInteger,
  isPrintable,
  isRecord,
  MalformedWireError,
  type WireRow,
} from './wire.ts';

const cursorShapes = ['block', 'underline', 'bar'] as const;
const mouseModes = ['none', 'x10', 'normal', 'button', 'any'] as const;
const otherKeys = [0, 1, 2] as const;
const mouseEncodings = ['default', 'utf8', 'sgr', 'urxvt', 'sgr-pixels'] as const;

/** What a program may ask for by the kitty keyboard protocol, as bits. */
export const kittyFlag = { disambiguate: 1, events: 2, alternates: 4, allKeys: 8, text: 16 } as const;
export const allKittyFlags = 31;

export interface Cursor {
  /** Column and row on the screen, from 0. */
  x: number;
  y: number;
  visible: boolean;
  shape: (typeof cursorShapes)[number];
  blink: boolean;
}

/** What the program asked of its terminal, as far as it matters to those who send it input. */
export interface ScreenModes {
  /** DECCKM (?1): cursor keys send SS3 sequences. */
  applicationCursor: boolean;
  /** DECKPAM. */
  applicationKeypad: boolean;
  /** ?2004. */
  bracketedPaste: boolean;
  /** ?1004: the program wants to know about focus. */
  focusEvents: boolean;
  /** ?9, ?1000, ?1002, ?1003. */
  mouse: (typeof mouseModes)[number];
  /** ?1005, ?1006, ?1015 or ?1016. */
  mouseEncoding: (typeof mouseEncodings)[number];
  /** ?47, ?1047, ?1049. */
  alternateScreen: boolean;
  /** Bits of `kittyFlag`; 0 to 31. */
  kittyKeyboard: number;
  /** xterm's resource of that name: 0 off, 1 keys without a form of their own, 2 all keys with modifiers. */
  modifyOtherKeys: (typeof otherKeys)[number];
}

export interface Frame {
  /** The frame holds all that changed after this generation; 0 in a full one. */
  since: number;
  /** The generation the screen had reached; what to pass as `since` next time. */
  generation: number;
  cols: number;
  rows: number;
  /** All rows are in `changed`; the size may differ from the last frame's. */
  full: boolean;
  /** Row number from 0 at the top, and the row. */
  changed: Array<[number, Row]>;
  cursor: Cursor;
  modes: ScreenModes;
  /** Without control or invisible characters, at most 256 columns; '' when none was set. */
  title: string;
}

/** A frame as JSON. */
export type WireFrame = Omit<Frame, 'changed'> & { changed: Array<[number, WireRow]> };

/** The longest title a frame carries, in columns. */
export const maxTitleColumns = 256;
const maxTitleUnits = maxTitleColumns * 64;

export function encodeFrame(frame: Frame): WireFrame {
  return { ...frame, changed: frame.changed.map(([y, row]) => [y, encodeRow(row)]) };
}

/** Throws `MalformedWireError` for anything `encodeFrame` could not have made. */
export function decodeFrame(wire: unknown): Frame {
  if (!isRecord(wire)) throw new MalformedWireError('A frame is not an object.');
  const { since, generation, cols, rows, full, title } = wire;
  if (!isInteger(since, 0, Number.MAX_SAFE_INTEGER) || !isInteger(generation, 0, Number.MAX_SAFE_INTEGER)) {
    throw new MalformedWireError('A frame has no generation.');
  }
  if (
    !isInteger(cols, screenLimits.minColumns, screenLimits.maxColumns) ||
    !isInteger(rows, screenLimits.minRows, screenLimits.maxRows)
  ) {
    throw new MalformedWireError('A frame has a size no screen can have.');
  }
  if (typeof full !== 'boolean' || !isPrintable(title, maxTitleUnits)) {
    throw new MalformedWireError('A frame is malformed.');
  }
  const changed = decodeChanged(wire.changed, cols, rows);
  if (full && changed.length !== rows) throw new MalformedWireError('A full frame lacks rows.');
  return {
    since,
    generation,
    cols,
    rows,
    full,
    changed,
    cursor: decodeCursor(wire.cursor, cols, rows),
    modes: decodeModes(wire.modes),
    title,
  };
}

function decodeChanged(value: unknown, cols: number, rows: number): Array<[number, Row]> {
  if (!Array.isArray(value) || value.length > rows) {
    throw new MalformedWireError('The rows of a frame are not a list of at most a screen.');
  }
  let last = -1;
  return value.map((entry: unknown) => {
    const [y, row] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (!isInteger(y, last + 1, rows - 1)) {
      throw new MalformedWireError('The rows of a frame are out of order or off the screen.');
    }
    last = y;
    return [y, decodeRow(row, cols)];
  });
}

function decodeCursor(value: unknown, cols: number, rows: number): Cursor {
  if (
    !isRecord(value) ||
    !isInteger(value.x, 0, cols - 1) ||
    !isInteger(value.y, 0, rows - 1) ||
    typeof value.visible !== 'boolean' ||
    typeof value.blink !== 'boolean'
  ) {
    throw new MalformedWireError('The cursor of a frame is malformed.');
  }
  const { x, y, visible, blink } = value;
  return { x, y, visible, shape: oneOf(cursorShapes, value.shape), blink };
}

function decodeModes(value: unknown): ScreenModes {
  if (!isRecord(value)) throw new MalformedWireError('The modes of a frame are malformed.');
  // A host that was started before there were these two says neither.
  const { kittyKeyboard = 0, modifyOtherKeys = 0 } = value;
  if (!isInteger(kittyKeyboard, 0, allKittyFlags))
    throw new MalformedWireError('The modes of a frame are malformed.');
  return {
    applicationCursor: value.applicationCursor === true,
    applicationKeypad: value.applicationKeypad === true,
    bracketedPaste: value.bracketedPaste === true,
    focusEvents: value.focusEvents === true,
    mouse: oneOf(mouseModes, value.mouse),
    mouseEncoding: oneOf(mouseEncodings, value.mouseEncoding),
    alternateScreen: value.alternateScreen === true,
    kittyKeyboard,
    modifyOtherKeys: oneOf(otherKeys, modifyOtherKeys),
  };
}

function oneOf<T extends string | number>(values: readonly T[], value: unknown): T {
  const found = values.find((candidate) => candidate === value);
  if (found === undefined)
    throw new MalformedWireError(`A frame names an unknown mode, not ${values.join(', ')}.`);
  return found;
}
