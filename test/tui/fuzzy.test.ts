import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusters } from '../../src/cells/widths.ts';
import { fuzzyMatch } from '../../src/tui/fuzzy.ts';

const runs = { seed: 20_261_130, numRuns: 300 };
const letters = fc.constantFrom('a', 'b', 'c', 'A', '-', ' ', ':', '1', 'é', '漢', '👩‍👩‍👧');
const name = fc.array(letters, { minLength: 1, maxLength: 24 }).map((parts) => `x${parts.join('')}`);
const part = (text: string, from: number, to: number) =>
  [...clusters(text)]
    .slice(from, to)
    .map((one) => one.text)
    .join('');

function ranked(query: string, texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => {
      const match = fuzzyMatch(query, text);
      return match ? [{ text, score: match.score }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text);
}

test('what matches is exactly what holds the letters in their order, and the marks are those letters', () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 4 }), name, (wanted, text) => {
      const query = wanted.join('');
      const characters = [...clusters(text)].map((one) => one.text.toLowerCase());
      const asked = [...clusters(query.toLowerCase())].map((one) => one.text).filter((one) => one !== ' ');
      let found = 0;
      for (const character of characters) if (character === asked[found]) found++;
      const match = fuzzyMatch(query, text);
      expect(match !== undefined).toBe(found === asked.length);
      if (!match) return;
      expect(match.at.map((at) => characters[at])).toEqual(asked);
      expect([...match.at].sort((a, b) => a - b)).toEqual(match.at);
      expect(fuzzyMatch(query, text)).toEqual(match);
    }),
    runs,
  );
});

test('the very name comes first, and the beginning of one before letters found elsewhere', () => {
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), fc.nat(), (wanted, others, cut) => {
      const typed = wanted.trim();
      const all = [...others.filter((other) => other.toLowerCase() !== typed.toLowerCase()), typed];
      expect(ranked(typed, all)[0]).toBe(typed);
      const query = part(typed, 0, 1 + (cut % 24)).trim();
      const order = ranked(query, all).map((text) => text.toLowerCase().startsWith(query.toLowerCase()));
      expect(order).toEqual([...order].sort((a, b) => Number(b) - Number(a)));
    }),
    runs,
  );
});

test('starts of words and runs beat scattered letters', () => {
  const commands = ['hide-inspector', 'remove-pane', 'rename', 'restart', 'split', 'new-tab', 'next-tab'];
  expect(ranked('rp', commands)[0]).toBe('remove-pane');
  expect(ranked('nt', commands).slice(0, 2)).toEqual(['new-tab', 'next-tab']);
  expect(ranked('pane', commands)).toEqual(['remove-pane']);
  expect(ranked('insp', ['its new split pane', 'hide-inspector'])[0]).toBe('hide-inspector');
  expect(ranked('market', ['hosted:2 Market', 'make art: keep it'])).toEqual([
    'hosted:2 Market',
    'make art: keep it',
  ]);
  expect(fuzzyMatch('ace', 'abcde')?.at).toEqual([0, 2, 4]);
});

test('a long line costs little', () => {
  const text = 'ab'.repeat(5_000);
  expect(fuzzyMatch('b'.repeat(5_000), text)).toBeUndefined();
  expect(fuzzyMatch('b'.repeat(100), text)).toBeDefined();
});
