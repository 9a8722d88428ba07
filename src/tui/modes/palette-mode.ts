/**
 * The command palette: a line with history, and below it everything the line may mean. What is chosen there
 * is run as a command line, so that a key of the palette never does more than a typed command.
 */
import { clusters } from '../../cells/widths.ts';
import { completions } from '../commands/index.ts';
import type { Popup } from '../mode.ts';
import { type Entry, type Offer, offerFor, type RankedEntry } from '../palette-entries.ts';
import type { Span, Style } from '../stage/index.ts';
import { clipLine, type Line, lineColumns, padEnd, span, wordWrap } from '../text.ts';
import type { Ui } from '../ui.ts';
import { LineMode } from './line-mode.ts';

/** Lines of earlier commands kept. */
const historyLines = 200;
/** The list keeps its size while one types, as far as there is room. */
const listRows = 14;
const listColumns = 86;
const kindColumns = 14;
const pageRows = 10;

/** Words that start a program may hold a password, which is nothing to be kept. */
function isHarmless(line: string): boolean {
  return !/^\s*open\s/.test(line);
}

export class PaletteMode extends LineMode {
  override readonly name = 'palette';
  /** How far back in the history the line is; 0: it is none of its lines. */
  #back = 0;
  #offer: Offer;
  #offeredFor: string;
  /** The line of the chosen entry: the list may change under it. */
  #chosen: string | undefined;

  constructor(ui: Ui) {
    super(ui, {
      label: ': ',
      done: (line) => {
        if (line.trim() === '') return;
        this.#keep(line);
        ui.run(line);
      },
    });
    this.#offeredFor = '';
    this.#offer = offerFor(ui, '');
  }

  left(): void {
    this.ui.previewed = undefined;
  }

  protected override special(key: string | undefined): boolean {
    if (key === 'Tab') this.#complete();
    else if (key === 'Up' || key === 'C-p') this.#up();
    else if (key === 'Down' || key === 'C-n') this.#down();
    else if (key === 'PageUp') this.#choose(-pageRows);
    else if (key === 'PageDown') this.#choose(pageRows);
    else return false;
    this.#preview();
    return true;
  }

  protected override edited(): void {
    if (this.buffer.text === this.#offeredFor) return;
    this.#back = 0;
    this.#offerAnew();
    const { firstIsChosen, entries } = this.#offer;
    this.#chosen = firstIsChosen ? entries[0]?.entry.line : undefined;
    this.#preview();
  }

  /** Enter, with an entry chosen; false: the line is run as it was typed. */
  protected override enter(): boolean {
    if (this.#chosen === undefined) return false;
    this.#offerAnew();
    const entry = this.#chosenEntry();
    // Nothing else is run in its place.
    if (!entry) return true;
    if (entry.unfinished) {
      this.#put(`${entry.line} `);
    } else {
      this.ui.pop(this);
      if (entry.kind === 'command' || this.#offer.command) this.#keep(entry.line);
      this.ui.run(entry.line);
    }
    return true;
  }

  #keep(line: string): void {
    const { history } = this.ui;
    if (history.at(-1) !== line) history.push(line);
    if (history.length > historyLines) history.shift();
    this.ui.remember({ history: history.filter(isHarmless) });
  }

  #complete(): void {
    const found = completions(this.ui, this.buffer.text);
    if (found.length === 0) {
      const entry = this.#chosenEntry();
      if (entry) this.#put(entry.unfinished ? `${entry.line} ` : entry.line);
      return;
    }
    const common = found.reduce((a, b) => {
      let at = 0;
      while (at < a.length && a[at] === b[at]) at++;
      return a.slice(0, at);
    });
    this.#put(found.length === 1 && !common.includes(' ') ? `${common} ` : common);
  }

  /** The history is for a line that is empty or out of it; once something is typed or chosen, the list is meant. */
  #inHistory(): boolean {
    return this.#back > 0 || (this.buffer.text === '' && this.#chosen === undefined);
  }

  #up(): void {
    if (this.#inHistory()) this.#recall(this.#back + 1);
    else if (this.buffer.text === '' && this.#index() === 0) this.#chosen = undefined;
    else this.#choose(-1);
  }

  #down(): void {
    if (this.#back > 0) this.#recall(this.#back - 1);
    else this.#choose(1);
  }

  #recall(back: number): void {
    const { history } = this.ui;
    const to = Math.min(history.length, back);
    this.#put(to === 0 ? '' : (history[history.length - to] as string));
    this.#back = to;
    // A line from the history is run as it is.
    this.#chosen = undefined;
  }

  #choose(by: number): void {
    this.#offerAnew();
    const { entries } = this.#offer;
    const at = Math.max(0, Math.min(entries.length - 1, this.#index() + by));
    this.#chosen = entries[at]?.entry.line;
  }

  /** -1 when none is chosen. */
  #index(): number {
    return this.#offer.entries.findIndex(({ entry }) => entry.line === this.#chosen);
  }

