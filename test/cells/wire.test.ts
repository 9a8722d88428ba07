import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bgFlag, blankRow, content, type Row, rowsEqual } from '../../src/cells/row.ts';
import { rowsText, rowText } from '../../src/cells/text.ts';
import { decodeRow, encodeRow, MalformedWireError, type WireRow } from '../../src/cells/wire.ts';
import { Screen } from '../../src/screen/index.ts';
import { terminalBytes } from '../support/terminal-streams.ts';

const seed = 20_261_130;

function rowsOf(bytes: string | Buffer, cols = 12, rows = 4): Row[] {
  const screen = new Screen({ cols, rows });
  screen.write(Buffer.from(bytes));
  while (screen.parse(1_000));
  return screen.frame(0).changed.map(([, row]) => row);
}

const first = (bytes: string): Row => rowsOf(bytes)[0] as Row;

describe('a row on the wire', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(terminalBytes, (bytes) => {
        for (const row of rowsOf(bytes)) {
          const wire: unknown = JSON.parse(JSON.stringify(encodeRow(row)));
          expect(rowsEqual(decodeRow(wire, 12), row)).toBe(true);
        }
      }),
      { seed, numRuns: 150 },
    );
  });

  it('leaves out trailing blanks and names runs once', () => {
    expect(encodeRow(blankRow(80))).toEqual({ w: '' });
    const linked = encodeRow(first('\x1b]8;;http://a\x07abcdef\x1b]8;;\x07  '));
    expect(linked.w).toHaveLength(6 * 16);
    expect(linked.x).toEqual([[0, 6, 0, 0, 'http://a', '1']]);
    expect(encodeRow(first('\x1b[4mplain underline')).x).toBeUndefined();
    expect(encodeRow(rowsOf('a'.repeat(13))[1] as Row).c).toBe(1);
  });

  const good = encodeRow(first('e\u0327漢\x1b[4:3mx'));
  const words = (...values: number[]) => ({
    w: Buffer.from(new Uint32Array(values).buffer).toString('base64'),
  });
  const one = 1 << content.widthShift;

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['no cells', {}],
    ['cells that are no text', { w: 5 }],
    ['cells that are not base64', { w: '????????????????' }],
    ['a piece of a cell', { w: 'AAAA' }],
    ['too many cells', { w: 'IABAAAAAAAAAAAAA'.repeat(13) }],
    ['an escape in a cell', words(0x1b | one, 0, 0)],
    ['a C1 control in a cell', words(0x9b | one, 0, 0)],
    ['a surrogate in a cell', words(0xd800 | one, 0, 0)],
    ['a code point beyond Unicode', words(0x110000 | one, 0, 0)],
    ['a right half alone', words(0, 0, 0)],
    ['a wide cell without its right half', words(0x6f22 | (2 << content.widthShift), 0, 0)],
    ['a width of 3', words(0x20 | (3 << content.widthShift), 0, 0)],
    ['a joined cell without characters', words(content.joined | one, 0, 0)],
    ['an extended cell without attributes', words(content.blank, 0, bgFlag.extended)],
    ['characters of no cell', { ...good, j: [...(good.j ?? []), [7, 'a']] }],
    ['attributes of no cell', { ...good, x: [[7, 1, 3, 0]] }],
    ['characters outside', { ...good, j: [[12, 'a']] }],
    ['an escape in joined characters', { ...good, j: [[0, 'a\x1b']] }],
    ['endless joined characters', { ...good, j: [[0, 'a'.repeat(65)]] }],
    ['a run beyond the row', { ...good, x: [[3, 10, 3, 0]] }],
    ['a negative run', { ...good, x: [[3, -1, 3, 0]] }],
    ['an unknown underline', { ...good, x: [[3, 1, 6, 0]] }],
    ['a control in a link', { ...good, x: [[3, 1, 3, 0, 'http://\x07', '1']] }],
    ['an endless link', { ...good, x: [[3, 1, 3, 0, 'a'.repeat(9_999), '1']] }],
    ['a link without id', { ...good, x: [[3, 1, 3, 0, 'http://a']] }],
    ['a prototype', { ...good, j: [['__proto__', 'a']] }],
  ])('refuses %s', (_, wire) => {
    expect(() => decodeRow(wire, 12)).toThrow(MalformedWireError);
  });

  it('is refused or well formed, whatever arrives', () => {
    const mutated = fc
      .tuple(
        terminalBytes,
        fc.nat(),
        fc.constantFrom(...'ABg/+9'),
        fc.array(fc.tuple(fc.integer({ min: -1, max: 13 }), fc.string())),
      )
      .map(([bytes, place, char, j]): WireRow => {
        const wire = encodeRow(rowsOf(bytes)[0] as Row);
        const at = place % (wire.w.length + 1);
        const w = wire.w.slice(0, at) + char + wire.w.slice(at + 1);
        return j.length > 2 ? { ...wire, w, j } : { ...wire, w };
      });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), mutated), (wire) => {
        let row: Row;
        try {
          row = decodeRow(wire, 12);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedWireError);
          return;
        }
        expect(rowsEqual(decodeRow(encodeRow(row), 12), row)).toBe(true);
        expect(rowText(row)).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }),
      { seed, numRuns: 300 },
    );
  });

  it('cannot be wider than a screen', () => {
    expect(() => decodeRow({ w: '' }, 1e9)).toThrow(MalformedWireError);
  });
});

describe('the text of rows', () => {
  it('has wide and joined characters once and no trailing blanks', () => {
    expect(rowText(first('a漢e\u0327👍🏽 b   '))).toBe('a漢e\u0327👍🏽 b');
    expect(rowText(first('ab'), true)).toBe(`ab${' '.repeat(10)}`);
  });

  it('joins what was wrapped, blanks and all', () => {
    expect(rowsText(rowsOf('0123456789  ab\r\nnext\r\n'))).toBe('0123456789  ab\nnext\n');
  });
});
