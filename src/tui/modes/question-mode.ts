/** A question on the status line: `y` is yes, every other key is no. */
import { visible } from '../../cells/visible.ts';
import { isRepeat, keyOf } from '../keys.ts';
import type { Mode, Prompt } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import { clipLine, lineColumns, span } from '../text.ts';
import type { Ui } from '../ui.ts';

export class QuestionMode implements Mode {
  readonly name = 'question';
  /** A run of text is no answer but no. */
  readonly wholeRuns = true;
  readonly #ui: Ui;
  readonly #question: string;
  readonly #yes: () => void | Promise<void>;

  constructor(ui: Ui, question: string, yes: () => void | Promise<void>) {
    this.#ui = ui;
    this.#question = visible(question);
    this.#yes = yes;
  }

  token(token: Token): void {
    const key = keyOf(token);
    // Pasted text never answers, nor does the mouse, nor a key held down from before.
    if (key === undefined || isRepeat(token)) return;
    this.#ui.pop(this);
    if (key === 'y') void Promise.resolve(this.#yes()).catch((error) => this.#ui.complain(error));
  }

  prompt(columns: number): Prompt {
    const { styles } = this.#ui.theme;
    const answers = [span('y', styles.accent), span(' yes   any other key no ', styles.dim)];
    // The question is cut before the answers are.
    const question = clipLine(
      [span(` ${this.#question}`, styles.warning)],
      columns - lineColumns(answers) - 3,
    );
    return { line: [...question, span('   '), ...answers] };
  }
}
