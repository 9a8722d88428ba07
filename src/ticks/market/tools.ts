/**
 * The tools of the market, for an agent that calls them and a person who approves. Money comes in as units of the
 * currency and is rounded to cents here.
 */
import { NotExecuted, plain, type ToolDefinition, type Tools } from '../../sdk/index.ts';
import type { Side } from './book.ts';
import { candlesKept, candleWidths, narrowest } from './candles.ts';
import {
  type Exchange,
  highestPrice,
  largestOrder,
  lowestPrice,
  type Order,
  openOrdersAllowed,
  tradesKept,
} from './exchange.ts';
import {
  bookRecord,
  candleRecords,
  orderRecord,
  positionRecords,
  quoteRecord,
  tradeRecord,
} from './records.ts';

const id = { type: 'integer', minimum: 1, description: 'The number of an open order.' };
const side = { enum: ['buy', 'sell'] };
const qty = { type: 'integer', minimum: 1, maximum: largestOrder, description: 'Shares.' };
const limit = {
  type: 'number',
  minimum: lowestPrice / 100,
  maximum: highestPrice / 100,
  description: 'The worst price to accept, rounded to cents.',
};
const levelsAllowed = 20;

type Schema = ToolDefinition['input'];

const object = (properties: Schema, required: string[] = []): Schema => ({
  ...{ type: 'object', properties, additionalProperties: false },
  ...(required.length === 0 ? {} : { required }),
});
const count = (maximum: number, usual: number) => ({
  ...{ type: 'integer', minimum: 1, maximum, default: usual },
});
const cents = (price: number) => Math.round(price * 100);

/** `changed` is called after every effect. */
export function marketTools(exchange: Exchange, changed: () => void): Tools {
  /** A sentence in place of an order says that nothing was done. */
  function done(outcome: Order | string) {
    if (typeof outcome === 'string') throw new NotExecuted(outcome);
    changed();
    return orderRecord(outcome);
  }

  return {
    place_order: {
      description: `Place a limit order for ACME on the agent's account of the simulated exchange. It trades at once as far as the price allows and waits with the rest. At most ${openOrdersAllowed} orders are open.`,
      input: object(
        {
          side,
          qty,
          price: limit,
          note: { type: 'string', maxLength: 40, description: 'Shown beside the order.' },
        },
        ['side', 'qty', 'price'],
      ),
      mutates: true,
      run: (args: { side: Side; qty: number; price: number; note?: string }) =>
        done(exchange.place(args.side, args.qty, cents(args.price), 'agent', plain(args.note ?? ''))),
    },
    amend_order: {
      description:
        "Change the quantity or the price of an open order, the person's as well as the agent's. Fewer shares keep its place in line; anything else puts it at the end, and it may trade at once.",
      input: {
        ...object(
          { id, qty: { ...qty, description: 'Shares in all, with those filled already.' }, price: limit },
          ['id'],
        ),
        minProperties: 2,
      },
      mutates: true,
      run: (args: { id: number; qty?: number; price?: number }) =>
        done(
          exchange.amend(args.id, {
            ...(args.qty === undefined ? {} : { qty: args.qty }),
            ...(args.price === undefined ? {} : { price: cents(args.price) }),
          }),
        ),
    },
    cancel_order: {
      description: "Cancel one open order by its number, the person's as well as the agent's.",
      input: object({ id }, ['id']),
      mutates: true,
      run: (args: { id: number }) => done(exchange.cancel(args.id)),
    },
    cancel_all: {
      description: "Cancel all open orders of the agent; with by: both, also the person's.",
      input: object({
        by: { enum: ['agent', 'person', 'both'], default: 'agent', description: 'Whose orders.' },
        side: { ...side, description: 'Only orders on this side.' },
      }),
      mutates: true,
      run({ by = 'agent', side }: { by?: 'agent' | 'person' | 'both'; side?: Side }) {
        const orders = exchange.open.filter(
          (order) => (by === 'both' || order.owner === by) && (side === undefined || order.side === side),
        );
        if (orders.length === 0) throw new NotExecuted('No such order is open.');
        for (const order of orders) exchange.cancel(order.id);
        changed();
        return { cancelled: orders.map((order) => order.id) };
      },
    },
    quote: {
      description: 'The last price with bid, ask, their sizes, the spread, and the session so far.',
      input: object({}),
      mutates: false,
      run: () => quoteRecord(exchange),
    },
    book: {
      description:
        'The levels of the order book on both sides, best first, with whose shares are among them.',
      input: object({ levels: count(levelsAllowed, 10) }),
      mutates: false,
      run: ({ levels = 10 }: { levels?: number }) => bookRecord(exchange, levels),
    },
    candles: {
      description: `Candles of ${narrowest} steps or more, newest last. A step is a second unless the market was started with another pace.`,
      input: object({
        count: count(candlesKept, 60),
        steps: { enum: [...candleWidths], default: narrowest, description: 'Steps in one candle.' },
      }),
      mutates: false,
      run: ({ count = 60, steps = narrowest }: { count?: number; steps?: number }) => ({
        candles: candleRecords(exchange, steps, count),
      }),
    },
    trades: {
      description:
        'The last trades of everybody, newest last. The taker is the side that came to a waiting order.',
      input: object({ count: count(tradesKept, 20) }),
      mutates: false,
      run: ({ count = 20 }: { count?: number }) => ({
        trades: exchange.trades.slice(-count).map(tradeRecord),
      }),
    },
    positions: {
      description:
        'What the person, the agent and both together hold: shares, average price, open and realised profit, cash.',
      input: object({}),
      mutates: false,
      run: () => positionRecords(exchange),
    },
  };
}
