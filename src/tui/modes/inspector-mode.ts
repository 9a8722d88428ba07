/** Keys of the inspector while it has the focus. */
import { actionOf, inspectorKeys, keyFor, stepOf } from '../keymap.ts';
import { keyOf, wheelRows } from '../keys.ts';
import type { Mode } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import type { Ui } from '../ui.ts';
import { CardMode } from './card-mode.ts';
import { leaveByClick } from './pane-click.ts';
import { PrefixMode } from './prefix-mode.ts';

export class InspectorMode implements Mode {
  readonly name = 'inspector';
  readonly #ui: Ui;

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  token(token: Token): void {
    const { inspector } = this.#ui;
    if (token.type === 'mouse') {
      if (token.action === 'wheel') inspector.scroll(wheelRows(token));
      else leaveByClick(this.#ui, token);
      return;
    }
    const key = keyOf(token);
    if (key === this.#ui.keymap.prefix) this.#ui.push(new PrefixMode(this.#ui, this));
    const action = actionOf(inspectorKeys, key);
    const step = stepOf(action, inspector.pageRows());
    if (step !== undefined) inspector.move(step);
    else if (action === 'previous' || action === 'next') inspector.turnPage(action === 'next' ? 1 : -1);
    else if (action === 'leave') this.#ui.pop(this);
    else if (action === 'open') {
      const call = inspector.open();
      if (call !== undefined) CardMode.open(this.#ui, call);
    }
  }

  hints() {
    return [
      ['← →', 'page'],
      ['↑ ↓', 'move'],
      ['Enter', 'open'],
      ['Esc', 'back'],
      [keyFor(this.#ui.keymap, 'inspector'), 'hide'],
    ] as const;
  }
}
