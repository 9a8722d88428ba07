import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../src/protocol/lines.ts';

const texts = (lines: Buffer[]) => lines.map((line) => line.toString());

describe('LineSplitter', () => {
  it('finds the same lines however the bytes are split and merged', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '\u2028'));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const splitter = new LineSplitter(1_000_000);
        const found: Buffer[] = [];
        let start = 0;
        for (const cut of [...cuts, bytes.length]) {
          found.push(...splitter.push(bytes.subarray(start, start + cut)));
          start += cut;
        }
        found.push(...splitter.push(bytes.subarray(start)));
        expect(texts(found)).toEqual(lines.map((text) => Buffer.from(text).toString()));
        expect(splitter.pendingBytes).toBe(0);
      }),
      { seed: 20_261_130 },
    );
  });

  it('takes one byte at a time', () => {
    const splitter = new LineSplitter(5000);
    const found: Buffer[] = [];
    for (const byte of Buffer.from(`${'é'.repeat(2500)}\n\n`)) found.push(...splitter.push(Buffer.of(byte)));
    expect(texts(found)).toEqual(['é'.repeat(2500), '']);
  });

  it('keeps U+2028, U+2029 and carriage returns inside a line', () => {
    expect(texts(new LineSplitter(100).push(Buffer.from('a\u2028b\u2029c\r\n')))).toEqual([
      'a\u2028b\u2029c\r',
    ]);
  });

  it('allows exactly the limit, whole or in pieces', () => {
    const splitter = new LineSplitter(4);
    expect(texts(splitter.push(Buffer.from('abcd\nab')))).toEqual(['abcd']);
    expect(splitter.pendingBytes).toBe(2);
    expect(texts(splitter.push(Buffer.from('cd\n')))).toEqual(['abcd']);
    expect(splitter.overflowed).toBe(false);
  });

  it('refuses a line beyond the limit before its newline arrives, and gives the lines before it', () => {
    const splitter = new LineSplitter(4);
    expect(texts(splitter.push(Buffer.from('ab\nabc')))).toEqual(['ab']);
    expect(splitter.push(Buffer.from('de'))).toEqual([]);
    expect(splitter.overflowed).toBe(true);
    expect(splitter.push(Buffer.from('\nfine\n'))).toEqual([]);
  });

  it('refuses a complete line beyond the limit', () => {
    const splitter = new LineSplitter(4);
    expect(texts(splitter.push(Buffer.from('ab\nabcde\nab\n')))).toEqual(['ab']);
    expect(splitter.overflowed).toBe(true);
  });

  it('does not give out bytes that a later chunk overwrites', () => {
    const splitter = new LineSplitter(100);
    splitter.push(Buffer.from('first'));
    const [line] = splitter.push(Buffer.from('\nsecond'));
    splitter.push(Buffer.from(' more\n'));
    expect(line!.toString()).toBe('first');
  });
});
