/**
 * Shares the event loop among the screens of a host: an echo at once, bulk in slices, each screen in turn.
 * Never touches a terminal; pausing one is for whoever watches `pendingBytes`.
 */
import type { Screen } from './index.ts';

/** The longest piece of parsing before input and sockets get their turn, in milliseconds. */
const sliceMs = 1;
/** A chunk this small is taken for an echo. */
const echoBytes = 4_096;

export class ParseScheduler {
  /** Screens with bytes to parse, the next one first. */
  readonly #waiting = new Set<Screen>();
  /** Screens that had a chunk parsed at once in this turn of the event loop. */
  readonly #served = new Set<Screen>();
  #scheduled = false;

  /**
   * Gives a screen bytes from its terminal. A small chunk, the screen's first in this turn of the loop and
   * with none waiting before it, is parsed before this returns; anything else later, in order.
   */
  write(screen: Screen, bytes: Buffer): void {
    screen.write(bytes);
    const echo = bytes.length <= echoBytes && !this.#waiting.has(screen) && !this.#served.has(screen);
    if (echo) {
      this.#served.add(screen);
      if (screen.parse(sliceMs)) this.#waiting.add(screen);
    } else if (screen.pendingBytes > 0) this.#waiting.add(screen);
    this.#schedule();
  }

  /** Forgets a screen; its unparsed bytes stay with it. */
  remove(screen: Screen): void {
    this.#waiting.delete(screen);
    this.#served.delete(screen);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#served.clear();
      this.#parseNext();
      if (this.#waiting.size > 0) this.#schedule();
    });
  }

  #parseNext(): void {
    for (const screen of this.#waiting) {
      this.#waiting.delete(screen);
      // Behind the others again.
      if (screen.parse(sliceMs)) this.#waiting.add(screen);
      return;
    }
  }
}
