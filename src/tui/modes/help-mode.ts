/** The list of keys, made from the keymap itself. */
import {
  actionOf,
  type Binding,
  cardKeys,
  editorKeys,
  inspectorKeys,
  type Keymap,
  listKeys,
  stepOf,
} from '../keymap.ts';
import { keyOf } from '../keys.ts';
import type { Mode, Popup } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import { type Line, padEnd, span } from '../text.ts';
import type { Theme } from '../theme.ts';
import type { Ui } from '../ui.ts';

const keyColumns = 16;

export class HelpMode implements Mode {
  readonly name = 'help';
  readonly #ui: Ui;
  #at = 0;

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  token(token: Token): void {
    if (token.type === 'mouse') {
      if (token.action === 'wheel') this.#scroll(token.button === 64 ? -3 : 3);
      return;
    }
    const key = keyOf(token);
    if (key === undefined) return;
    const step = stepOf(actionOf(inspectorKeys, key), 10);
    if (step === undefined) this.#ui.pop(this);
    else this.#scroll(step);
  }

  #scroll(by: number): void {
    this.#at = Math.max(0, Math.min(helpLines(this.#ui.theme, this.#ui.keymap).length - 1, this.#at + by));
    this.#ui.refresh();
  }

  hints() {
    return [
      ['↑ ↓', 'scroll'],
      ['any other key', 'back'],
    ] as const;
  }

  popup(_columns: number, rows: number): Popup {
    const lines = helpLines(this.#ui.theme, this.#ui.keymap);
    this.#at = Math.min(this.#at, Math.max(0, lines.length - rows));
    return { title: 'Keys', lines: lines.slice(this.#at) };
  }
}

function helpLines(theme: Theme, keymap: Keymap): Line[] {
  const { styles } = theme;
  const section = (title: string, bindings: readonly Binding[], before = ''): Line[] => [
    [span(` ${title}`, styles.strong)],
    ...merged(bindings).map(({ keys, help }) => [
      span(`  ${padEnd(keys.map((key) => before + key).join('  '), keyColumns)}`, styles.accent),
      span(` ${help}`),
    ]),
    [],
  ];
  return [
    ...section(`After ${keymap.prefix}`, keymap.bindings),
    ...section('Approval card', cardKeys),
    ...section('Editing the arguments', editorKeys),
    ...section('Inspector', inspectorKeys),
    ...section('List of instances', listKeys),
    [span(' Everything else goes to the program of the focused pane.', styles.dim)],
  ];
}

/** One row for the nine tabs. */
function merged(bindings: readonly Binding[]): readonly Binding[] {
  return bindings
    .filter(({ action }) => !/^tab [2-9]$/.test(action))
    .map((binding) =>
      binding.action === 'tab 1' ? { ...binding, keys: ['1', '…', '9'], help: 'that tab' } : binding,
    );
}
