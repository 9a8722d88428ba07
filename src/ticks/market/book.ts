/**
 * The order book: matches what comes in against what rests, by price and then by time. Prices are whole cents.
 * Never decides who may trade, and keeps no money.
 */

export type Side = 'buy' | 'sell';

/** Whose order it is: the person at the keys, the agent behind the tools, or the simulated crowd. */
export type Owner = 'person' | 'agent' | 'crowd';

/** What the book needs to know of an order; it lowers `remaining` as trades happen. */
export interface BookOrder {
  readonly side: Side;
  /** Cents. */
  readonly price: number;
  /** Shares not yet traded. */
  remaining: number;
  readonly owner: Owner;
}

/** One trade, at the price of the order that was there first. */
export interface Match {
  readonly maker: BookOrder;
  readonly taker: BookOrder;
  readonly price: number;
  readonly qty: number;
}

/** All orders at one price. Sizes in shares. */
export interface Level {
  readonly price: number;
  readonly size: number;
  readonly orders: number;
  readonly person: number;
  readonly agent: number;
}

export interface Book {
  /** Best first, and at one price the earliest first. */
  resting(side: Side): readonly BookOrder[];
  /** Best first. */
  levels(side: Side, count: number): Level[];
  best(side: Side): number | undefined;
  /** What `order` would trade with, the first in line first; nothing is traded. */
  opposite(order: BookOrder): readonly BookOrder[];
  /** Trades what can be traded; what is left rests behind all orders at its price, or is dropped. */
  submit(order: BookOrder, leftover: 'rests' | 'drops'): Match[];
  withdraw(order: BookOrder): void;
  /** Takes out every order of the side that `goes`. */
  sweep(side: Side, goes: (order: BookOrder) => boolean): void;
}

export function createBook(): Book {
  const sides: Record<Side, BookOrder[]> = { buy: [], sell: [] };
  const against = (side: Side) => sides[side === 'buy' ? 'sell' : 'buy'];

  return {
    resting: (side) => sides[side],
    levels: (side, count) => levelsOf(sides[side], count),
    best: (side) => sides[side][0]?.price,
    opposite: (order) => against(order.side).filter((maker) => crosses(order, maker.price)),
    submit(order, leftover) {
      const queue = against(order.side);
      const matches: Match[] = [];
      for (let maker = queue[0]; maker && order.remaining > 0; maker = queue[0]) {
        if (!crosses(order, maker.price)) break;
        const qty = Math.min(order.remaining, maker.remaining);
        order.remaining -= qty;
        maker.remaining -= qty;
        if (maker.remaining === 0) queue.shift();
        matches.push({ maker, taker: order, price: maker.price, qty });
      }
      if (order.remaining > 0 && leftover === 'rests') enqueue(sides[order.side], order);
      return matches;
    },
    withdraw(order) {
      const queue = sides[order.side];
      const place = queue.indexOf(order);
      if (place >= 0) queue.splice(place, 1);
    },
    sweep(side, goes) {
      sides[side] = sides[side].filter((order) => !goes(order));
    },
  };
}

function crosses(order: BookOrder, price: number): boolean {
  return order.side === 'buy' ? order.price >= price : order.price <= price;
}

function enqueue(queue: BookOrder[], order: BookOrder): void {
  const worse = queue.findIndex(({ price }) =>
    order.side === 'buy' ? price < order.price : price > order.price,
  );
  queue.splice(worse < 0 ? queue.length : worse, 0, order);
}

function levelsOf(queue: readonly BookOrder[], count: number): Level[] {
  const levels: { -readonly [Key in keyof Level]: Level[Key] }[] = [];
  for (const { price, remaining, owner } of queue) {
    let level = levels.at(-1);
    if (level?.price !== price) {
      if (levels.length === count) break;
      level = { price, size: 0, orders: 0, person: 0, agent: 0 };
      levels.push(level);
    }
    level.size += remaining;
    level.orders += 1;
    if (owner !== 'crowd') level[owner] += remaining;
  }
  return levels;
}
