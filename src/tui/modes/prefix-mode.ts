/** After the prefix key: one key, looked up in the keymap, then back. */
import { actionOf, prefixKeys } from '../keymap.ts';
import { keyOf } from '../keys.ts';
import type { Mode } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import type { Ui } from '../ui.ts';

export class PrefixMode implements Mode {
  readonly name = 'prefix';
  readonly #ui: Ui;
  readonly #below: Mode;

  constructor(ui: Ui, below: Mode) {
    this.#ui = ui;
    this.#below = below;
  }

  token(token: Token): void {
    const key = keyOf(token);
    if (key === undefined) {
      if (token.type !== 'mouse') this.#ui.pop(this);
      if (token.type === 'paste') this.#below.token(token);
      return;
    }
    this.#ui.pop(this);
    const action = actionOf(prefixKeys, key);
    if (action !== undefined) this.#ui.run(action);
    else if (key !== 'Esc') this.#ui.say(`C-b ${key} does nothing: C-b ? lists the keys.`);
  }

  hints() {
    return [
      ['?', 'keys'],
      ['v -', 'split'],
      ['arrows', 'focus'],
      ['c', 'new tab'],
      ['w', 'instances'],
      [':', 'command'],
      ['Esc', 'back'],
    ] as const;
  }

  cursor() {
    return this.#below.cursor?.();
  }
}
