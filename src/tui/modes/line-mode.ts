/** One line of text asked for on the status line. */
import { stringColumns } from '../../cells/widths.ts';
import { editWith } from '../edit-keys.ts';
import { TextBuffer } from '../editor.ts';
import { isRepeat, keyOf } from '../keys.ts';
import type { Mode, Prompt } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import { hardWrap, span, visiblePart } from '../text.ts';
import type { Ui } from '../ui.ts';

export interface LineOptions {
  readonly label: string;
  readonly text?: string;
  /** Enter: the mode has left by then. */
  done(text: string): void | Promise<void>;
}

export class LineMode implements Mode {
  readonly name: string = 'line';
  protected readonly ui: Ui;
  protected readonly buffer: TextBuffer;
  readonly #options: LineOptions;

  constructor(ui: Ui, options: LineOptions) {
    this.ui = ui;
    this.#options = options;
    this.buffer = new TextBuffer(options.text ?? '');
  }

  token(token: Token): void {
    const key = keyOf(token);
    if (key === 'Esc' || key === 'C-c') {
      this.ui.pop(this);
    } else if (key === 'Enter' || key === 'C-j') {
      // Held down from what opened the line, it is no answer.
      if (isRepeat(token)) return;
      // What was typed before the terminal was ours has Ctrl-J for Enter.
      if (!this.enter()) this.#finish();
    } else if (!this.special(key)) {
      if (key === 'C-_' || key === 'C-z') this.buffer.undo();
      else editWith(this.buffer, token);
      this.edited();
    }
    this.ui.refresh();
  }

  /** Done at once: what comes right behind Enter belongs to what it opened. */
  #finish(): void {
    this.ui.pop(this);
    const { text } = this.buffer;
    void (async () => this.#options.done(text))().catch((error) => this.ui.complain(error));
  }

  /** What Enter does in a mode built on this one; false: what it does in every line. */
  protected enter(): boolean {
    return false;
  }

  /** The text may be another now. */
  protected edited(): void {}

  /** Keys of a mode built on this one; true: handled. */
  protected special(_key: string | undefined): boolean {
    return false;
  }

  prompt(columns: number): Prompt {
    const { styles } = this.ui.theme;
    const { label } = this.#options;
    const room = Math.max(8, columns - stringColumns(label) - 3);
    const before = visiblePart(this.buffer.text.slice(0, this.buffer.at));
    const after = visiblePart(this.buffer.text.slice(this.buffer.at));
    // The part around the cursor that fits: whole rows of `room`, as if wrapped.
    const rows = hardWrap(before, room);
    const row = rows.at(-1) as string;
    const rest = hardWrap(row + after, room)[0] as string;
    return {
      line: [span(` ${label}`, styles.accent), span(rest)],
      cursor: 1 + stringColumns(label) + stringColumns(row),
    };
  }
}
