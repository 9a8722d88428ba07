/** Ages and clock times as people read them, and how long until the words change. */

/** `3 s`, `5 min`, `2 h`, `4 d`. */
export function age(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1_000));
  if (s < 60) return `${s} s`;
  if (s < 3_600) return `${Math.floor(s / 60)} min`;
  if (s < 86_400) return `${Math.floor(s / 3_600)} h`;
  return `${Math.floor(s / 86_400)} d`;
}

/** Milliseconds until `age` says something else. */
export function nextAge(ms: number): number {
  const at = Math.max(0, ms);
  const unit = at < 60_000 ? 1_000 : at < 3_600_000 ? 60_000 : 3_600_000;
  return unit - (at % unit);
}

/** Local time of day, `16:04:11`. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Ages as they are said while a screen is drawn, and when the first of them will be another. */
export class Ages {
  readonly #now: () => number;
  #next = Number.POSITIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly since = (at: number): string => {
    const ms = this.#now() - at;
    this.#next = Math.min(this.#next, nextAge(ms));
    return age(ms);
  };

  readonly until = (at: number): string => {
    const ms = at - this.#now();
    if (ms <= 0) return 'now';
    this.#next = Math.min(this.#next, ms < 60_000 ? 1_000 : ms < 3_600_000 ? 60_000 : 3_600_000);
    return `in ${age(ms)}`;
  };

  /** Milliseconds until something said changes, and starts anew; undefined: nothing was said. */
  takeNext(): number | undefined {
    const next = this.#next;
    this.#next = Number.POSITIVE_INFINITY;
    return Number.isFinite(next) ? next : undefined;
  }
}
