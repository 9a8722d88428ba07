/** A series of numbers as one row of bars. Pure. */

/**
 * The newest values that fit into `columns`, oldest first, between the lowest and the highest of them;
 * a series that does not move is drawn in the middle. Values that are no finite numbers are blanks.
 */
export function sparkline(values: readonly (number | undefined)[], columns: number, bars: string): string {
  const steps = [...bars];
  const shown = values.slice(-Math.max(1, columns));
  const finite = shown.filter((value): value is number => value !== undefined && Number.isFinite(value));
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  return shown
    .map((value) => {
      if (value === undefined || !Number.isFinite(value)) return ' ';
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return steps[Math.round(share * (steps.length - 1))] ?? ' ';
    })
    .join('');
}

const preferred = ['close', 'value', 'price', 'last', 'y'];

/** The numbers of an array of numbers, or of one numeric field of its objects; undefined: there are none. */
export function seriesOf(items: readonly unknown[]): (number | undefined)[] | undefined {
  const sample = items.find((item) => item !== null && item !== undefined);
  if (typeof sample === 'number') return items.map((item) => (typeof item === 'number' ? item : undefined));
  if (typeof sample !== 'object' || sample === null) return undefined;
  const numeric = Object.keys(sample).filter((key) => typeof fieldOf(sample, key) === 'number');
  const field = preferred.find((key) => numeric.includes(key)) ?? numeric[0];
  if (field === undefined) return undefined;
  return items.map((item) => {
    const value = fieldOf(item, field);
    return typeof value === 'number' ? value : undefined;
  });
}

function fieldOf(item: unknown, key: string): unknown {
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, key)) return undefined;
  return (item as Record<string, unknown>)[key];
}
