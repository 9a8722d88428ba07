import fc from 'fast-check';
import { expect, test } from 'vitest';
import { averagePrice, noPosition, openProfit, traded } from '../../../src/ticks/market/account.ts';

test('buying, selling part, and selling through zero', () => {
  let position = traded(noPosition, 'buy', 10, 1000);
  position = traded(position, 'buy', 10, 1100);
  expect(averagePrice(position)).toBe(1050);
  position = traded(position, 'sell', 5, 1200);
  expect(position).toEqual({ qty: 15, cost: 15_750, realised: 750, cash: -15_000 });
  position = traded(position, 'sell', 25, 1000);
  expect(position).toEqual({ qty: -10, cost: -10_000, realised: 0, cash: 10_000 });
  expect(openProfit(position, 900)).toBe(1000);
});

test('every cent is accounted for after any trades', () => {
  const trade = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    qty: fc.integer({ min: 1, max: 500 }),
    price: fc.integer({ min: 1, max: 50_000 }),
  });
  fc.assert(
    fc.property(fc.array(trade), fc.integer({ min: 1, max: 50_000 }), (trades, last) => {
      let position = noPosition;
      for (const { side, qty, price } of trades) position = traded(position, side, qty, price);
      const signed = trades.map(({ side, qty, price }) => ({ qty: side === 'buy' ? qty : -qty, price }));
      expect(position.qty).toBe(signed.reduce((sum, { qty }) => sum + qty, 0));
      expect(position.cash + 0).toBe(signed.reduce((sum, { qty, price }) => sum - qty * price, 0) + 0);
      expect(position.cash + position.cost).toBe(position.realised);
      expect(position.realised + openProfit(position, last)).toBe(position.cash + position.qty * last);
      expect(Object.values(position).every(Number.isSafeInteger)).toBe(true);
      if (position.qty === 0) expect(position.cost + 0).toBe(0);
    }),
    { seed: 20_261_130 },
  );
});
