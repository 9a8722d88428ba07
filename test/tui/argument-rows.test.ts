import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentLines } from '../../src/tui/argument-rows.ts';
import { lineColumns } from '../../src/tui/text.ts';
import { defaultTheme } from '../../src/tui/theme.ts';

function rows(value: unknown, columns = 40, notes?: Map<string, string>): string[] {
  return argumentLines(JSON.stringify(value), columns, defaultTheme, notes).map((line) =>
    line.map(({ text }) => text).join(''),
  );
}

test('one row for each value, types told apart', () => {
  expect(rows({ a: '1', b: 1, c: 'true', d: true, e: null, f: '', g: 'null' })).toEqual([
    'a  "1"',
    'b  1',
    'c  "true"',
    'd  true',
    'e  null',
    'f  ""',
    'g  "null"',
  ]);
});

test('what nests is indented, empty things say so', () => {
  expect(rows({ order: { side: 'buy', legs: [1, { x: 2 }] }, none: [], nothing: {} })).toEqual([
    'order    2 keys',
    '  side     "buy"',
    '  legs     2 items',
    '    [0]      1',
    '    [1]      1 key',
    '      x        2',
    'none     [] empty list',
    'nothing  {} empty object',
  ]);
  expect(rows({})).toEqual(['no arguments']);
});

test('long strings are wrapped behind a bar, nothing left out', () => {
  expect(rows({ text: 'x'.repeat(50) }, 30)).toEqual([
    `text  "${'x'.repeat(23)}`,
    `    │ ${'x'.repeat(24)}`,
    `    │ ${'x'.repeat(3)}"`,
  ]);
});

test('what cannot be seen is spelled out, and line breaks end a line', () => {
  expect(rows({ 'a\u202eb': 'tab\there', s: 'one\ntwo\u200b ' })).toEqual([
    '"a⟨U+202E⟩b"  "tab⇥here"',
    's             "one␊',
    '            │ two⟨U+200B⟩␠"',
  ]);
});

test("a stranger's text cannot pass for a row of ours", () => {
  const lines = rows({ note: `${' '.repeat(33)}qty   1`, qty: 500 });
  expect(lines.filter((line) => line.startsWith('qty'))).toEqual(['qty   500']);
});

test('a name that is long stands alone', () => {
  expect(rows({ [`${'n'.repeat(30)}`]: 1, b: 2 })).toEqual(['n'.repeat(30), '  1', 'b  2']);
});

test('notes of the schema stand beside the value where there is room', () => {
  const notes = new Map([
    ['qty', 'integer 1..500'],
    ['side', 'x'.repeat(60)],
  ]);
  expect(rows({ side: 'buy', qty: 10 }, 40, notes)).toEqual([
    'side  "buy"',
    'qty   10         integer 1..500',
  ]);
});

test('two values never look the same, wherever their lines end', () => {
  const drawn = (value: unknown, columns: number) =>
    rows(value, columns)
      .map((row) => row.trimEnd())
      .join('\n');
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '界', '"', '\n', '␠'), maxLength: 30 });
  fc.assert(
    fc.property(text, text, fc.nat({ max: 30 }), fc.integer({ min: 6, max: 24 }), (a, b, at, columns) => {
      for (const other of [b, `${a.slice(0, at)} ${a.slice(at)}`]) {
        if (a === other) continue;
        expect(drawn({ v: a }, columns)).not.toBe(drawn({ v: other }, columns));
        expect(drawn({ [`k${a}`]: 0 }, columns)).not.toBe(drawn({ [`k${other}`]: 0 }, columns));
      }
    }),
    { seed: 20_261_130, numRuns: 1_000 },
  );
});

test('two values that differ in one character that hides or imitates never look the same', () => {
  // As a person sees it: an imitation drawn as what it imitates, and nothing where nothing is drawn.
  const twins: Record<string, string> = {
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    ο: 'o',
    ρ: 'p',
    Α: 'A',
    А: 'A',
    ｐ: 'p',
  };
  const seen = (value: unknown) =>
    rows(value, 24)
      .join('\n')
      .replace(/[\p{Cf}\u3164\u2800]/gu, '')
      .replace(/./gu, (char) => twins[char] ?? char);
  const sly = fc.constantFrom(
    ...Object.keys(twins),
    '\x1b',
    '\x9b',
    '\t',
    '\n',
    '\r',
    '\0',
    '\u200b',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\u3164',
    '\u00a0',
    '\u0301',
    '\u{e0041}',
  );
  const word = fc.string({
    unit: fc.constantFrom('p', 'a', 'o', 'c', 'ж', 'о', 'λ', ' ', '1', '_'),
    maxLength: 10,
  });
  fc.assert(
    fc.property(word, word, sly, (before, after, char) => {
      for (const plain of ['', twins[char] ?? ' ']) {
        const [a, b] = [`${before}${plain}${after}`, `${before}${char}${after}`];
        expect(seen({ v: a })).not.toBe(seen({ v: b }));
        expect(seen({ [a]: 0 })).not.toBe(seen({ [b]: 0 }));
      }
    }),
    { seed: 20_261_201, numRuns: 1_000 },
  );
});

test('the longest arguments are shown, whatever they are made of', () => {
  const longest = 256 * 1024;
  expect(rows({ a: Array(longest / 2).fill(0) })).toHaveLength(longest / 2 + 1);
  expect(rows({ ['k'.repeat(longest)]: 0 }, 8).length).toBeGreaterThan(longest / 8);
  expect(rows({ a: 'v'.repeat(longest) }, 8).length).toBeGreaterThan(longest / 8);
});

test('every value is there at every width, and nothing is cut off', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 })),
      fc.integer({ min: 36, max: 90 }),
      (value, columns) => {
        for (const line of argumentLines(JSON.stringify(value), columns, defaultTheme)) {
          expect(lineColumns(line)).toBeLessThanOrEqual(columns);
        }
      },
    ),
    { seed: 20_261_130 },
  );
});