  #chosenEntry(): Entry | undefined {
    return this.#offer.entries[this.#index()]?.entry;
  }

  #put(text: string): void {
    this.buffer.replace(text);
    this.buffer.lineEnd();
    this.edited();
  }

  /** Instances and calls come and go meanwhile. */
  #offerAnew(): void {
    this.#offeredFor = this.buffer.text;
    this.#offer = offerFor(this.ui, this.#offeredFor);
  }

  /** Shows the theme that Enter would take. */
  #preview(): void {
    const line = this.#chosen ?? this.buffer.text;
    const name = /^\s*theme\s+(\S+)\s*$/.exec(line)?.[1];
    this.ui.previewed = this.ui.settings.themes.findLast((theme) => theme.name === name);
  }

  popup(columns: number, rows: number): Popup {
    this.#offerAnew();
    const width = Math.min(columns, listColumns);
    const head = this.#commandLines(width);
    const room = Math.max(1, Math.min(rows - 2, listRows) - head.length);
    const { entries } = this.#offer;
    const at = Math.max(0, this.#index());
    const first = Math.max(0, Math.min(at - Math.floor(room / 2), entries.length - room));
    const shown = entries.slice(first, first + room).map((one) => this.#row(one, width));
    const none: Line = [span(' Nothing of that name: Enter runs the line.', this.ui.theme.styles.dim)];
    if (shown.length === 0 && !this.#offer.command) shown.push(none);
    const gaps = Array.from({ length: room - shown.length }, (): Line => []);
    return {
      title: 'Commands, instances, waiting calls',
      lines: [...head, ...shown, ...gaps, [], this.#keys(width)],
    };
  }

  /** What the command in the line does and takes. */
  #commandLines(columns: number): Line[] {
    const { command } = this.#offer;
    if (!command) return [];
    const { styles } = this.ui.theme;
    const usage = wordWrap(`${command.name} ${command.usage ?? ''}`, columns - 2);
    return [
      ...usage.map((row) => [span(` ${row}`, styles.accent)]),
      ...wordWrap(command.help, columns - 2).map((row) => [span(` ${row}`)]),
      [],
    ];
  }

  #row({ entry, matched }: RankedEntry, columns: number): Line {
    const { styles } = this.ui.theme;
    const chosen = entry.line === this.#chosen;
    const style = chosen ? styles.selection : styles.text;
    const quiet = chosen ? styles.selection : styles.dim;
    const labelColumns = Math.max(16, Math.floor((columns - kindColumns) * 0.36));
    // A long one is worth more than what is said of it.
    const label = [...marked(entry.label, matched, style), span(entry.unfinished ? ' …' : '', quiet)];
    const line = [
      span(` ${padEnd(entry.kind, kindColumns - 1)}`, quiet),
      ...label,
      span(' '.repeat(Math.max(1, labelColumns - lineColumns(label))), style),
      span(entry.detail, quiet),
    ];
    const clipped = clipLine(line, columns);
    return [...clipped, span(' '.repeat(columns - lineColumns(clipped)), style)];
  }

  #keys(columns: number): Line {
    const { styles } = this.ui.theme;
    if (this.#chosen !== undefined && !this.#chosenEntry())
      return [span(' What was chosen is no longer there: choose again.', styles.warning)];
    const enter = this.#chosenEntry()?.unfinished
      ? 'complete'
      : this.#chosen === undefined
        ? 'run the line'
        : 'run';
    const pieces = [
      ...(this.#back > 0 ? [['↑ ↓', 'earlier lines']] : []),
      ...(this.#back === 0 && this.#inHistory() ? [['↑', 'earlier lines']] : []),
      ...(this.#back === 0 ? [[this.#inHistory() ? '↓' : '↑ ↓', 'choose']] : []),
      ...(this.buffer.text === '' && this.#chosen === undefined ? [] : [['Enter', enter]]),
      ['Tab', 'complete'],
      ['Esc', 'back'],
    ];
    const line = pieces.flatMap(([key = '', what = '']) => [
      span(` ${key}`, styles.accent),
      span(` ${what}  `, styles.dim),
    ]);
    return clipLine(line, columns);
  }
}

/** The text with the matched characters marked, in whatever style it has. */
function marked(text: string, matched: readonly number[], style: Style): Span[] {
  const at = new Set(matched);
  const spans: { text: string; hit: boolean }[] = [];
  let index = 0;
  for (const cluster of clusters(text)) {
    const hit = at.has(index++);
    const last = spans.at(-1);
    if (last?.hit === hit) last.text += cluster.text;
    else spans.push({ text: cluster.text, hit });
  }
  return spans.map(({ text: part, hit }) =>
    span(part, hit ? { ...style, bold: true, underline: true } : style),
  );
}
