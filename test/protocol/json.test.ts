import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodedSize, largestGrowth, parseLine } from '../../src/protocol/json.ts';

const parse = (text: string) => parseLine(Buffer.from(text));

describe('parseLine', () => {
  it('reads back whatever JSON can carry', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), (value) => {
        const parsed = parse(JSON.stringify(value));
        expect(parsed).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
      }),
      { seed: 20_261_130 },
    );
  });

  it.each([
    ['a trailing carriage return', '{"a":1}\r'],
    ['white space around', ' \t[1] '],
    ['U+2028 in a string', '"a\u2028b"'],
    ['a pair of surrogate escapes', '"\\ud83d\\ude00"'],
    ['an escaped backslash before ud800', '"\\\\ud800"'],
    ['a large exponent', '1e308'],
    ['an exponent that underflows', '1e-999'],
    ['512 levels', `${'['.repeat(512)}${']'.repeat(512)}`],
    ['brackets in a string', `"${'['.repeat(2000)}"`],
    ['null', 'null'],
  ])('takes %s', (_, text) => {
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it.each([
    ['an empty line', '', 'it is empty'],
    ['white space alone', ' \r', 'it is empty'],
    ['two values', '{} {}', undefined],
    ['NaN', 'NaN', undefined],
    ['Infinity', '-Infinity', undefined],
    ['a byte-order mark', '\uFEFF{}', 'it begins with a byte-order mark'],
    ['a lone high surrogate', '"\\ud800"', 'it holds a lone surrogate'],
    ['a lone low surrogate', '["\\uDC00x"]', 'it holds a lone surrogate'],
    ['a lone surrogate in a key', '{"\\uDfff":1}', 'it holds a lone surrogate'],
    ['a number beyond a double', '[1e400]', 'it holds a number beyond all range'],
    ['a number of 400 digits', '9'.repeat(400), 'it holds a number beyond all range'],
    ['513 levels', `${'['.repeat(513)}${']'.repeat(513)}`, 'it nests deeper than 512 levels'],
    ['a million levels', '{"a":'.repeat(1_000_000), 'it nests deeper than 512 levels'],
    ['a raw control character', '"\u0001"', undefined],
    ['a comment', '{} // x', undefined],
  ])('refuses %s', (_, text, reason) => {
    const parsed = parse(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok && reason !== undefined) expect(parsed.reason).toBe(reason);
  });

  it('refuses bytes that are not UTF-8', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc3, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
    ]) {
      expect(parseLine(Buffer.from(bytes))).toEqual({ ok: false, reason: 'it is not UTF-8' });
    }
  });

  it('keeps __proto__ as an ordinary member', () => {
    const parsed = parse('{"__proto__":{"x":1}}');
    expect(parsed.ok && JSON.stringify(parsed.value)).toBe('{"__proto__":{"x":1}}');
  });
});

describe('encodedSize', () => {
  it('counts compact JSON in bytes of UTF-8', () => {
    expect(encodedSize({ a: ['é', null] })).toBe(Buffer.byteLength('{"a":["é",null]}'));
    expect(encodedSize(1e20)).toBe(21);
    expect(encodedSize(undefined)).toBe(Number.POSITIVE_INFINITY);
  });

  it('never exceeds the parsed text times the largest growth', () => {
    const exponent = fc.tuple(fc.integer(), fc.integer({ min: -30, max: 30 })).map(([m, e]) => `${m}e${e}`);
    const text = fc.oneof(
      fc.array(exponent).map((numbers) => `[${numbers.join(',')}]`),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (json) => encodedSize(JSON.parse(json)) <= largestGrowth * Buffer.byteLength(json)),
      { seed: 20_261_130 },
    );
  });
});
