/**
 * Work that strangers can make slow and that holds up the whole host: what took long has to be made up
 * for, so that in the long run it never takes more than a small share of the time.
 */

import { cpuMs, recentCpuMs } from '../schema/index.ts';

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
    const start = performance.now();
    this.#owedMs = Math.max(0, this.#owedMs - share * (start - this.#countedAt));
    this.#countedAt = start;
    const over = this.#owedMs - mostOwedMs;
    if (over > 0) return otherwise(Math.ceil(over / share / 1_000));
    const before = recentCpuMs();
    try {
      return work();
    } finally {
      const spent = performance.now() - start;
      // A busy machine makes any work long, which is nobody's fault.
      if (spent > ordinaryMs) this.#owedMs += Math.min(spent, cpuMs() - before);
    }
  }
}
