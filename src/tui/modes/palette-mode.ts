/** The command palette: a line with history, and Tab to complete. */
import { commands, completions } from '../commands/index.ts';
import type { Popup } from '../mode.ts';
import { padEnd, span } from '../text.ts';
import type { Ui } from '../ui.ts';
import { LineMode } from './line-mode.ts';

/** Lines of earlier commands kept. */
const historyLines = 200;

/** Words that start a program may hold a password, which is nothing to be kept. */
function isHarmless(line: string): boolean {
  return !/^\s*open\s/.test(line);
}

export class PaletteMode extends LineMode {
  override readonly name = 'palette';
  readonly #history: string[];
  #back = 0;

  constructor(ui: Ui) {
    super(ui, {
      label: ': ',
      done: (line) => {
        const { history } = ui;
        if (line.trim() === '') return;
        if (history.at(-1) !== line) history.push(line);
        if (history.length > historyLines) history.shift();
        ui.remember({ history: history.filter(isHarmless) });
        ui.run(line);
      },
    });
    this.#history = ui.history;
  }

  protected override special(key: string | undefined): boolean {
    if (key === 'Tab') this.#complete();
    else if (key === 'Up' || key === 'C-p') this.#recall(1);
    else if (key === 'Down' || key === 'C-n') this.#recall(-1);
    else return false;
    return true;
  }

  #complete(): void {
    const found = completions(this.ui, this.buffer.text);
    if (found.length === 0) return;
    const common = found.reduce((a, b) => {
      let at = 0;
      while (at < a.length && a[at] === b[at]) at++;
      return a.slice(0, at);
    });
    this.#put(found.length === 1 && !common.includes(' ') ? `${common} ` : common);
  }

  #recall(by: number): void {
    this.#back = Math.max(0, Math.min(this.#history.length, this.#back + by));
    this.#put(this.#back === 0 ? '' : (this.#history[this.#history.length - this.#back] as string));
  }

  #put(text: string): void {
    this.buffer.replace(text);
    this.buffer.lineEnd();
  }

  popup(): Popup | undefined {
    const word = this.buffer.text.split(' ')[0] ?? '';
    const whole = this.buffer.text.includes(' ');
    const found = commands.filter(({ name }) => (whole ? name === word : name.startsWith(word)));
    if (found.length === 0) return undefined;
    const { styles } = this.ui.theme;
    const width = Math.max(
      ...found.map(({ name, usage = '' }) => Math.min(34, name.length + usage.length + 1)),
    );
    return {
      title: 'Commands',
      lines: found.flatMap(({ name, usage = '', help }) => {
        const head = [span(` ${name} `, styles.accent), span(usage, styles.dim)];
        const long = name.length + usage.length + 1 > width;
        const pad = span(long ? '' : padEnd('', width - name.length - usage.length + 1));
        return long ? [head, [span(padEnd('', width + 3)), span(help)]] : [[...head, pad, span(help)]];
      }),
    };
  }
}
