import { expect, test } from 'vitest';
import { logRows } from '../../../src/tui/inspector/log.ts';
import { noteRow } from '../../../src/tui/inspector/rows.ts';
import { defaultTheme } from '../../../src/tui/theme.ts';

test('entries of the log wrap at words', () => {
  const [row] = logRows([{ at: 0, level: 'info', text: 'one two three four five' }], 24, defaultTheme);
  expect(row?.lines.map((line) => line.at(-1)?.text)).toEqual(['one two three', 'four five']);
});

test('a note wraps', () => {
  const { lines } = noteRow('An ordinary program: nothing is known', 20, defaultTheme);
  expect(lines.map(([part]) => part?.text)).toEqual(['An ordinary program:', 'nothing is known']);
});
