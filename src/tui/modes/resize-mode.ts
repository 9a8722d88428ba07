/** Moves the border of the focused pane, cell by cell, until it is left. Its keys name commands, as the prefix's do. */
import { actionOf, resizeKeys } from '../keymap.ts';
import { keyOf } from '../keys.ts';
import type { Mode } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import type { Ui } from '../ui.ts';
import { DragMode } from './drag-mode.ts';
import { leaveByClick } from './pane-click.ts';
import { PrefixMode } from './prefix-mode.ts';

export class ResizeMode implements Mode {
  readonly name = 'resize';
  readonly #ui: Ui;

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  token(token: Token): void {
    if (token.type === 'mouse') {
      if (!DragMode.grab(this.#ui, this, token)) leaveByClick(this.#ui, token);
      return;
    }
    const key = keyOf(token);
    const action = actionOf(resizeKeys, key);
    if (key === this.#ui.keymap.prefix) this.#ui.push(new PrefixMode(this.#ui, this));
    else if (action === 'leave') this.#ui.pop(this);
    else if (action !== undefined) this.#ui.run(action);
  }

  hints() {
    return [
      ['← ↓ ↑ →', 'move the border'],
      ['H J K L', 'by five'],
      ['=', 'even'],
      ['Esc', 'back'],
    ] as const;
  }
}
