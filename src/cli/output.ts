/**
 * What commands print: one JSON value for programs, or text for people in which nothing that came from
 * outside can act on their terminal. Never writes an escape sequence to anything but a terminal.
 */
import type { WriteStream } from 'node:tty';
import { Chalk, type ChalkInstance, supportsColor } from 'chalk';
import { visible } from '../cells/visible.ts';

export class Output {
  readonly #out: WriteStream;
  readonly #err: WriteStream;
  readonly json: boolean;
  readonly colour: ChalkInstance;

  constructor(out: WriteStream, err: WriteStream, json: boolean) {
    this.#out = out;
    this.#err = err;
    this.json = json;
    this.colour = new Chalk({ level: out.isTTY && supportsColor ? supportsColor.level : 0 });
  }

  /** The answer: `value` where JSON was asked for, else the lines. */
  answer(value: unknown, lines: () => readonly string[]): void {
    if (this.json) this.#out.write(`${JSON.stringify(value)}\n`);
    else for (const line of lines()) this.#out.write(`${line}\n`);
  }

  /** A remark for the person at the terminal; programs do not get it. */
  remark(line: string): void {
    if (!this.json) this.#err.write(`${line}\n`);
  }

  /** A remark that is of use only while somebody watches. */
  progress(line: string): void {
    if (this.#err.isTTY) this.remark(line);
  }

  dim(text: string): string {
    return this.colour.dim(text);
  }

  /**
   * The answer as a table of foreign or own text, its columns as wide as they need to be; `none` where it has
   * no rows. The last column is not padded.
   */
  async answerTable(
    value: unknown,
    none: string,
    head: readonly string[],
    rows: readonly (readonly string[])[],
  ): Promise<void> {
    if (this.json || rows.length === 0) return this.answer(value, () => [none]);
    // Its regular expressions cost every start 20 ms, and most print no table.
    const { default: stringWidth } = await import('string-width');
    const safe = rows.map((row) => row.map(visible));
    const widths = head.map((title, column) =>
      Math.max(stringWidth(title), ...safe.map((row) => stringWidth(row[column] ?? ''))),
    );
    const line = (cells: readonly string[]) =>
      cells
        .map((cell, column) =>
          column === cells.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)),
        )
        .join('  ')
        .trimEnd();
    this.answer(value, () => [this.dim(line(head)), ...safe.map(line)]);
  }
}

/** A JSON value as indented lines for people. */
export function jsonLines(value: unknown): string[] {
  return (JSON.stringify(value, null, 2) ?? 'null').split('\n').map(visible);
}

/** Text of several lines, each made visible. */
export function textLines(text: string): string[] {
  return text.split('\n').map(visible);
}

/** How long ago, in the one unit that matters. */
export function age(since: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - since) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
