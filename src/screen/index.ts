/**
 * The screen of one instance: bytes from its terminal in; rows, frames, history and text out.
 * The only copy there is. Never reads from a terminal itself, and never decides when a view is told.
 */
import { hostname } from 'node:os';
import { type Cursor, type Frame, maxTitleColumns, type ScreenModes } from '../cells/frame.ts';
import { blankRow, type Row, rowsEqual, screenLimits } from '../cells/row.ts';
import { rowText } from '../cells/text.ts';
import { withoutInvisible } from '../cells/visible.ts';
import { truncateColumns } from '../cells/widths.ts';
import { copyRow } from './copy-row.ts';
import { Emulator } from './emulator.ts';
import { Listeners } from './listeners.ts';
import { ByteQueue } from './queue.ts';

export { ParseScheduler } from './scheduler.ts';

/** How long a program may hold its picture back with mode 2026, in milliseconds. */
export const holdLimitMs = 1_000;

/**
 * Bytes parsed between two looks at the clock, by how long the last ones took. A handful of bytes can
 * make the emulator write a whole screenful, so that a long slice after quiet ones could stall the host.
 */
const minSlice = 16;
const maxSlice = 4_096;

export interface ScreenOptions {
  /** Columns (2 to 1000) and rows (1 to 1000); what lies outside is brought to the nearest end. */
  cols: number;
  rows: number;
  /** Lines kept above the screen; 1000 at 120 columns take about 2 MB. Default 1000. */
  scrollback?: number;
  /** Milliseconds that only rise; for tests. */
  now?: () => number;
}

export class Screen {
  /** Bytes the emulator answers to the program's questions (DA, DSR, DECRQM, size): write them to its input. */
  readonly onReply: (listener: (bytes: Buffer) => void) => () => void;
  readonly onBell: (listener: () => void) => () => void;
  /** The program put a text on the clipboard (OSC 52). */
  readonly onCopied: (listener: (text: string) => void) => () => void;
  /** Bytes were parsed: look at `generation`, and at `pendingBytes` to let a paused terminal go on. */
  readonly onParsed: (listener: () => void) => () => void;

  readonly #emulator: Emulator;
  readonly #now: () => number;
  readonly #queue = new ByteQueue();
  readonly #replies = new Listeners<[Buffer]>();
  readonly #bells = new Listeners<[]>();
  readonly #copies = new Listeners<[text: string]>();
  readonly #parses = new Listeners<[]>();
  #slice = 1_024;
  #disposed = false;

  // The settled picture: what frames and text show.
  #generation = 1;
  #rows: Row[] = [];
  #changedAt: number[] = [];
  #resizedAt = 1;
  #cursor: Cursor;
  #modes: ScreenModes;
  #title = '';
  // What may have changed since.
  #touched: Uint8Array;
  #unsettled = false;
  #liveTitle = '';
  #heldSince: number | undefined;
  #workingDirectory: string | undefined;
  #historyDropped = 0;

