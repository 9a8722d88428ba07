/** Holds what is typed while a new pane is on its way, and gives it out once that has the focus. */
import type { Mode } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import type { Ui } from '../ui.ts';

/** A program that takes longer to start gets nothing typed ahead. */
const holdMs = 1_000;

export class HoldMode implements Mode {
  readonly name = 'hold';
  readonly wholeRuns = true;
  readonly everyKey = true;
  readonly #ui: Ui;
  readonly #held: Token[] = [];
  readonly #cancel: () => void;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#cancel = ui.clock.delay(() => this.release(), holdMs);
  }

  token(token: Token): void {
    this.#held.push(token);
  }

  /** Gives out what was held, after `ready` made way for it. */
  release(ready: () => void = () => {}): void {
    this.#cancel();
    this.#ui.pop(this);
    ready();
    this.#ui.replay(this.#held.splice(0));
    this.#ui.refresh();
  }
}
