/**
 * Which lines of a card have been on the terminal: for each digest, at the width they were cut for.
 * Jumping to the end is not having seen the middle.
 */

interface Seen {
  columns: number;
  readonly lines: Set<number>;
  /** All were seen, at whatever width. */
  all: boolean;
}

export class SeenRows {
  readonly #byDigest = new Map<string, Seen>();

  /** The terminal has shown the lines `from` to `to` (exclusive). */
  add(digest: string, columns: number, from: number, to: number): void {
    const seen = this.#of(digest, columns);
    for (let line = from; line < to; line++) seen.lines.add(line);
  }

  /** How many of `must` are still unseen. */
  missing(digest: string, columns: number, must: readonly number[]): number {
    const seen = this.#of(digest, columns);
    if (seen.all) return 0;
    const missing = must.filter((line) => !seen.lines.has(line)).length;
    if (missing === 0) seen.all = true;
    return missing;
  }

  /** The first of `must` that is still unseen. */
  firstMissing(digest: string, columns: number, must: readonly number[]): number | undefined {
    const seen = this.#of(digest, columns);
    return seen.all ? undefined : must.find((line) => !seen.lines.has(line));
  }

  /** Cut for another width, lines are other lines. */
  #of(digest: string, columns: number): Seen {
    let seen = this.#byDigest.get(digest);
    if (!seen) {
      seen = { columns, lines: new Set(), all: false };
      this.#byDigest.set(digest, seen);
    }
    if (seen.columns !== columns) {
      seen.columns = columns;
      seen.lines.clear();
    }
    return seen;
  }
}
