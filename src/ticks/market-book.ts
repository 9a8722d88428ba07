/**
 * The simulated market behind the market Tick: one price that moves by a seeded chance, and the orders on it.
 * Prices inside are whole cents. Never draws and knows no host.
 */

export type Side = 'buy' | 'sell';

export interface Order {
  readonly id: number;
  readonly side: Side;
  readonly qty: number;
  /** Cents. */
  readonly price: number;
  readonly by: 'person' | 'agent';
  readonly note: string;
  state: 'open' | 'filled' | 'cancelled';
}

/** Prices in cents over {@link stepsPerCandle} steps; `n` counts candles from the start of the seed. */
interface Candle {
  readonly n: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
}

export interface Market {
  readonly last: number;
  readonly bid: number;
  readonly ask: number;
  readonly bidSize: number;
  readonly askSize: number;
  /** The price when the program started. */
  readonly opened: number;
  /** Shares held; negative when sold short. */
  readonly holding: number;
  /** Cents gained or spent by fills. */
  readonly cash: number;
  /** Newest last; the last one is still growing. At most {@link candlesKept}. */
  readonly candles: readonly Candle[];
  /** Oldest first: every open order and the last closed ones. */
  readonly orders: readonly Order[];
  /** Moves the price by one step and fills the orders it crosses. */
  step(): void;
  /** The order, perhaps filled at once; or why there is none, as a sentence. */
  place(side: Side, qty: number, price: number, by: Order['by'], note?: string): Order | string;
  /** The cancelled order, or why it was not. */
  cancel(id: number): Order | string;
}

export const candlesKept = 240;
export const openOrdersAllowed = 8;
/** Cents. */
export const lowestPrice = 1;
export const highestPrice = 50_000;
const stepsPerCandle = 5;
const closedKept = 20;
const anchor = 10_000;

/** Deterministic: one seed, one sequence of prices. Starts with a full chart behind it. */
export function createMarket(seed: number): Market {
  const random = generator(seed);
  const candles: Candle[] = [];
  const orders: Order[] = [];
  let last = anchor;
  let drift = 0;
  let [bid, ask, bidSize, askSize] = [last - 5, last + 5, 40, 40];
  let steps = 0;
  let nextId = 1;
  let holding = 0;
  let cash = 0;

  /** A slow swell with a pull back to the anchor, so that the chart never runs off. */
  function move(): void {
    drift = drift * 0.92 + (random() - 0.5) * 5 + (anchor - last) * 0.0006;
    last = clamp(Math.round(last + drift + (random() - 0.5) * 12), 100, highestPrice - 100);
    const halfSpread = 2 + Math.floor(random() * 6);
    [bid, ask] = [last - halfSpread, last + halfSpread];
    [bidSize, askSize] = [5 + Math.floor(random() * 76), 5 + Math.floor(random() * 76)];
    record();
  }

  function record(): void {
    const current = candles.at(-1);
    if (!current || steps % stepsPerCandle === 0) {
      candles.push({ n: steps / stepsPerCandle, open: last, high: last, low: last, close: last });
      if (candles.length > candlesKept) candles.shift();
    } else {
      current.high = Math.max(current.high, last);
      current.low = Math.min(current.low, last);
      current.close = last;
    }
    steps += 1;
  }

  /** A crossed order trades at the market's price, which is never worse than its own. */
  function fill(order: Order): void {
    const crossed = order.side === 'buy' ? ask <= order.price : bid >= order.price;
    if (order.state !== 'open' || !crossed) return;
    order.state = 'filled';
    const sign = order.side === 'buy' ? 1 : -1;
    holding += sign * order.qty;
    cash -= sign * order.qty * (order.side === 'buy' ? ask : bid);
  }

  function forgetOldest(): void {
    const closed = orders.filter((order) => order.state !== 'open');
    const oldest = closed[0];
    if (oldest && closed.length > closedKept) orders.splice(orders.indexOf(oldest), 1);
  }

  while (steps < candlesKept * stepsPerCandle) move();
  const opened = last;

  return {
    get last() {
      return last;
    },
    get bid() {
      return bid;
    },
    get ask() {
      return ask;
    },
    get bidSize() {
      return bidSize;
    },
    get askSize() {
      return askSize;
    },
    get holding() {
      return holding;
    },
    get cash() {
      return cash;
    },
    opened,
    candles,
    orders,
    step() {
      move();
      for (const order of orders) fill(order);
    },
    place(side, qty, price, by, note = '') {
      if (orders.filter((order) => order.state === 'open').length >= openOrdersAllowed) {
        return `${openOrdersAllowed} orders are open, which is the limit. Cancel one first.`;
      }
      const order: Order = {
        id: nextId,
        side,
        qty,
        price: clamp(price, lowestPrice, highestPrice),
        by,
        note,
        state: 'open',
      };
      nextId += 1;
      orders.push(order);
      fill(order);
      forgetOldest();
      return order;
    },
    cancel(id) {
      const order = orders.find((candidate) => candidate.id === id);
      if (!order) return `There is no order ${id}.`;
      if (order.state !== 'open') return `Order ${id} is already ${order.state}.`;
      order.state = 'cancelled';
      return order;
    },
  };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** A linear congruential generator modulo 2^32, its upper bits as a number from 0 to below 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
