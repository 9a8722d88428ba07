import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candlesKept } from '../../../src/ticks/market/candles.ts';
import { createExchange, openOrdersAllowed, participants } from '../../../src/ticks/market/exchange.ts';
import { stateRecord } from '../../../src/ticks/market/records.ts';
import { actions, played, seeds } from './actions.ts';

const few = { seed: 20_261_130, numRuns: 30 };

test('one seed and the same actions are the same market', () => {
  const seen = (seed: number, list: Parameters<typeof played>[1]) => {
    const { trades, candles, orders, book } = played(seed, list);
    return structuredClone({ trades, candles: candles.narrow, orders, bids: book.resting('buy') });
  };
  fc.assert(
    fc.property(seeds, actions, (seed, list) => {
      expect(seen(seed, list)).toEqual(seen(seed, list));
      expect(seen(seed, list)).not.toEqual(seen(seed + 1, list));
    }),
    { seed: 20_261_130, numRuns: 8 },
  );
});

test('never a crossed book, a share out of nothing or a cent unaccounted for', () => {
  fc.assert(
    fc.property(seeds, actions, (seed, list) => {
      const exchange = played(seed, list, ({ book, open }) => {
        const [bid, ask] = [book.best('buy'), book.best('sell')];
        if (bid !== undefined && ask !== undefined) expect(bid).toBeLessThan(ask);
        expect(open.length).toBeLessThanOrEqual(openOrdersAllowed);
        const resting = [...book.resting('buy'), ...book.resting('sell')];
        for (const order of open) {
          expect(resting).toContain(order);
          expect(order.remaining).toBeGreaterThan(0);
        }
        expect(resting.filter(({ owner }) => owner !== 'crowd')).toHaveLength(open.length);
      });
      // Orders that were forgotten are closed ones; with sixty actions at most few are.
      const known = exchange.orders.length === exchange.orders.at(-1)?.id;
      for (const whose of participants) {
        const position = exchange.position(whose);
        expect(position.cash + position.cost).toBe(position.realised);
        if (!known) continue;
        const own = exchange.orders.filter(({ owner }) => owner === whose);
        const sum = (of: (order: (typeof own)[number]) => number) =>
          own.reduce((total, order) => total + (order.side === 'buy' ? 1 : -1) * of(order), 0);
        expect(position.qty).toBe(sum(({ qty, remaining }) => qty - remaining));
        expect(position.cash + 0).toBe(0 - sum(({ paid }) => paid));
      }
      for (const { qty, remaining, paid, price, side } of exchange.orders) {
        if (remaining === qty || exchange.orders.length > 20) continue;
        expect(paid).toBeGreaterThan(0);
        expect(remaining).toBeGreaterThanOrEqual(0);
        expect(['buy', 'sell']).toContain(side);
        expect(price).toBeGreaterThan(0);
      }
    }),
    few,
  );
});

test('the state stays under 4 KiB, also with the longest notes', () => {
  fc.assert(
    fc.property(seeds, actions, (seed, list) => {
      const state = stateRecord(played(seed, list));
      expect(Buffer.byteLength(JSON.stringify(state))).toBeLessThanOrEqual(4096);
    }),
    few,
  );
  const exchange = createExchange(1);
  for (let n = 0; n < 10_000; n += 1) {
    const order = exchange.place('sell', 499, 50_000 - (n % 7), 'person', '\u{1f955}'.repeat(40));
    if (n < 9990) exchange.cancel(typeof order === 'string' ? 0 : order.id);
  }
  for (let n = 0; n < 40; n += 1) exchange.place('buy', 500, 40_000, 'agent');
  expect(exchange.open).toHaveLength(openOrdersAllowed);
  expect(Buffer.byteLength(JSON.stringify(stateRecord(exchange)))).toBeLessThanOrEqual(4096);
});

test('an order trades at its own price or better, whenever it trades', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.integer({ min: -30, max: 30 }),
      (seed, side, away) => {
        const exchange = createExchange(seed);
        const order = exchange.place(side, 10, exchange.last + away, 'agent');
        if (typeof order === 'string') throw new Error(order);
        for (let n = 0; n < 50 && order.state === 'open'; n += 1) exchange.step();
        const limit = order.price * (order.qty - order.remaining);
        if (side === 'buy') expect(order.paid).toBeLessThanOrEqual(limit);
        else expect(order.paid).toBeGreaterThanOrEqual(limit);
      },
    ),
    few,
  );
});

test('amending keeps the place in line for fewer shares only', () => {
  const exchange = createExchange(3);
  const price = 9_000;
  exchange.place('buy', 50, price, 'agent');
  exchange.place('buy', 50, price, 'person');
  const line = () =>
    exchange.book
      .resting('buy')
      .filter((order) => order.price === price)
      .map(({ owner, remaining }) => `${owner} ${remaining}`);
  exchange.amend(1, { qty: 20 });
  expect(line()).toEqual(['agent 20', 'person 50']);
  exchange.amend(1, { qty: 30 });
  expect(line()).toEqual(['person 50', 'agent 30']);
  expect(exchange.amend(1, { price: 9_001 })).toMatchObject({ price: 9_001, qty: 30 });
  expect(exchange.amend(7, { qty: 1 })).toBe('There is no order 7.');
});

test('nobody trades with themselves, but the person may trade with the agent', () => {
  const exchange = createExchange(4);
  const ask = (exchange.book.best('sell') ?? 0) - 1;
  exchange.place('sell', 10, ask, 'agent');
  expect(exchange.place('buy', 5, ask, 'agent')).toMatch(/order 1 of the same owner/);
  expect(exchange.place('buy', 4, ask, 'person')).toMatchObject({ state: 'filled', paid: 4 * ask });
  expect(exchange.trades.at(-1)).toMatchObject({ buyer: 'person', seller: 'agent', qty: 4 });
  expect(exchange.position('total')).toMatchObject({ qty: 0, cash: 0 });
});

test('open orders are limited, and cancelling makes room', () => {
  const exchange = createExchange(1);
  for (let n = 0; n < openOrdersAllowed; n += 1) {
    expect(exchange.place('buy', 1, 1, 'agent')).toMatchObject({ state: 'open' });
  }
  expect(exchange.place('buy', 1, 1, 'agent')).toMatch(/Cancel one first/);
  expect(exchange.cancel(1)).toMatchObject({ state: 'cancelled' });
  expect(exchange.cancel(1)).toMatch(/already cancelled/);
  expect(exchange.cancel(99)).toMatch(/no order 99/);
  expect(exchange.place('buy', 1, 1, 'agent')).toMatchObject({ state: 'open' });
});

test('wider candles hold what the narrow ones in them hold', () => {
  const { candles } = createExchange(5);
  expect(candles.narrow).toHaveLength(candlesKept);
  const wide = candles.wide(60, 100);
  const volume = (list: readonly { volume: number }[]) => list.reduce((sum, each) => sum + each.volume, 0);
  expect(volume(wide)).toBe(volume(candles.narrow));
  for (const { n, open, high, low, close } of wide) {
    const parts = candles.narrow.filter((candle) => Math.floor(candle.n / 12) === n);
    expect([open, close]).toEqual([parts[0]?.open, parts.at(-1)?.close]);
    expect(high).toBe(Math.max(...parts.map((candle) => candle.high)));
    expect(low).toBe(Math.min(...parts.map((candle) => candle.low)));
  }
});
