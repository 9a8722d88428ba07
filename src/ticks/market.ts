#!/usr/bin/env node
/**
 * The market: a simulated price and orders on it, placed and cancelled by keys and by calls alike.
 * Options: `--seed N` for another run of prices, `--step MS` for another pace (1000 is one price a second).
 */
import { parseArgs } from 'node:util';
import { defineTick, NotExecuted, plain } from '../sdk/index.ts';
import {
  candlesKept,
  createMarket,
  highestPrice,
  lowestPrice,
  type Order,
  openOrdersAllowed,
  type Side,
} from './market-book.ts';
import { marketScreen } from './market-screen.ts';
import { createTicket } from './market-ticket.ts';
import { terminalFor } from './screen.ts';

const { seed, step } = readOptions();
const market = createMarket(seed);
const ticket = createTicket(market);

const price = (cents: number) => cents / 100;
const priceRange = { type: 'number', minimum: price(lowestPrice), maximum: price(highestPrice) };

const tick = defineTick({
  kind: 'example.market',
  title: 'Market',
  description:
    'A simulated market for the symbol ACME: a moving price and limit orders on it. Orders fill when the price crosses them.',
  state,
  series: [{ path: '/candles', newest: 'last' }],
  recoverWith: 'candles',
  tools: {
    place_order: {
      description: `Place a limit order in the simulated book. It fills at once if the price allows, else when it does. At most ${openOrdersAllowed} orders are open.`,
      input: {
        type: 'object',
        properties: {
          side: { enum: ['buy', 'sell'] },
          qty: { type: 'integer', minimum: 1, maximum: 500, description: 'Shares.' },
          price: { ...priceRange, description: 'The limit, rounded to cents.' },
          note: { type: 'string', maxLength: 40, description: 'Shown beside the order.' },
        },
        required: ['side', 'qty', 'price'],
        additionalProperties: false,
      },
      mutates: true,
      run: (args: { side: Side; qty: number; price: number; note?: string }) =>
        done(
          market.place(args.side, args.qty, Math.round(args.price * 100), 'agent', plain(args.note ?? '')),
        ),
    },
    cancel_order: {
      description: 'Cancel an open order by its id.',
      input: {
        type: 'object',
        properties: { id: { type: 'integer', minimum: 1 } },
        required: ['id'],
        additionalProperties: false,
      },
      mutates: true,
      run: ({ id }: { id: number }) => done(market.cancel(id)),
    },
    quote: {
      description: 'The last price with bid, ask, their sizes and the spread.',
      input: { type: 'object', additionalProperties: false },
      mutates: false,
      run: quote,
    },
    candles: {
      description: `Up to ${candlesKept} candles of five prices each, newest last.`,
      input: {
        type: 'object',
        properties: { count: { type: 'integer', minimum: 1, maximum: candlesKept } },
        additionalProperties: false,
      },
      mutates: false,
      run: ({ count = candlesKept }: { count?: number }) => ({ candles: candles(count) }),
    },
  },
});

/** Ends the program with a sentence when an option is not usable. */
function readOptions(): { seed: number; step: number } {
  try {
    const { values } = parseArgs({
      options: { seed: { type: 'string', default: '42' }, step: { type: 'string', default: '1000' } },
    });
    const [seed, step] = [Number(values.seed), Number(values.step)];
    if (Number.isSafeInteger(seed) && Number.isInteger(step) && step >= 1 && step <= 86_400_000) {
      return { seed, step };
    }
  } catch {
    // An option that does not exist, or has no value.
  }
  process.stderr.write(
    'market takes --seed with a whole number and --step with 1 to 86400000 milliseconds.\n',
  );
  process.exit(2);
}

function quote() {
  const { last, bid, ask, bidSize, askSize } = market;
  return {
    symbol: 'ACME',
    last: price(last),
    bid: price(bid),
    ask: price(ask),
    bid_size: bidSize,
    ask_size: askSize,
    spread: price(ask - bid),
  };
}

function candles(count: number) {
  return market.candles.slice(-count).map(({ n, open, high, low, close }) => ({
    n,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
  }));
}

function orderRecord({ id, side, qty, price: cents, by, note, state }: Order) {
  return { id, side, qty, price: price(cents), state, by, ...(note === '' ? {} : { note }) };
}

/** Under 4 KiB even with every order open and every note long (tick T-6.4-1). */
function state() {
  const closed = market.orders.filter((order) => order.state !== 'open').slice(-4);
  return {
    ...quote(),
    holding: market.holding,
    cash: price(market.cash),
    orders: market.orders.filter((order) => order.state === 'open').map(orderRecord),
    closed: closed.map(({ id, state }) => ({ id, state })),
    candles: candles(24),
    queries: { candles: `up to ${candlesKept} candles`, quote: 'the price alone' },
  };
}

/** Announces what placing or cancelling did, whoever asked for it. A sentence says that nothing was done. */
function done(outcome: Order | string) {
  if (typeof outcome === 'string') throw new NotExecuted(outcome);
  announce();
  return orderRecord(outcome);
}

const terminal = terminalFor('market', tick.hosted);

function announce(): void {
  tick.changed();
  draw();
}

function draw(): void {
  terminal?.draw(marketScreen(market, ticket, !tick.hosted, terminal));
}

terminal?.onResize(draw);
terminal?.onKey((key) => {
  if (key === 'q' && !tick.hosted) process.exit(0);
  // Moving in the ticket or the list is a matter of the screen alone: no update (tick T-8.3-2).
  if (ticket.press(key)) announce();
  else draw();
});

setInterval(() => {
  market.step();
  announce();
}, step);

draw();
tick.start();
