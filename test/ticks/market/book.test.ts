import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BookOrder, createBook, type Side } from '../../../src/ticks/market/book.ts';

const order = (side: Side, price: number, remaining: number): BookOrder => ({
  ...{ side, price, remaining, owner: 'crowd' },
});

const orders = fc.array(
  fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.integer({ min: 90, max: 110 }),
    remaining: fc.integer({ min: 1, max: 50 }),
    owner: fc.constant('crowd' as const),
  }),
  { maxLength: 80 },
);

test('the better price goes first, then the earlier order', () => {
  const book = createBook();
  const [late, early, better] = [order('sell', 101, 5), order('sell', 101, 5), order('sell', 100, 5)];
  for (const resting of [early, better, late]) book.submit(resting, 'rests');
  const taker = order('buy', 101, 12);
  const matches = book.submit(taker, 'drops');
  expect(matches.map(({ maker, price, qty }) => [maker, price, qty])).toEqual([
    [better, 100, 5],
    [early, 101, 5],
    [late, 101, 2],
  ]);
  expect(taker.remaining).toBe(0);
  expect(late.remaining).toBe(3);
});

test('whatever comes in: no crossed book, no share lost, no order passed over', () => {
  fc.assert(
    fc.property(orders, (list) => {
      const book = createBook();
      const arrived = new Map<BookOrder, number>();
      let tradedShares = 0;
      for (const [n, incoming] of list.map((each) => ({ ...each })).entries()) {
        arrived.set(incoming, n);
        const before = [...book.opposite(incoming)];
        const matches = book.submit(incoming, 'rests');
        tradedShares += matches.reduce((sum, { qty }) => sum + qty, 0);
        // Makers are taken from the front of the line, each emptied before the next.
        expect(matches.map(({ maker }) => maker)).toEqual(before.slice(0, matches.length));
        for (const { maker } of matches.slice(0, -1)) expect(maker.remaining).toBe(0);
        for (const { maker, price } of matches) expect(price).toBe(maker.price);
        const [bid, ask] = [book.best('buy'), book.best('sell')];
        if (bid !== undefined && ask !== undefined) expect(bid).toBeLessThan(ask);
      }
      const resting = [...book.resting('buy'), ...book.resting('sell')];
      const shares = (all: readonly BookOrder[]) => all.reduce((sum, { remaining }) => sum + remaining, 0);
      expect(shares(resting) + 2 * tradedShares).toBe(shares(list));
      for (const side of ['buy', 'sell'] as const) {
        const queue = book.resting(side);
        const sign = side === 'buy' ? -1 : 1;
        const ranked = [...queue].sort(
          (a, b) => sign * (a.price - b.price) || (arrived.get(a) ?? 0) - (arrived.get(b) ?? 0),
        );
        expect(queue).toEqual(ranked);
        expect(book.levels(side, 100).reduce((sum, { size }) => sum + size, 0)).toBe(shares(queue));
      }
    }),
    { seed: 20_261_130 },
  );
});
