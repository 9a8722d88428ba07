import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringColumns } from '../../src/cells/widths.ts';
import { age, nextAge } from '../../src/tui/ages.ts';
import { SeenRows } from '../../src/tui/seen-rows.ts';
import {
  clipLine,
  flow,
  hardWrap,
  justify,
  lineColumns,
  span,
  visiblePart,
  wordWrap,
} from '../../src/tui/text.ts';
import { splitWords } from '../../src/tui/words.ts';

const plain = (line: readonly { text: string }[]) => line.map(({ text }) => text).join('');

test('lines are cut with an ellipsis, and never through a wide character', () => {
  expect(plain(clipLine([span('ab'), span('cdef')], 4))).toBe('abc…');
  expect(plain(clipLine([span('ab')], 2))).toBe('ab');
  expect(plain(clipLine([span('日本語')], 4))).toBe('日…');
  expect(plain(justify([span('left side')], [span('right')], 12))).toBe('left…  right');
  expect(plain(justify([span('a')], [span('b')], 5))).toBe('a   b');
});

test('hard wrapping keeps every character, at most the width a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (text, columns) => {
      const lines = hardWrap(text, columns);
      expect(lines.join('')).toBe(text);
      for (const line of lines) expect(stringColumns(line)).toBeLessThanOrEqual(columns);
    }),
    { seed: 20_261_130 },
  );
});

test('prose breaks at spaces, and words that are too long are cut', () => {
  expect(wordWrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wordWrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
  expect(wordWrap('', 4)).toEqual(['']);
});

test('pieces flow onto as many lines as they take', () => {
  const lines = flow([[span('aaaa')], [span('bbbb')], [span('cc')]], 12);
  expect(lines.map(plain)).toEqual(['aaaa   bbbb', 'cc']);
  expect(lines.map(lineColumns)).toEqual([11, 2]);
});

test('spaces at the end of a part are no trailing ones', () => {
  expect(visiblePart('a ')).toBe('a ');
  expect(visiblePart('\t')).toBe('⇥');
});

test('words of a command line', () => {
  expect(splitWords(` open --name 'a b' -- sh -c "echo \\"x\\"" `)).toEqual([
    'open',
    '--name',
    'a b',
    '--',
    'sh',
    '-c',
    'echo "x"',
  ]);
  expect(splitWords(`a '' b\\ c`)).toEqual(['a', '', 'b c']);
  expect(splitWords(`a 'b`)).toBeUndefined();
});

test('ages, and when they change', () => {
  expect([age(-5), age(14_900), age(61_000), age(7_200_000), age(200_000_000)]).toEqual([
    '0 s',
    '14 s',
    '1 min',
    '2 h',
    '2 d',
  ]);
  expect([nextAge(14_900), nextAge(61_000), nextAge(7_200_000)]).toEqual([100, 59_000, 3_600_000]);
});

test('the end of a card is not its middle', () => {
  const seen = new SeenRows();
  const must = [0, 1, 2, 3, 4, 5];
  seen.add('a', 40, 0, 2);
  seen.add('a', 40, 4, 6);
  expect(seen.missing('a', 40, must)).toBe(2);
  expect(seen.missing('b', 40, must)).toBe(6);
  seen.add('a', 40, 2, 4);
  expect(seen.missing('a', 40, must)).toBe(0);
  // Seen is seen, also when it is cut for another width afterwards.
  expect(seen.missing('a', 60, [0, 1])).toBe(0);
  seen.add('b', 40, 0, 3);
  expect(seen.missing('b', 50, must)).toBe(6);
});
