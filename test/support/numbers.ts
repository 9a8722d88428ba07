/** Chance that can be had again: the same numbers for the same seed (Mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The list in another order. */
export function shuffled<T>(list: readonly T[], next: () => number): T[] {
  const rest = [...list];
  for (let last = rest.length - 1; last > 0; last--) {
    const at = Math.floor(next() * (last + 1));
    [rest[last], rest[at]] = [rest[at] as T, rest[last] as T];
  }
  return rest;
}
