/** Rows by number and text in them, of screens of every length, against the plain list of what was written. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowText } from '../../src/cells/text.ts';
import { decodeRow } from '../../src/cells/wire.ts';
import { findIn, historyOf } from '../../src/host/history.ts';
import type { Instance } from '../../src/host/instance.ts';
import { Screen } from '../../src/screen/index.ts';

const seed = 20261130;

function instanceOf(lines: readonly string[], scrollback = 1_000): Instance {
  const screen = new Screen({ cols: 40, rows: 5, scrollback });
  screen.write(Buffer.from(lines.join('\r\n')));
  while (screen.parse(1_000)) {
    // Until all is parsed.
  }
  return { screen } as unknown as Instance;
}

describe('rows by number', () => {
  test('are the lines as they were written, whatever has scrolled off or was dropped', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 60 }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 70 }),
        fc.integer({ min: 0, max: 70 }),
        (count, scrollback, start, wanted) => {
          const lines = Array.from({ length: count }, (_, index) => `line ${index}`);
          const instance = instanceOf(lines, scrollback);
          const answer = historyOf(instance, { instance: 'shell:1', start, count: wanted });
          const first = Math.max(0, count - 5 - scrollback);
          expect(answer).toMatchObject({ cols: 40, first, screen: count - 5, end: count });
          const texts = answer.rows.map((row) => rowText(decodeRow(row, 40)));
          const from = Math.max(first, start);
          expect(answer.start).toBe(from);
          expect(texts).toEqual(lines.slice(from, Math.max(from, start + wanted)));
        },
      ),
      { seed },
    );
  });
});

describe('text in rows', () => {
  const find = (instance: Instance, text: string, row: number, column: number, backward: boolean) =>
    findIn(instance, { instance: 'shell:1', text, row, column, backward });

  test('is found one after the other, each once, in both directions', () => {
    const word = fc.constantFrom('ab', 'AB', 'x', '', '牛ab', 'ab ab');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (lines) => {
        const instance = instanceOf(lines);
        const seen: string[] = [];
        let at: { row: number; column: number } | undefined = { row: 0, column: -1 };
        for (;;) {
          at = find(instance, 'ab', at.row, at.column, false).found;
          if (!at) break;
          seen.push(`${at.row}:${at.column}`);
        }
        const expected = lines.flatMap((line, row) =>
          [...line.matchAll(/ab/gi)].map(
            ({ index }) => `${row}:${line.startsWith('牛') ? index + 1 : index}`,
          ),
        );
        expect(seen).toEqual(expected);
        const back: string[] = [];
        at = { row: instance.screen.screenStart + 4, column: 40 };
        for (;;) {
          at = find(instance, 'ab', at.row, at.column, true).found;
          if (!at) break;
          back.unshift(`${at.row}:${at.column}`);
        }
        expect(back).toEqual(expected);
      }),
      { seed },
    );
  });

  test('is told from its capitals only where it has some', () => {
    const instance = instanceOf(['Error one', 'error two']);
    expect(find(instance, 'error', 0, -1, false).found).toEqual({ row: 0, column: 0 });
    expect(find(instance, 'Error', 0, 0, false).found).toBeUndefined();
    expect(find(instance, 'Error', 1, 9, true).found).toEqual({ row: 0, column: 0 });
  });

  test('is looked for in parts, so that a long history holds nobody up', () => {
    const instance = instanceOf([...Array(3_000).fill('no'), 'yes'], 5_000);
    const parts = [find(instance, 'yes', 0, -1, false)];
    while (parts.at(-1)?.next !== undefined)
      parts.push(find(instance, 'yes', parts.at(-1)?.next as number, -1, false));
    expect(parts.map(({ found, next }) => found?.row ?? next)).toEqual([1_000, 2_000, 3_000, 3_000]);
  });
});
