/**
 * A message that is too long for the status line, whole, until a key. That key is the message's own: it
 * reaches nothing below, neither a card nor a program.
 */
import { visible } from '../../cells/visible.ts';
import { isGuardOver } from '../guard.ts';
import { actionOf, inspectorKeys, stepOf } from '../keymap.ts';
import { isRepeat, keyOf, wheelRows } from '../keys.ts';
import type { Mode, Popup } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import { type Line, span, wordWrap } from '../text.ts';
import type { Ui } from '../ui.ts';

const mostColumns = 76;
/** What a stranger made longer is cut. */
const mostUnits = 8_000;

export class MessageMode implements Mode {
  readonly name = 'message';
  /** What was typed in one run is swallowed in one. */
  readonly wholeRuns = true;
  readonly #ui: Ui;
  readonly #title: string;
  readonly #text: string;
  #shownAt: number | undefined;
  #at = 0;
  #room = 1;
  #count = 1;

  /** `text` may have several lines; it is made visible here. */
  constructor(ui: Ui, title: string, text: string) {
    this.#ui = ui;
    this.#title = title;
    this.#text = text.length > mostUnits ? `${text.slice(0, mostUnits)}…` : text;
  }

  token(token: Token): void {
    if (token.type === 'mouse') {
      this.#scroll(wheelRows(token));
      return;
    }
    const key = keyOf(token);
    if (key === undefined && token.type !== 'paste') return;
    const action = key !== undefined && key.length > 1 ? actionOf(inspectorKeys, key) : undefined;
    const step = this.#count > this.#room ? stepOf(action, Math.max(1, this.#room - 1)) : undefined;
    if (step !== undefined) this.#scroll(step);
    else if (!isRepeat(token) && isGuardOver(this.#ui.clock, this.#shownAt)) this.#ui.pop(this);
  }

  #scroll(by: number): void {
    this.#at = Math.max(0, Math.min(this.#count - this.#room, this.#at + by));
    this.#ui.refresh();
  }

  hints() {
    return [
      ...(this.#count > this.#room ? ([['↑ ↓', 'scroll']] as const) : []),
      ['any key', 'back'] as const,
    ];
  }

  popup(columns: number, rows: number): Popup {
    this.#shownAt ??= this.#ui.clock.ticks();
    const width = Math.min(columns, mostColumns);
    const lines = this.#text
      .split('\n')
      .flatMap((line) => wordWrap(visible(line.trimEnd()), width - 2))
      .map((row): Line => [span(` ${row} `)]);
    this.#count = lines.length;
    this.#room = Math.min(rows, lines.length);
    return { title: this.#title, lines: lines.slice(this.#at, this.#at + this.#room) };
  }
}
