/** Time as the screen sees it; tests put their own in. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that no change of the date can move. */
  ticks(): number;
  /** Calls back once after `ms`; returns the way to cancel. */
  delay(callback: () => void, ms: number): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  delay(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
