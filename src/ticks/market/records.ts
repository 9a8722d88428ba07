/**
 * The market as agents read it: prices in the currency's units, plain names, bounded lists. Never changes anything.
 */
import { averagePrice, openProfit } from './account.ts';
import type { Level, Side } from './book.ts';
import { candlesKept, narrowest } from './candles.ts';
import { type Exchange, type Order, participants, type Trade } from './exchange.ts';

const price = (cents: number) => cents / 100;
const fraction = (cents: number) => Math.round(cents * 100) / 10_000;

/** The last price, best bid and ask (null where a side of the book is empty), and the session so far. */
export function quoteRecord({ book, last, session }: Exchange) {
  const [bid, ask] = [book.levels('buy', 1)[0], book.levels('sell', 1)[0]];
  return {
    symbol: 'ACME',
    last: price(last),
    bid: bid ? price(bid.price) : null,
    ask: ask ? price(ask.price) : null,
    bid_size: bid?.size ?? 0,
    ask_size: ask?.size ?? 0,
    spread: bid && ask ? price(ask.price - bid.price) : null,
    high: price(session.high),
    low: price(session.low),
    volume: session.volume,
  };
}

export function bookRecord({ book }: Exchange, count: number) {
  const side = (name: Side) =>
    book.levels(name, count).map(({ price: cents, size, orders, person, agent }: Level) => {
      return { price: price(cents), size, orders, ...(person && { person }), ...(agent && { agent }) };
    });
  return { bids: side('buy'), asks: side('sell') };
}

export function candleRecords({ candles }: Exchange, steps: number, count: number) {
  return candles.wide(steps, count).map(({ n, open, high, low, close, volume }) => ({
    n,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume,
  }));
}

export function tradeRecord({ n, price: cents, qty, taker, buyer, seller }: Trade) {
  return { n, price: price(cents), qty, taker, buyer, seller };
}

export function orderRecord({ id, side, qty, remaining, price: cents, owner, note, state, paid }: Order) {
  const filled = qty - remaining;
  return {
    ...{ id, side, qty, filled, price: price(cents), state, by: owner },
    ...(filled === 0 ? {} : { average: fraction(paid / filled) }),
    ...(note === '' ? {} : { note }),
  };
}

function closedRecord(order: Order) {
  const { id, side, state, filled, average } = orderRecord(order);
  return { id, side, state, filled, ...(average === undefined ? {} : { average }) };
}

function positionRecord(exchange: Exchange, whose: (typeof participants)[number] | 'total') {
  const position = exchange.position(whose);
  const average = averagePrice(position);
  return {
    holding: position.qty,
    average: average === undefined ? null : fraction(average),
    open_profit: price(openProfit(position, exchange.last)),
    realised_profit: price(position.realised),
    cash: price(position.cash),
  };
}

export function positionRecords(exchange: Exchange) {
  return Object.fromEntries(
    [...participants, 'total' as const].map((whose) => [whose, positionRecord(exchange, whose)]),
  );
}

/** Under 4 KiB even with every order open and every note long (tick T-6.4-1). */
export function stateRecord(exchange: Exchange) {
  const closed = exchange.orders.filter(({ state }) => state !== 'open').slice(-4);
  return {
    ...quoteRecord(exchange),
    ...positionRecord(exchange, 'total'),
    orders: exchange.open.map(orderRecord),
    closed: closed.map(closedRecord),
    candles: candleRecords(exchange, narrowest, 8),
    queries: {
      book: 'all levels',
      candles: `up to ${candlesKept} candles`,
      trades: 'the last trades',
      positions: 'who holds what',
      quote: 'the price alone',
    },
  };
}
