import type { Clock } from '../../../src/agents/embedded/clock.ts';

/** A clock that moves when the test says so. */
export class TestClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves on by `ms`, ringing what comes due in order, and lets messages arrive between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await messagesArrive();
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at).filter((timer) => timer.at <= end);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }
}

/** In-process connections move by microtasks and stream ticks alone: a few turns of the loop deliver all. */
export async function messagesArrive(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
