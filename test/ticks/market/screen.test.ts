import fc from 'fast-check';
import { expect, test } from 'vitest';
import { width } from '../../../src/sdk/text.ts';
import { createExchange, type Exchange } from '../../../src/ticks/market/exchange.ts';
import { marketScreen } from '../../../src/ticks/market/screen.ts';
import { createTicket } from '../../../src/ticks/market/ticket.ts';
import { actions, played, seeds } from './actions.ts';

const keys = fc.array(
  fc.constantFrom(
    'b',
    's',
    'tab',
    'up',
    'page-down',
    '+',
    '-',
    'enter',
    'x',
    'left',
    'right',
    'X',
    'w',
    'escape',
  ),
  { maxLength: 20 },
);

function shown(exchange: Exchange, pressed: readonly string[], cols: number, rows: number): string[] {
  const ticket = createTicket(exchange);
  for (const key of pressed) ticket.press(key);
  return marketScreen({ exchange, ticket, quits: true, stepMs: 1000 }, { cols, rows });
}

const plainText = (lines: readonly string[]) => lines.join('\n').replace(/\x1b\[[0-9;]*m/g, '');

test('every size gets as many lines as it has rows, none longer than it is wide', () => {
  const size = fc.record({ cols: fc.integer({ min: 40, max: 220 }), rows: fc.integer({ min: 12, max: 70 }) });
  fc.assert(
    fc.property(seeds, actions, keys, size, (seed, list, pressed, { cols, rows }) => {
      const lines = shown(played(seed, list), pressed, cols, rows);
      expect(lines).toHaveLength(rows);
      for (const line of lines) expect(width(line)).toBeLessThanOrEqual(cols);
    }),
    { seed: 20_261_130, numRuns: 30, examples: [[1, [], ['X'], { cols: 40, rows: 12 }]] },
  );
  for (const [cols, rows] of [
    [1, 1],
    [7, 3],
    [200, 2],
    [12, 40],
  ] as const) {
    expect(shown(createExchange(1), ['enter'], cols, rows)).toHaveLength(rows);
  }
});

test.each([
  [40, 12, ['bid', 'ask', 'holding', '10 ']],
  [80, 24, ['bid', 'spread', 'holding', 'realised', 'volume', 'trades', 'size', '◂10']],
  [120, 40, ['bid', 'spread', 'holding', 'realised', 'volume', 'trades', 'size', '◂10', 'agent', 'total']],
])('%i by %i shows what it should', (cols, rows, words) => {
  const text = plainText(shown(createExchange(42), ['enter'], cols, rows));
  for (const word of words) expect(text).toContain(word);
});

test('nothing changes its row while the market moves', () => {
  const exchange = createExchange(9);
  const rowsOf = () => {
    const lines = plainText(shown(exchange, [], 80, 24)).split('\n');
    return ['spread ─', 'price size', 'trades', '   #', 'BUY', 'enter place'].map((word) =>
      lines.findIndex((line) => line.includes(word)),
    );
  };
  const before = rowsOf();
  expect(before).not.toContain(-1);
  for (let n = 0; n < 50; n += 1) {
    exchange.step();
    expect(rowsOf()).toEqual(before);
  }
});

test('the order in the ticket is marked in the ladder, wherever its price is', () => {
  fc.assert(
    fc.property(seeds, keys, (seed, pressed) => {
      const exchange = createExchange(seed);
      const moving = pressed.filter((key) => !['enter', 'x', 'X'].includes(key));
      const ticket = createTicket(exchange);
      for (const key of moving) ticket.press(key);
      const lines = plainText(shown(exchange, moving, 80, 24)).split('\n');
      const marked = lines.filter((line) => /› {1,4}\d/.test(line));
      expect(marked).toHaveLength(1);
      expect(marked[0]).toContain((ticket.price / 100).toFixed(2));
    }),
    { seed: 20_261_130, numRuns: 30 },
  );
});

test('cancelling everything is asked about first, and only y is a yes', () => {
  const exchange = createExchange(2);
  const ticket = createTicket(exchange);
  for (const key of ['enter', 'down', 'enter']) ticket.press(key);
  exchange.place('sell', 5, exchange.last + 100, 'agent');
  expect(ticket.press('X')).toBe(false);
  expect(ticket.asking).toBe(true);
  expect(ticket.press('enter')).toBe(false);
  expect(exchange.open).toHaveLength(3);
  ticket.press('X');
  expect(ticket.press('y')).toBe(true);
  expect(exchange.open).toEqual([]);
  expect(ticket.press('X')).toBe(false);
  expect(ticket.complaint).toMatch(/No order is open/);
});
