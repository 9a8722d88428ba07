/** After the prefix key: one key, looked up in the keymap, then back. */
import { actionOf, keyFor } from '../keymap.ts';
import { isRepeat, keyOf } from '../keys.ts';
import type { Mode } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import type { Ui } from '../ui.ts';

/** What is worth a hint, and the actions whose keys it names. */
const hinted = [
  ['keys', 'help'],
  ['split', 'split right', 'split down'],
  ['focus', 'focus left', 'focus down', 'focus up', 'focus right'],
  ['new tab', 'new-tab'],
  ['instances', 'instances'],
  ['command', 'palette'],
] as const;

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
    // The prefix itself, held down.
    if (isRepeat(token)) return;
    this.#ui.pop(this);
    const { keymap } = this.#ui;
    const action = actionOf(keymap.bindings, key);
    if (action !== undefined) this.#ui.run(action);
    else if (key !== 'Esc')
      this.#ui.say(`${keymap.prefix} ${key} does nothing: ${keyFor(keymap, 'help')} lists the keys.`);
  }

  hints() {
    const { bindings } = this.#ui.keymap;
    const hints = hinted.flatMap(([what, ...actions]): (readonly [string, string])[] => {
      const keys = actions.flatMap(
        (action) => bindings.find((one) => one.action === action)?.keys.at(-1) ?? [],
      );
      return keys.length === 0 ? [] : [[keys.join(' '), what]];
    });
    return [...hints, ['Esc', 'back'] as const];
  }

  cursor() {
    return this.#below.cursor?.();
  }
}
