/**
 * The click that brings the terminal to the front is meant for the window, and for nothing in it: it is told from others
 * by coming right behind the focus. Decides nothing else.
 */
import type { Clock } from './clock.ts';
import type { Token } from './stage/index.ts';

/** A press this soon after the focus came, in milliseconds, is what brought it. */
const soonMs = 300;

export class FirstClick {
  readonly #clock: Clock;
  #focusedAt = Number.NEGATIVE_INFINITY;
  #held = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether this token belongs to such a click, from its press to its release. Sees every token. */
  takes(token: Token): boolean {
    if (token.type === 'focus') {
      this.#focusedAt = token.focused ? this.#clock.ticks() : Number.NEGATIVE_INFINITY;
      this.#held = false;
    }
    if (token.type !== 'mouse' || token.action === 'wheel' || token.action === 'move') return false;
    if (token.action === 'press') {
      this.#held = this.#clock.ticks() - this.#focusedAt < soonMs;
      this.#focusedAt = Number.NEGATIVE_INFINITY;
    }
    const taken = this.#held;
    if (token.action === 'release') this.#held = false;
    return taken;
  }
}
