/**
 * The simulated exchange: the book, the crowd in it, the orders of the person and the agent, what they hold, and
 * what was traded. Money is whole cents. Never draws and knows no host.
 */
import { noPosition, type Position, together, traded } from './account.ts';
import { type Book, type BookOrder, createBook, type Match, type Owner, type Side } from './book.ts';
import { type Candles, candlesKept, createCandles, narrowest } from './candles.ts';
import { anchor, createCrowd } from './crowd.ts';

/** Those whose orders and positions are kept: they share the screen, not their money. */
export type Participant = Exclude<Owner, 'crowd'>;
export const participants = ['person', 'agent'] as const satisfies readonly Participant[];

export interface Order extends BookOrder {
  readonly id: number;
  readonly owner: Participant;
  readonly note: string;
  qty: number;
  price: number;
  /** Cents paid or received for the shares traded so far. */
  paid: number;
  state: 'open' | 'filled' | 'cancelled';
}

export interface Trade {
  /** Counts from the start of the seed. */
  readonly n: number;
  readonly price: number;
  readonly qty: number;
  /** Who came to the order that was there. */
  readonly taker: Side;
  readonly buyer: Owner;
  readonly seller: Owner;
}

/** What happened since the program started; prices in cents. */
export interface Session {
  readonly opened: number;
  readonly high: number;
  readonly low: number;
  /** Shares. */
  readonly volume: number;
}

export interface Exchange {
  readonly book: Book;
  readonly candles: Candles;
  /** Cents. */
  readonly last: number;
  readonly session: Session;
  /** Newest last, at most {@link tradesKept}. */
  readonly trades: readonly Trade[];
  /** Oldest first: every open order and the last closed ones. */
  readonly orders: readonly Order[];
  readonly open: readonly Order[];
  position(whose: Participant | 'total'): Position;
  /** Lets the crowd act once. */
  step(): void;
  /** The order, perhaps filled already; or why there is none, as a sentence. Nothing was done then. */
  place(side: Side, qty: number, price: number, by: Participant, note?: string): Order | string;
  /** Changes an open order: fewer shares keep its place in line, anything else puts it at the end. */
  amend(id: number, change: { qty?: number; price?: number }): Order | string;
  cancel(id: number): Order | string;
}

export const openOrdersAllowed = 8;
/** Shares in one order. */
export const largestOrder = 500;
/** Cents. */
export const lowestPrice = 1;
export const highestPrice = 50_000;
export const tradesKept = 100;
const closedKept = 20;
/** Steps in which the book and the list of trades fill before anybody looks. */
const warmUp = 40;

/** Deterministic: one seed and the same orders at the same steps give the same trades. Starts with a full chart. */
export function createExchange(seed: number): Exchange {
  const book = createBook();
  const candles = createCandles(anchor);
  const crowd = createCrowd(seed, book, (order, leftover) => settle(book.submit(order, leftover)));
  const trades: Trade[] = [];
  const orders: Order[] = [];
  const positions: Record<Participant, Position> = { person: noPosition, agent: noPosition };
  let last = anchor;
  let tradeCount = 0;
  let nextId = 1;
  let session = { opened: last, high: last, low: last, volume: 0 };

  function settle(matches: readonly Match[]): void {
    for (const match of matches) {
      const { maker, taker, price, qty } = match;
      for (const party of [maker, taker]) keep(party, price, qty);
      const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker];
      tradeCount += 1;
      trades.push({
        ...{ n: tradeCount, price, qty, taker: taker.side },
        ...{ buyer: buyer.owner, seller: seller.owner },
      });
      if (trades.length > tradesKept) trades.shift();
      candles.trade(price, qty);
      last = price;
      session = {
        ...session,
        high: Math.max(session.high, price),
        low: Math.min(session.low, price),
        volume: session.volume + qty,
      };
    }
  }

  function keep(party: BookOrder, price: number, qty: number): void {
    if (!isOwn(party)) return;
    party.paid += price * qty;
    if (party.remaining === 0) party.state = 'filled';
    positions[party.owner] = traded(positions[party.owner], party.side, qty, price);
  }

  const open = () => orders.filter(({ state }) => state === 'open');

  function forgetOldest(): void {
    const closed = orders.filter(({ state }) => state !== 'open');
    if (closed.length > closedKept) orders.splice(orders.indexOf(closed[0]!), 1);
  }

  function find(id: number): Order | string {
    const order = orders.find((candidate) => candidate.id === id);
    if (!order) return `There is no order ${id}.`;
    return order.state === 'open' ? order : `Order ${id} is already ${order.state}.`;
  }

  /** A trade with oneself would only look like one. */
  function conflict(order: BookOrder): string | undefined {
    const own = book.opposite(order).find(({ owner }) => owner === order.owner);
    return own && isOwn(own)
      ? `That would trade with order ${own.id} of the same owner. Cancel it first.`
      : undefined;
  }

  function step(): void {
    crowd.act();
    candles.step();
  }

  for (let steps = candlesKept * narrowest; steps > 0; steps -= 1) {
    for (const { price, qty } of crowd.recall()) candles.trade(price, qty);
    candles.step();
  }
  for (let steps = warmUp; steps > 0; steps -= 1) step();
  session = { opened: last, high: last, low: last, volume: 0 };

  return {
    book,
    candles,
    trades,
    orders,
    get last() {
      return last;
    },
    get session() {
      return session;
    },
    get open() {
      return open();
    },
    position: (whose) => (whose === 'total' ? together(Object.values(positions)) : positions[whose]),
    step,
    place(side, qty, price, by, note = '') {
      if (open().length >= openOrdersAllowed) {
        return `${openOrdersAllowed} orders are open, which is the limit. Cancel one first.`;
      }
      const order: Order = {
        ...{ id: nextId, side, qty, price, note, owner: by },
        ...{ remaining: qty, paid: 0, state: 'open' },
      };
      const problem = conflict(order);
      if (problem) return problem;
      nextId += 1;
      orders.push(order);
      settle(book.submit(order, 'rests'));
      forgetOldest();
      return order;
    },
    amend(id, change) {
      const order = find(id);
      if (typeof order === 'string') return order;
      const { qty = order.qty, price = order.price } = change;
      const filled = order.qty - order.remaining;
      if (qty <= filled) return `Order ${id} has ${filled} shares filled already; cancel it instead.`;
      const problem = conflict({ ...order, price });
      if (problem) return problem;
      const keepsPlace = price === order.price && qty <= order.qty;
      if (!keepsPlace) book.withdraw(order);
      Object.assign(order, { qty, price, remaining: qty - filled });
      if (!keepsPlace) settle(book.submit(order, 'rests'));
      return order;
    },
    cancel(id) {
      const order = find(id);
      if (typeof order === 'string') return order;
      book.withdraw(order);
      order.state = 'cancelled';
      forgetOldest();
      return order;
    },
  };
}

function isOwn(order: BookOrder): order is Order {
  return order.owner !== 'crowd';
}
