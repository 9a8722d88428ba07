/**
 * A text being edited: characters, cursor, undo. Pure: knows no keys and no screen.
 * Offsets are UTF-16 units and always stand between whole characters (grapheme clusters).
 */
import { clusters } from '../cells/widths.ts';

interface Snapshot {
  readonly text: string;
  readonly at: number;
}

/** Steps of undo that are kept. */
const undoSteps = 1_000;

export class TextBuffer {
  #text: string;
  #at: number;
  #undo: Snapshot[] = [];
  #redo: Snapshot[] = [];
  /** The last change was one typed character: the next one joins its undo step. */
  #typing = false;
  readonly #multiline: boolean;

  /** The cursor starts at the end, of a text of several lines at the beginning. */
  constructor(text = '', { multiline = false } = {}) {
    this.#text = text;
    this.#multiline = multiline;
    this.#at = multiline ? 0 : text.length;
  }

  get text(): string {
    return this.#text;
  }

  get at(): number {
    return this.#at;
  }

  /** Line of the cursor and its offset in that line, from 0. */
  get place(): { line: number; offset: number } {
    const before = this.#text.slice(0, this.#at);
    const lines = before.split('\n');
    return { line: lines.length - 1, offset: (lines.at(-1) as string).length };
  }

  /** Puts text at the cursor; a buffer of one line takes line breaks as spaces. */
  insert(text: string): void {
    const clean = text.replace(/\r\n?/g, '\n');
    const put = this.#multiline ? clean : clean.replace(/\n/g, ' ');
    if (put === '') return;
    const typed = [...put].length === 1 && put !== ' ' && put !== '\n';
    this.#change(
      this.#text.slice(0, this.#at) + put + this.#text.slice(this.#at),
      this.#at + put.length,
      typed,
    );
  }

  backspace(): void {
    this.#remove(this.#before(this.#at), this.#at);
  }

  delete(): void {
    this.#remove(this.#at, this.#after(this.#at));
  }

  deleteWord(): void {
    this.#remove(this.#wordStart(this.#at), this.#at);
  }

  deleteToLineStart(): void {
    this.#remove(this.#lineStart(this.#at), this.#at);
  }

  deleteToLineEnd(): void {
    this.#remove(this.#at, this.#lineEnd(this.#at));
  }

  left(): void {
    this.#move(this.#before(this.#at));
  }

  right(): void {
    this.#move(this.#after(this.#at));
  }

  wordLeft(): void {
    this.#move(this.#wordStart(this.#at));
  }

  wordRight(): void {
    const rest = /^\W*\w*/.exec(this.#text.slice(this.#at));
    this.#move(this.#at + (rest?.[0].length ?? 0));
  }

  lineStart(): void {
    this.#move(this.#lineStart(this.#at));
  }

  lineEnd(): void {
    this.#move(this.#lineEnd(this.#at));
  }

  /** `by` lines down, up when negative; the offset in the line is kept as far as the line reaches. */
  vertical(by: number): void {
    const lines = this.#text.split('\n');
    const { line, offset } = this.place;
    const target = Math.max(0, Math.min(lines.length - 1, line + by));
    const start = lines.slice(0, target).reduce((sum, text) => sum + text.length + 1, 0);
    const wanted = Math.min(offset, (lines[target] as string).length);
    this.#move(this.#boundary(start, start + wanted));
  }

  /** Another text at once, as one step of undo. */
  replace(text: string): void {
    this.#change(text, Math.min(this.#at, text.length), false);
  }

  undo(): boolean {
    return this.#restore(this.#undo, this.#redo);
  }

  redo(): boolean {
    return this.#restore(this.#redo, this.#undo);
  }

  #restore(from: Snapshot[], to: Snapshot[]): boolean {
    const snapshot = from.pop();
    if (!snapshot) return false;
    to.push({ text: this.#text, at: this.#at });
    this.#text = snapshot.text;
    this.#at = snapshot.at;
    this.#typing = false;
    return true;
  }

  #remove(from: number, to: number): void {
    if (from < to) this.#change(this.#text.slice(0, from) + this.#text.slice(to), from, false);
  }

  #change(text: string, at: number, typed: boolean): void {
    if (!(typed && this.#typing)) {
      this.#undo.push({ text: this.#text, at: this.#at });
      if (this.#undo.length > undoSteps) this.#undo.shift();
    }
    this.#typing = typed;
    this.#redo = [];
    this.#text = text;
    this.#at = at;
  }

  #move(at: number): void {
    this.#at = at;
    this.#typing = false;
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf('\n', at - 1) + 1;
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf('\n', at);
    return end < 0 ? this.#text.length : end;
  }

  #wordStart(at: number): number {
    const start = this.#lineStart(at);
    const before = this.#text.slice(start, at);
    if (before === '') return this.#before(at);
    return start + before.replace(/(?:\w+|[^\w\s]+)?\s*$/, '').length;
  }

  #before(at: number): number {
    const start = this.#lineStart(at);
    if (at === start) return Math.max(0, at - 1);
    let last = start;
    let end = start;
    for (const { text } of clusters(this.#text.slice(start, at))) {
      last = end;
      end += text.length;
    }
    return last;
  }

  #after(at: number): number {
    if (this.#text[at] === '\n') return at + 1;
    for (const { text } of clusters(this.#text.slice(at, this.#lineEnd(at)))) return at + text.length;
    return at;
  }

  /** The nearest place at or before `at` that cuts no character; `start` begins its line. */
  #boundary(start: number, at: number): number {
    let end = start;
    for (const { text } of clusters(this.#text.slice(start, this.#lineEnd(start)))) {
      if (end + text.length > at) break;
      end += text.length;
    }
    return end;
  }
}
