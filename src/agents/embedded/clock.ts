/** Time as the rules see it: a test hands in its own and never waits. */
export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Calls back once after `ms`; returns what cancels that. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