  constructor(options: ScreenOptions) {
    const [cols, rows] = withinLimits(options.cols, options.rows);
    this.#now = options.now ?? (() => performance.now());
    this.#emulator = new Emulator(cols, rows, options.scrollback ?? 1_000, {
      touched: (start, end) => this.#touch(start, end),
      synchronized: (on) => this.#synchronize(on),
      trimmed: (lines) => {
        this.#historyDropped += lines;
      },
      reply: (text) => this.#replies.emit(Buffer.from(text)),
      bell: () => this.#bells.emit(),
      copied: (text) => this.#copies.emit(text),
      title: (text) => {
        this.#liveTitle = truncateColumns(withoutInvisible(text), maxTitleColumns);
      },
      workingDirectory: (uri) => {
        this.#workingDirectory = localDirectory(uri) ?? this.#workingDirectory;
      },
    });
    this.onReply = (listener) => this.#replies.add(listener);
    this.onBell = (listener) => this.#bells.add(listener);
    this.onCopied = (listener) => this.#copies.add(listener);
    this.onParsed = (listener) => this.#parses.add(listener);
    this.#touched = new Uint8Array(rows);
    this.#rows = Array.from({ length: rows }, () => blankRow(cols));
    this.#changedAt = this.#rows.map(() => 1);
    this.#cursor = this.#emulator.cursor();
    this.#modes = this.#emulator.modes();
  }

  get cols(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  /** Queues bytes from the terminal. They are not copied: whoever gives them must not change them. */
  write(bytes: Buffer): void {
    if (!this.#disposed) this.#queue.push(bytes);
  }

  /** Bytes written and not yet parsed. Pause the terminal above a watermark of your choice. */
  get pendingBytes(): number {
    return this.#queue.length;
  }

  /**
   * Parses queued bytes for about `budgetMs` milliseconds, at least one slice of them.
   * Says whether more are waiting.
   */
  parse(budgetMs: number): boolean {
    if (this.#queue.length === 0) return false;
    let last = this.#now();
    const end = last + budgetMs;
    do {
      const slice = this.#queue.take(this.#slice);
      this.#emulator.parse(slice);
      this.#unsettled = true;
      const now = this.#now();
      // A quarter of the budget a slice keeps the overrun of costly sequences small.
      const share = budgetMs / 4 / Math.max(now - last, 0.001);
      if (share < 1) this.#slice = Math.max(Math.floor(this.#slice * share), minSlice);
      else if (slice.length === this.#slice) this.#slice = Math.min(this.#slice << 1, maxSlice);
      last = now;
    } while (this.#queue.length > 0 && last < end);
    this.#parses.emit();
    return this.#queue.length > 0;
  }

  /** Whether the program holds its picture back with mode 2026, for at most `holdLimitMs`. */
  get held(): boolean {
    return this.#heldSince !== undefined && this.#now() - this.#heldSince < holdLimitMs;
  }

  /** Rises when, and only when, something a frame shows has changed. Starts at 1. */
  get generation(): number {
    this.#settle();
    return this.#generation;
  }

  /**
   * What changed since generation `since`, which an earlier frame of this very screen bore; everything
   * for 0, for one this screen never had, and after a change of size. While the picture is held back,
   * the one before. The rows are shared and never change.
   */
  frame(since: number): Frame {
    this.#settle();
    const full = since < this.#resizedAt || since > this.#generation;
    const changed: Array<[number, Row]> = [];
    this.#rows.forEach((row, y) => {
      if (full || (this.#changedAt[y] as number) > since) changed.push([y, row]);
    });
    return {
      since: full ? 0 : since,
      generation: this.#generation,
      cols: this.cols,
      rows: this.rows,
      full,
      changed,
      cursor: this.#cursor,
      modes: this.#modes,
      title: this.#title,
    };
  }

  /** What the program calls its window (OSC 0, 2), without invisible characters. */
  get title(): string {
    return this.#liveTitle;
  }

  /** The directory the program says it is in (OSC 7), if on this machine. A claim, not a fact. */
  get workingDirectory(): string | undefined {
    return this.#workingDirectory;
  }

  /** Brings the screen to a size within `screenLimits`. Ends a held picture. */
  resize(cols: number, rows: number): void {
    const [newCols, newRows] = withinLimits(cols, rows);
    if (this.#disposed || (newCols === this.cols && newRows === this.rows)) return;
    this.#heldSince = undefined;
    this.#emulator.resize(newCols, newRows);
    this.#generation++;
    this.#resizedAt = this.#generation;
    this.#touched = new Uint8Array(newRows);
    this.#rows = Array.from({ length: newRows }, (_, y) => this.#copy(y));
    this.#changedAt = this.#rows.map(() => this.#generation);
    this.#unsettled = true;
    this.#settle();
  }

  /** The rows as text, top to bottom, without trailing blanks. */
  text(): string[] {
    this.#settle();
    return this.#rows.map((row) => rowText(row));
  }

  /** The first `units` UTF-16 units of the text, lines ended by LF; a character is never cut. */
  textStart(units: number): string {
    const text = this.text().join('\n').trimEnd();
    const last = text.charCodeAt(units - 1);
    return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
  }

  /** Rows that have scrolled off the ordinary screen and are still kept. */
  get historyLength(): number {
    return this.#emulator.historyLength;
  }

  /** Rows the history has lost at its old end; `historyDropped + index` goes on naming the same row. */
  get historyDropped(): number {
    return this.#historyDropped;
  }

  /** At most `count` rows of history from index `start`; 0 is the oldest one kept. */
  history(start: number, count: number): Row[] {
    const from = Math.max(0, start);
    const to = Math.min(this.historyLength, start + count);
    const rows: Row[] = [];
    for (let index = from; index < to; index++) {
      rows.push(copyRow(this.#emulator.historyLine(index), this.cols, this.#emulator.links));
    }
    return rows;
  }

  /** The number of the row at the top of the screen, of all rows there ever were. */
  get screenStart(): number {
    return this.#historyDropped + this.historyLength;
  }

  /** At most `count` rows by their numbers from `start` on: history, then the screen. Those that are gone are left out. */
  rowsFrom(start: number, count: number): Row[] {
    this.#settle();
    const from = Math.max(start, this.#historyDropped);
    const end = Math.max(from, start + count);
    const old = this.history(from - this.#historyDropped, Math.min(end, this.screenStart) - from);
    const top = this.screenStart;
    return [...old, ...this.#rows.slice(Math.max(0, from - top), Math.max(0, end - top))];
  }

  /** Forgets unparsed bytes and listeners. What was settled stays readable; nothing changes any more. */
  dispose(): void {
    if (this.#disposed) return;
    this.#settle();
    this.#disposed = true;
    this.#queue.clear();
    for (const listeners of [this.#replies, this.#bells, this.#copies, this.#parses]) listeners.clear();
    this.#emulator.dispose();
  }

  #touch(start: number, end: number): void {
    this.#touched.fill(1, Math.max(0, start), end + 1);
    this.#unsettled = true;
  }

  #synchronize(on: boolean): void {
    if (on === (this.#heldSince !== undefined)) return;
    // Rows changed by the bytes being parsed are not reported yet.
    this.#heldSince = undefined;
    this.#touch(0, this.rows - 1);
    this.#settle();
    if (on) this.#heldSince = this.#now();
  }

  /** Takes what may have changed into the picture that frames show, unless it is held back. */
  #settle(): void {
    if (!this.#unsettled || this.#disposed || this.held) return;
    this.#unsettled = false;
    const next = this.#generation + 1;
    let changed = false;
    for (let y = 0; y < this.#touched.length; y++) {
      if (!this.#touched[y]) continue;
      const row = this.#copy(y);
      if (rowsEqual(row, this.#rows[y] as Row)) continue;
      this.#rows[y] = row;
      this.#changedAt[y] = next;
      changed = true;
    }
    this.#touched.fill(0);
    const cursor = this.#emulator.cursor();
    const modes = this.#emulator.modes();
    changed ||= !sameFields(cursor, this.#cursor) || !sameFields(modes, this.#modes);
    changed ||= this.#liveTitle !== this.#title;
    if (!changed) return;
    this.#generation = next;
    this.#cursor = cursor;
    this.#modes = modes;
    this.#title = this.#liveTitle;
  }

  #copy(y: number): Row {
    return copyRow(this.#emulator.line(y), this.cols, this.#emulator.links);
  }
}

function withinLimits(cols: number, rows: number): [number, number] {
  const { minColumns, maxColumns, minRows, maxRows } = screenLimits;
  const within = (value: number, min: number, max: number) =>
    Math.min(Math.max(Math.trunc(value) || min, min), max);
  return [within(cols, minColumns, maxColumns), within(rows, minRows, maxRows)];
}

function sameFields<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as Array<keyof T>).every((key) => a[key] === b[key]);
}

/** The path of a `file:` address on this machine. */
function localDirectory(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    const local =
      url.hostname === '' || url.hostname === 'localhost' || url.hostname === hostname().toLowerCase();
    const path = decodeURIComponent(url.pathname);
    return url.protocol === 'file:' && local && withoutInvisible(path) === path ? path : undefined;
  } catch {
    return undefined;
  }
}
