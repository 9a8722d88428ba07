import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellWidth,
  clusters,
  maxClusterCodePoints,
  stringColumns,
  truncateColumns,
} from '../../src/cells/widths.ts';
import { withoutReordering } from '../../src/cells/wire.ts';
import { Screen } from '../../src/screen/index.ts';

const seed = 20_261_130;

/** Columns the emulator's cursor moves by. */
function emulated(screen: Screen, text: string): number {
  screen.write(Buffer.from(`\x1bc${text}`));
  while (screen.parse(1_000));
  const { x, y } = screen.frame(0).cursor;
  expect(y).toBe(0);
  return x;
}

const samples = [
  'plain',
  'é',
  'e\u0301',
  '漢字',
  'ｗ',
  '👍',
  '👍🏽',
  '👩‍🚀',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  '🇩🇪🇫🇷',
  '🇩',
  '❤',
  '❤️',
  '☎️',
  '✂︎',
  '가각',
  '\u1100\u1161\u11a8',
  'नि',
  'ก็',
  '\u0301',
  'a\u200db',
  '─│█',
  '\u00ad',
  '\u2028',
  '\ue0b0',
  '🏴\u{e0067}\u{e0062}\u{e007f}',
  '①',
  '\u{1f6d0}',
  '\u{20000}',
];

describe('widths', () => {
  it('agree with the emulator on every code point that prints', () => {
    const screen = new Screen({ cols: 1_000, rows: 2 });
    const points: number[] = [];
    for (let cp = 0x20; cp <= 0x10ffff; cp++) {
      // The byte order mark is not printed but skipped. Private planes and most of the CJK planes repeat themselves.
      if ((cp >= 0x7f && cp <= 0x9f) || (cp >= 0xd800 && cp <= 0xdfff) || cp === 0xfeff) continue;
      if (cp > 0x3_0000 && cp % 251 !== 0 && (cp < 0xe_0000 || cp > 0xe_0200)) continue;
      points.push(cp);
    }
    for (let i = 0; i < points.length; i += 300) {
      const batch = points.slice(i, i + 300);
      // Cursor reports between them, so that neighbours do not join.
      screen.write(Buffer.from('\x1bc'));
      let expected = 0;
      for (const cp of batch) {
        screen.write(Buffer.from(`${String.fromCodePoint(cp)}\x1b[m`));
        expected += stringColumns(String.fromCodePoint(cp));
      }
      while (screen.parse(1_000));
      const { x } = screen.frame(0).cursor;
      if (x !== expected)
        for (const cp of batch) {
          const char = String.fromCodePoint(cp);
          expect([cp.toString(16), stringColumns(char)]).toEqual([cp.toString(16), emulated(screen, char)]);
        }
    }
    expect(points.length).toBeGreaterThan(190_000);
  });

  it.each(samples)('agree with the emulator on %j', (text) => {
    const screen = new Screen({ cols: 100, rows: 2 });
    expect(stringColumns(text)).toBe(emulated(screen, text));
  });

  it('agree with the emulator on mixtures, cell by cell', () => {
    const screen = new Screen({ cols: 400, rows: 2 });
    const mixture = fc.array(
      fc.oneof(fc.constantFrom(...samples), fc.string({ unit: 'binary', maxLength: 4 })),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(mixture, (parts) => {
        const text = withoutReordering(parts.join('').replace(/[\p{Cc}\p{Cs}\ufeff]/gu, ''));
        expect(stringColumns(text)).toBe(emulated(screen, text));
        const cells = [...clusters(text)];
        expect(cells.map((cluster) => cluster.text).join('')).toBe(text);
        expect(screen.text()[0]).toBe(text.replace(/ +$/, ''));
      }),
      { seed, numRuns: 250 },
    );
  });

  it('measure one cell', () => {
    expect([
      cellWidth('a'),
      cellWidth('漢'),
      cellWidth('👨‍👩‍👧‍👦'),
      cellWidth('e\u0301'),
      cellWidth(''),
      cellWidth('\x1b'),
    ]).toEqual([1, 2, 2, 1, 0, 0]);
  });

  it('break up a cluster that grows without end, on the screen as well', () => {
    const text = `a${'\u0301'.repeat(100_000)}`;
    const longest = Math.max(...[...clusters(text)].map((cluster) => [...cluster.text].length));
    expect(longest).toBe(maxClusterCodePoints);
    const screen = new Screen({ cols: 200, rows: 4 });
    screen.write(Buffer.from(text));
    while (screen.parse(1_000));
    for (const [, row] of screen.frame(0).changed) {
      for (const characters of Object.values(row.joined ?? {}))
        expect(characters.length).toBeLessThanOrEqual(maxClusterCodePoints);
    }
  });
});

describe('truncateColumns', () => {
  it('never exceeds its columns, never cuts a cell, and leaves alone what fits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.nat({ max: 24 }),
        fc.constantFrom('', '…'),
        (text, columns, ellipsis) => {
          const cut = truncateColumns(text, columns, ellipsis);
          expect(stringColumns(cut)).toBeLessThanOrEqual(columns);
          if (stringColumns(text) <= columns) expect(cut).toBe(text);
          else
            expect(
              [...clusters(text)]
                .map((c) => c.text)
                .join('')
                .startsWith(cut.slice(0, cut.length - (columns > 0 ? ellipsis.length : 0))),
            ).toBe(true);
        },
      ),
      { seed, numRuns: 500 },
    );
    expect(truncateColumns('漢字', 3)).toBe('漢');
    expect(truncateColumns('漢字', 3, '…')).toBe('漢…');
    expect(truncateColumns('plain', 3, '…')).toBe('pl…');
    expect(truncateColumns('plain', 0, '…')).toBe('');
  });
});
