import { expect, test } from 'vitest';
import { type Field, formOf } from '../../src/tui/edit-form.ts';
import { formLines } from '../../src/tui/edit-lines.ts';
import { defaultTheme } from '../../src/tui/theme.ts';

const schema = { properties: { note: { type: 'string' } } };
const long = Array.from({ length: 20 }, (_, at) => `word${at}`).join(' ');

function shown(fields: Field[], columns: number) {
  const { lines, cursor } = formLines(fields, 0, [], columns, defaultTheme);
  return { rows: lines.map((line) => line.map(({ text }) => text).join('')), cursor };
}

test('the value has the whole line, the old one stands below it', () => {
  const fields = formOf(JSON.stringify({ note: 'bought at the open' }), schema) as Field[];
  expect(shown(fields, 30).rows[0]).toBe('note  "bought at the open"');
  expect(shown(fields, 30).rows[1]).toBe('');
  fields[0]?.buffer.insert('ing');
  expect(shown(fields, 30).rows.slice(0, 2)).toEqual([
    'note  "bought at the opening"',
    '      was "bought at the open"',
  ]);
});

test('what a field may be stands below it, on a few lines at most', () => {
  const values = Array.from({ length: 30 }, (_, at) => `value${at}`);
  const fields = formOf('{}', {
    properties: { dry: { type: 'boolean' }, many: { enum: values } },
  }) as Field[];
  const { rows } = shown(fields, 30);
  expect(rows.slice(0, 2)).toEqual(['dry   ', '      true or false']);
  expect(rows[2]).toBe('many  (left out)');
  expect(rows.slice(3, 6).at(-1)).toBe('      … and more');
  expect(rows[6]).toBe('');
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(30);
});

test('a long value scrolls with the cursor, and shows where it is cut', () => {
  const fields = formOf(JSON.stringify({ note: long }), schema) as Field[];
  const buffer = (fields[0] as Field).buffer;
  for (const columns of [20, 31, 44]) {
    buffer.lineStart();
    expect(shown(fields, columns).rows[0]).toMatch(/^note {2}"word0.*…"$/);
    for (let at = 0; at <= long.length; at++) {
      const { rows, cursor } = shown(fields, columns);
      const row = rows[0] as string;
      expect(row.length).toBeLessThanOrEqual(columns);
      expect(cursor.x).toBeLessThan(columns);
      expect(row[cursor.x]).toBe(at === long.length ? '"' : long[at]);
      buffer.right();
    }
    expect(shown(fields, columns).rows[0]).toMatch(/^note {2}"….*word19"$/);
  }
});
