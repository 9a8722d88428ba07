import { expect, test } from 'vitest';
import type { Json } from '../../../src/protocol/messages.ts';
import type { Inspection } from '../../../src/rpc/api/instances.ts';
import { seriesOf, sparkline } from '../../../src/tui/inspector/sparkline.ts';
import { stateRows } from '../../../src/tui/inspector/state.ts';
import { defaultTheme } from '../../../src/tui/theme.ts';

function rows(data: Json, more: Partial<Inspection> = {}, turned: string[] = [], columns = 40): string[] {
  const inspection: Inspection = {
    instance: 'hosted:1',
    state: { seq: 1, data, at: '', received_at: 0 },
    changed: [],
    merged: 1,
    updates: 1,
    ...more,
  };
  return stateRows(inspection, new Set(turned), columns, defaultTheme).flatMap(({ lines }) =>
    lines.map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    ),
  );
}

test('a tree, its changes marked', () => {
  const data = { last: 101.25, name: 'ACME', order: { qty: 10, 'a/b': null }, text: '12' };
  expect(rows(data, { changed: ['/last', '/order/a~1b'] })).toEqual([
    '•  last   101.25',
    '   name   ACME',
    ' ▾ order  2 keys',
    '     qty  10',
    '•    a/b  null',
    '   text   "12"',
  ]);
});

test('a folded container carries the mark of what is in it', () => {
  expect(rows({ order: { qty: 10 } }, { changed: ['/order/qty'] }, ['/order'])).toEqual(['•▸ order  1 key']);
});

test('long lists start folded, and unfold', () => {
  const data = { items: Array.from({ length: 20 }, (_, at) => at) };
  expect(rows(data)).toEqual([' ▸ items  20 items']);
  expect(rows(data, {}, ['/items']).length).toBe(21);
});

test('a declared series is a row of bars, oldest first', () => {
  const state = (newest: 'first' | 'last'): Partial<Inspection> => ({
    descriptor: {
      protocol: 3,
      kind: 'k',
      title: 't',
      description: 'd',
      revision: '1',
      tools: [],
      state: { series: [{ path: '/prices', newest }] },
    },
  });
  expect(rows({ prices: [1, 2, 3, 4] }, state('last'))).toEqual([' ▸ prices  ▁▃▆█  4']);
  expect(rows({ prices: [1, 2, 3, 4] }, state('first'))).toEqual([' ▸ prices  █▆▃▁  4']);
  const many = Array.from({ length: 100 }, (_, at) => ({ open: 0, close: at }));
  expect(rows({ prices: many }, state('last'))[0]).toMatch(/^ ▸ prices {2}[▁-█]{17} {2}17 of 100$/);
});

test('without a state the host says why', () => {
  expect(
    stateRows(
      { instance: 'shell:1', changed: [], merged: 1, updates: 0, note: 'A shell.' },
      new Set(),
      40,
      defaultTheme,
    ),
  ).toEqual([{ key: 'note', lines: [[{ ...defaultTheme.styles.dim, text: 'A shell.' }]] }]);
});

test('a scalar or an empty state is shown too', () => {
  expect(rows(7)).toEqual(['     7']);
  expect(rows({})).toEqual(['empty']);
});

test('strings cannot draw over the tree', () => {
  expect(rows({ a: 'x\n\x1b[2J' })).toEqual(['   a  x␊␛[2J']);
});

test('bars of a series', () => {
  const bars = '▁▂▃▄▅▆▇█';
  expect(sparkline([5, 5], 10, bars)).toBe('▅▅');
  expect(sparkline([0, undefined, 10], 10, bars)).toBe('▁ █');
  expect(sparkline([1, 2, 3], 2, bars)).toBe('▁█');
  expect(seriesOf([{ t: 'x', price: 1, close: 2 }, {}])).toEqual([2, undefined]);
  expect(seriesOf([{ t: 'x', n: 3 }])).toEqual([3]);
  expect(seriesOf(['a'])).toBeUndefined();
});
