/**
 * An instance as it was when one began to scroll back: its history and screen by row number, fetched as they are looked
 * at, with what is selected or found marked. What the program writes meanwhile is counted and never moves anything.
 */
import { blankRow, colour, fgFlag, type Row, wordsPerCell } from '../../cells/row.ts';
import { matchesIn } from '../../cells/text.ts';
import { decodeRow } from '../../cells/wire.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import type { Client } from '../../rpc/client.ts';
import type { PaneSource } from '../stage/index.ts';
import { type Selection, selectedColumns } from './selection.ts';

/** Rows asked for in one message. */
const chunkRows = 200;

/** Found text: black on yellow, whatever the program's colours are. */
const foundForeground = colour.palette16 | 0;
const foundBackground = colour.palette16 | 3;

export class CopyView implements PaneSource {
  readonly instance: string;
  readonly cols: number;
  /** The oldest row that was kept then. */
  readonly first: number;
  /** The row after the last one there was then. */
  readonly end: number;
  /** The row at the top of the pane. */
  top: number;
  /** Rows that were written since, under the last one. */
  fresh = 0;
  selection: Selection | undefined;
  /** Text that is marked wherever it stands. */
  found: string | undefined;
  readonly #screen: number;
  readonly #client: Client;
  readonly #changed: () => void;
  readonly #rows = new Map<number, Row>();
  readonly #asked = new Map<number, Promise<void>>();

  private constructor(
    client: Client,
    instance: string,
    { cols, first, screen, end }: { cols: number; first: number; screen: number; end: number },
    changed: () => void,
  ) {
    this.#client = client;
    this.#changed = changed;
    this.instance = instance;
    this.cols = cols;
    this.first = first;
    this.#screen = screen;
    this.end = end;
    this.top = screen;
  }

  /** The screen as it is now, and the history above it. `changed` hears of rows that arrive. */
  static async open(client: Client, instance: string, changed: () => void): Promise<CopyView> {
    const now = await client.request(operatorApi.history, { instance, start: 0, count: 0 });
    const view = new CopyView(client, instance, now, changed);
    // The screen at once: later it shows something else.
    await view.load(now.screen, now.end);
    return view;
  }

  /** Rows of the screen there was. */
  get screenRows(): number {
    return this.end - this.#screen;
  }

  /** Rows one can still scroll up or down, with `rows` in sight. */
  room(rows: number): { up: number; down: number } {
    return { up: this.top - this.first, down: Math.max(0, this.end - rows - this.top) };
  }

  /** Moves what is in sight by so many rows, as far as there are any. */
  scroll(by: number, rows: number): void {
    const { up, down } = this.room(rows);
    this.top += Math.max(-up, Math.min(down, by));
    this.#changed();
  }

  /** Brings a row into sight. */
  reveal(row: number, rows: number): void {
    if (row < this.top) this.top = row;
    else if (row >= this.top + rows) this.top = row - rows + 1;
    this.#changed();
  }

  /** The row of that number as it was; undefined until it has come. */
  at(number: number): Row | undefined {
    const row = this.#rows.get(number);
    if (!row && number >= this.first && number < this.end) void this.#fetch(number);
    return row;
  }

  /** The row at `y` of the pane, marked. */
  row(y: number): Row | undefined {
    const number = this.top + y;
    if (number >= this.end) return blankRow(this.cols);
    const row = this.at(number);
    return row && this.#marked(row, number);
  }

  /** All rows from `from` to before `to`, once they are there. */
  async load(from: number, to: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let number = from; number < to; number++) {
      if (!this.#rows.has(number)) await this.#fetch(number);
      rows.push(this.#rows.get(number) ?? blankRow(this.cols));
    }
    return rows;
  }

  /** Where the text stands next, searching on over the ends; undefined where it does not stand at all. */
  async find(
    text: string,
    from: { row: number; column: number },
    backward: boolean,
  ): Promise<{ row: number; column: number } | undefined> {
    let { row, column } = from;
    let around = false;
    for (;;) {
      const { found, next } = await this.#client.request(operatorApi.find, {
        instance: this.instance,
        text,
        row,
        column,
        backward,
      });
      if (found && found.row < this.end) return found;
      const on = found ? undefined : next;
      if (on !== undefined && on < this.end) row = on;
      else if (around) return undefined;
      else {
        around = true;
        row = backward ? this.end - 1 : this.first;
      }
      column = backward ? this.cols : -1;
    }
  }

  /** Learns how much was written since. */
  async count(): Promise<void> {
    const { instance, end } = this;
    const now = await this.#client.request(operatorApi.history, { instance, start: end, count: 0 });
    const fresh = Math.max(0, now.screen - this.#screen);
    if (fresh !== this.fresh) {
      this.fresh = fresh;
      this.#changed();
    }
  }

  #fetch(number: number): Promise<void> {
    const start = Math.max(this.first, number - (number % chunkRows));
    const asked = this.#asked.get(start) ?? this.#ask(start);
    this.#asked.set(start, asked);
    return asked;
  }

  async #ask(start: number): Promise<void> {
    try {
      const count = Math.min(chunkRows - (start % chunkRows), this.end - start);
      const answer = await this.#client.request(operatorApi.history, {
        instance: this.instance,
        start,
        count,
      });
      // Another width or another run has other rows: what is here stays as it was, and what is not stays blank.
      if (answer.cols !== this.cols || answer.screen < this.#screen) return;
      answer.rows.forEach((row, index) => {
        const at = answer.start + index;
        if (!this.#rows.has(at)) this.#rows.set(at, decodeRow(row, this.cols));
      });
    } catch {
      // The instance is gone, and with it its rows.
    }
    this.#changed();
  }

  #marked(row: Row, number: number): Row {
    const matches = this.found ? matchesIn(row, this.found) : [];
    const selected = this.selection && selectedColumns(this.selection, number, this.cols);
    if (matches.length === 0 && !selected) return row;
    const words = row.words.slice();
    const each = (from: number, to: number, change: (at: number) => void) => {
      for (let x = from; x < to; x++) change(x * wordsPerCell);
    };
    for (const { from, to } of matches) {
      each(from, to, (at) => {
        words[at + 1] = ((words[at + 1] as number) & ~colour.mask & ~fgFlag.inverse) | foundForeground;
        words[at + 2] = ((words[at + 2] as number) & ~colour.mask) | foundBackground;
      });
    }
    if (selected) {
      each(selected.from, selected.to, (at) => {
        words[at + 1] = (words[at + 1] as number) ^ fgFlag.inverse;
      });
    }
    return { ...row, words };
  }
}
