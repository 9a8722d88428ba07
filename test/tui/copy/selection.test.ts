/** What is selected and what is copied of it, against the text as it was written. */
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/cells/row.ts';
import { Screen } from '../../../src/screen/index.ts';
import { type Motion, move } from '../../../src/tui/copy/motions.ts';
import { type Selection, selectedText } from '../../../src/tui/copy/selection.ts';

function rowsOf(text: string, cols = 20): Row[] {
  const screen = new Screen({ cols, rows: 8 });
  screen.write(Buffer.from(text.replaceAll('\n', '\r\n')));
  while (screen.parse(1_000)) {
    // Until all is parsed.
  }
  return screen.rowsFrom(0, 8);
}

const select = (by: Selection['by'], from: [number, number], to: [number, number]): Selection => ({
  by,
  anchor: { row: from[0], column: from[1] },
  head: { row: to[0], column: to[1] },
});

describe('what is copied', () => {
  const rows = rowsOf('first line\nthe second one\nlast');
  test.each([
    ['within a row', select('character', [0, 6], [0, 9]), 'line'],
    ['the other way round', select('character', [0, 9], [0, 6]), 'line'],
    ['over rows', select('character', [0, 6], [2, 1]), 'line\nthe second one\nla'],
    ['upwards', select('character', [2, 1], [0, 6]), 'line\nthe second one\nla'],
    ['whole rows', select('row', [0, 7], [1, 2]), 'first line\nthe second one'],
    ['a block', select('block', [0, 9], [2, 2]), 'rst line\ne second\nst'],
    ['beyond the text', select('character', [2, 2], [2, 19]), 'st'],
  ])('%s', (_, selection, text) => {
    const { anchor, head } = selection;
    const from = Math.min(anchor.row, head.row);
    expect(selectedText(selection, rows.slice(from, Math.max(anchor.row, head.row) + 1))).toBe(text);
  });

  test('a line that was too long for its row is one line again', () => {
    const long = 'a long line that goes on in the next row';
    expect(selectedText(select('row', [0, 0], [1, 0]), rowsOf(`${long}\nnext`).slice(0, 2))).toBe(long);
  });

  test('wide and joined characters come whole, also from their right half', () => {
    const wide = rowsOf('牛乳 é👩‍🌾 x');
    expect(selectedText(select('row', [0, 0], [0, 0]), wide.slice(0, 1))).toBe('牛乳 é👩‍🌾 x');
    expect(selectedText(select('character', [0, 0], [0, 2]), wide.slice(0, 1))).toBe('牛乳');
  });
});

describe('movement', () => {
  const text = rowsOf('one two-three  four\n\nfive 牛乳 six\n\n\nlast');
  const ground = { first: 0, end: 8, cols: 20, at: (row: number) => text[row] };
  const path = (motion: Motion, from: [number, number], steps: number) => {
    let cell = { row: from[0], column: from[1] };
    return Array.from({ length: steps }, () => {
      cell = move(cell, motion, ground);
      return `${cell.row}:${cell.column}`;
    });
  };

  test.each([
    ['word', [0, 0], ['0:4', '0:7', '0:8', '0:15', '2:0', '2:5', '2:10', '5:0']],
    ['word-end', [0, 0], ['0:2', '0:6', '0:7', '0:12', '0:18', '2:3', '2:8', '2:12', '5:3', '5:3']],
    ['word-back', [5, 0], ['2:10', '2:5', '2:0', '0:15', '0:8', '0:7', '0:4', '0:0', '0:0']],
    ['big-word', [0, 0], ['0:4', '0:15', '2:0', '2:5', '2:10', '5:0']],
    ['big-word-end', [0, 0], ['0:2', '0:12', '0:18', '2:3', '2:8', '2:12', '5:3']],
    ['big-word-back', [5, 0], ['2:10', '2:5', '2:0', '0:15', '0:4', '0:0', '0:0']],
    ['paragraph', [0, 3], ['1:0', '3:0', '6:0', '7:0']],
    ['paragraph-back', [5, 2], ['4:0', '1:0', '0:0']],
    ['line-end', [0, 0], ['0:18']],
    ['first-character', [2, 7], ['2:0']],
    ['left', [0, 1], ['0:0', '0:0']],
    ['right', [0, 18], ['0:19', '0:19']],
  ] as const)('%s', (motion, from, cells) => {
    expect(path(motion, [...from], cells.length)).toEqual(cells);
  });
});
