import { describe, expect, test } from 'vitest';
import { center, clip, columns, ends, pad, plain, style, width } from '../../src/sdk/index.ts';

describe('text is measured and fitted in cells', () => {
  test('wide characters count two, styles none', () => {
    expect(width(style('牛乳', 'bold', 'red'))).toBe(4);
  });

  test('a wide character that does not fit whole is left out', () => {
    expect(clip('a牛乳', 4)).toBe('a牛');
    expect(clip('👩‍🚀x', 1)).toBe('');
  });

  test('clipping keeps the styles', () => {
    expect(clip(`${style('abc', 'red')}def`, 2)).toBe('\x1b[31mab\x1b[m');
  });

  test('pad, center and ends fill what they are given', () => {
    expect(pad('7', 3, 'right')).toBe('  7');
    expect(pad('牛', 3)).toBe('牛 ');
    expect(center('ab', 6)).toBe('  ab');
    expect(ends('a', 'b', 4)).toBe('a  b');
    expect(ends('abc', 'de', 5)).toBe('abc');
  });

  test('what could steer a terminal or turn the reading order is made visible', () => {
    expect(plain('a\x1b[2Jb\u202ec\u200bd\n')).toBe('a·[2Jb·c·d·');
    expect(plain('牛乳 👩‍🚀')).toBe('牛乳 👩‍🚀');
  });
});

describe('a column chart', () => {
  test('runs from a thin line to the full height', () => {
    expect(columns([0, 5, 10], 2)).toEqual([' ▁█', '▁██']);
  });

  test('is level in the middle when nothing differs, and empty without values', () => {
    expect(columns([3, 3], 2)).toEqual(['  ', '██']);
    expect(columns([], 2)).toEqual(['', '']);
  });
});
