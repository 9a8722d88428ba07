import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candlesKept, createMarket, openOrdersAllowed } from '../../src/ticks/market-book.ts';

test('one seed is one sequence of prices', () => {
  const closes = (seed: number) => {
    const market = createMarket(seed);
    for (let n = 0; n < 100; n += 1) market.step();
    return market.candles.map(({ close }) => close);
  };
  expect(closes(7)).toEqual(closes(7));
  expect(closes(7)).not.toEqual(closes(8));
  expect(closes(7)).toHaveLength(candlesKept);
});

test('an order fills when the price crosses it, never at a worse price', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.integer({ min: -80, max: 80 }),
      (seed, side, away) => {
        const market = createMarket(seed);
        const sign = side === 'buy' ? 1 : -1;
        const order = market.place(side, 10, market.last + away, 'agent');
        if (typeof order === 'string') throw new Error(order);
        for (let n = 0; n < 50 && order.state === 'open'; n += 1) {
          expect(market).toMatchObject({ holding: 0, cash: 0 });
          market.step();
        }
        if (order.state === 'open') return;
        expect(market.holding).toBe(10 * sign);
        expect(-market.cash / 10).toBeLessThanOrEqual(order.price * sign);
      },
    ),
    { numRuns: 50 },
  );
});

test('open orders are limited, and cancelling makes room', () => {
  const market = createMarket(1);
  for (let n = 0; n < openOrdersAllowed; n += 1)
    expect(market.place('buy', 1, 1, 'agent')).toMatchObject({ state: 'open' });
  expect(market.place('buy', 1, 1, 'agent')).toMatch(/Cancel one first/);
  expect(market.cancel(1)).toMatchObject({ state: 'cancelled' });
  expect(market.cancel(1)).toMatch(/already cancelled/);
  expect(market.cancel(99)).toMatch(/no order 99/);
  expect(market.place('buy', 1, 1, 'agent')).toMatchObject({ state: 'open' });
});
