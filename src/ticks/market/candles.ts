/**
 * Records trades as candles and merges candles to wider ones. Knows steps, not clocks.
 */

/** Prices in cents and shares traded; `n` counts candles of its width from the start of the seed. */
export interface Candle {
  readonly n: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Steps in the narrowest candle. */
export const narrowest = 5;
/** Steps a candle can be wide. */
export const candleWidths = [narrowest, 15, 30, 60] as const;
/** How many of the narrowest candles are kept: forty minutes at a step a second. */
export const candlesKept = 480;

export interface Candles {
  /** Newest last, the last one still growing. */
  readonly narrow: readonly Candle[];
  /** The newest candles that are `steps` wide, which is one of {@link candleWidths}; newest last. */
  wide(steps: number, count: number): Candle[];
  trade(price: number, qty: number): void;
  /** Ends a step. */
  step(): void;
}

export function createCandles(first: number): Candles {
  const narrow: Candle[] = [flat(0, first)];
  let steps = 0;
  const current = () => narrow[narrow.length - 1]!;

  return {
    narrow,
    wide(steps, count) {
      const wide: Candle[] = [];
      for (const candle of narrow) {
        const n = Math.floor((candle.n * narrowest) / steps);
        const last = wide.at(-1);
        if (last?.n === n) add(last, candle);
        else wide.push({ ...candle, n });
      }
      return wide.slice(-count);
    },
    trade(price, qty) {
      add(current(), { high: price, low: price, close: price, volume: qty });
    },
    step() {
      steps += 1;
      if (steps % narrowest !== 0) return;
      narrow.push(flat(steps / narrowest, current().close));
      if (narrow.length > candlesKept) narrow.shift();
    },
  };
}

function flat(n: number, price: number): Candle {
  return { n, open: price, high: price, low: price, close: price, volume: 0 };
}

function add(candle: Candle, later: Pick<Candle, 'high' | 'low' | 'close' | 'volume'>): void {
  candle.high = Math.max(candle.high, later.high);
  candle.low = Math.min(candle.low, later.low);
  candle.close = later.close;
  candle.volume += later.volume;
}
