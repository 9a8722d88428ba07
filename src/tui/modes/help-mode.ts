/** The list of keys, made from the keymap itself; what one types narrows it. */
import { stringColumns } from '../../cells/widths.ts';
import { editWith } from '../edit-keys.ts';
import { TextBuffer } from '../editor.ts';
import {
  type Binding,
  cardKeys,
  copyKeys,
  editorKeys,
  type InspectorAction,
  inspectorKeys,
  type Keymap,
  listKeys,
  resizeKeys,
  stepOf,
} from '../keymap.ts';
import { keyOf, wheelRows } from '../keys.ts';
import type { Mode, Popup, Prompt } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import { type Line, lineColumns, padEnd, span, visiblePart } from '../text.ts';
import type { Theme } from '../theme.ts';
import type { Ui } from '../ui.ts';

const keyColumns = 16;

export class HelpMode implements Mode {
  readonly name = 'help';
  readonly #ui: Ui;
  readonly #filter = new TextBuffer('');
  #at = 0;
  #room = 1;

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  token(token: Token): void {
    if (token.type === 'mouse') {
      this.#scroll(wheelRows(token));
      return;
    }
    const key = keyOf(token);
    const step = stepOf(scrollKeys[key ?? ''], Math.max(1, this.#room - 1));
    if (step !== undefined) this.#scroll(step);
    else if (key === 'Esc' || key === 'Enter' || key === 'C-c') this.#ui.pop(this);
    else if (editWith(this.#filter, token)) this.#at = 0;
    this.#ui.refresh();
  }

  #scroll(by: number): void {
    this.#at = Math.max(0, this.#at + by);
    this.#ui.refresh();
  }

  prompt(): Prompt {
    const { styles } = this.#ui.theme;
    const label = ' Find: ';
    const typed = visiblePart(this.#filter.text);
    const before = visiblePart(this.#filter.text.slice(0, this.#filter.at));
    const hints = [
      ['↑ ↓', 'scroll'],
      ['Esc', 'back'],
    ].flatMap(([key = '', what]) => [span(`   ${key}`, styles.accent), span(` ${what}`, styles.dim)]);
    return {
      line: [span(label, styles.accent), span(padEnd(typed, 12)), ...hints],
      cursor: label.length + stringColumns(before),
    };
  }

  popup(_columns: number, rows: number): Popup {
    const { theme, keymap } = this.#ui;
    const all = helpLines(theme, keymap, '');
    const lines = helpLines(theme, keymap, this.#filter.text);
    this.#room = Math.min(rows, all.length);
    this.#at = Math.max(0, Math.min(this.#at, lines.length - this.#room));
    // It keeps its size, whatever is found.
    const gap = [span(' '.repeat(Math.max(...all.map(lineColumns))))];
    const gaps = Array.from({ length: Math.max(1, this.#room - lines.length) }, () => gap);
    return { title: 'Keys', lines: [...lines.slice(this.#at), ...gaps].slice(0, this.#room) };
  }
}

/** What moves the list: letters go into the filter. */
const scrollKeys: Record<string, InspectorAction | undefined> = {
  Up: 'up',
  Down: 'down',
  PageUp: 'page-up',
  PageDown: 'page-down',
};

/** The lines in which every word of `filter` is found, below the titles of their sections. */
function helpLines(theme: Theme, keymap: Keymap, filter: string): Line[] {
  const { styles } = theme;
  const words = filter.toLowerCase().split(' ').filter(Boolean);
  const found = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const section = (title: string, bindings: readonly Binding[], before = ''): Line[] => {
    const rows = merged(bindings).map(({ keys, help }) => ({
      keys: keys.map((key) => before + key).join('  '),
      help,
    }));
    const shown = rows.filter(({ keys, help }) => found(`${title} ${keys} ${help}`));
    if (shown.length === 0) return [];
    return [
      [span(` ${title}`, styles.strong)],
      ...shown.map(({ keys, help }) => [
        span(`  ${padEnd(keys, keyColumns)}`, styles.accent),
        span(` ${help}`),
      ]),
      [],
    ];
  };
  const lines = [
    ...section(`After ${keymap.prefix}`, keymap.bindings),
    ...section('Resizing', resizeKeys),
    ...section('Copy mode', copyKeys),
    ...section('Approval card', cardKeys),
    ...section('Editing the arguments', editorKeys),
    ...section('Inspector', inspectorKeys),
    ...section('List of instances', listKeys),
  ];
  if (lines.length === 0) return [[span(' No key does that: the palette may have a command.', styles.dim)]];
  return [...lines, [span(' Everything else goes to the program of the focused pane.', styles.dim)]];
}

/** One row for the nine tabs. */
function merged(bindings: readonly Binding[]): readonly Binding[] {
  return bindings
    .filter(({ action }) => !/^tab [2-9]$/.test(action))
    .map((binding) =>
      binding.action === 'tab 1' ? { ...binding, keys: ['1', '…', '9'], help: 'that tab' } : binding,
    );
}
