/**
 * Work that strangers can make slow and that holds up the whole host: what took long has to be made up
 * for, so that in the long run it never takes more than a small share of the time.
 */

import { stopwatch } from '../schema/index.ts';

/** Pieces up to this many milliseconds of this process's own time are ordinary, and cost nothing. */
const ordinaryMs = 20;
/** So much slow work may be done at once, in milliseconds. */
const mostOwedMs = 250;
/** Each millisecond makes up for so many of slow work. */
const share = 0.05;

export class Pace {
  #owedMs = 0;
  #countedAt = 0;

  /** What `work` gives; while too much is owed, what `otherwise` gives, which is told for how many seconds. */
  run<T>(work: () => T, otherwise: (seconds: number) => T): T {
    const wait = this.wait();
    if (wait > 0) return otherwise(wait);
    const spent = stopwatch();
    try {
      return work();
    } finally {
      this.spend(spent());
    }
  }

  /** For how many seconds, rounded up, too much is owed; 0 when work may be done. */
  wait(): number {
    const now = performance.now();
    this.#owedMs = Math.max(0, this.#owedMs - share * (now - this.#countedAt));
    this.#countedAt = now;
    return Math.ceil(Math.max(0, this.#owedMs - mostOwedMs) / share / 1_000);
  }

  /** Work took so many milliseconds that was done elsewhere. */
  spend(ms: number): void {
    if (ms > ordinaryMs) this.#owedMs += ms;
  }
}
