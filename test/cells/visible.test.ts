import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, withoutInvisible } from '../../src/cells/visible.ts';

const seed = 20_261_130;

describe('visible', () => {
  it.each([
    ['plain text: {"a": [1, 2]}', 'plain text: {"a": [1, 2]}'],
    ['Grüße, 漢字, 👍', 'Grüße, 漢字, 👍'],
    ['\x1b[31mred', '␛[31mred'],
    ['one\ntwo\r\n', 'one␊two␍␊'],
    ['a\tb', 'a⇥b'],
    ['\0\x7f', '␀␡'],
    ['\x9b', '⟨U+009B⟩'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['pass\u200bword', 'pass⟨U+200B⟩word'],
    ['\ufeffx', '⟨U+FEFF⟩x'],
    ['x\u{e0041}', 'x⟨U+E0041⟩'],
    ['\ud800x', '⟨U+D800⟩x'],
    ['x\udc00', 'x⟨U+DC00⟩'],
    ['a\u00a0b', 'a⟨U+00A0⟩b'],
    ['\u3000', '⟨U+3000⟩'],
    ['a b ', 'a b␠'],
    ['  a', '  a'],
    ['\u2028', '⟨U+2028⟩'],
    ['\u3164', '⟨U+3164⟩'],
    // What stands for a control, or opens a spelled-out character, cannot be forged.
    ['␛', '⟨U+241B⟩'],
    ['⟨U+202E⟩', '⟨U+27E8⟩U+202E⟩'],
    ['⇥', '⟨U+21E5⟩'],
    ['␠', '⟨U+2420⟩'],
    // What would look like another text.
    ['é', 'é'],
    ['e\u0301', 'e⟨U+0301⟩'],
    ['\u212b', '⟨U+212B⟩'],
    ['\u1100\u1161', 'ᄀ⟨U+1161⟩'],
    ['नि', 'नि'],
    ['\u0301a', '⟨U+0301⟩a'],
    [' \u0335', ' ⟨U+0335⟩'],
    // Letters that pass for others.
    ['p\u0430y', 'p⟨U+0430⟩y'],
    ['\u0430 \u0441\u043e\u0440\u0443', '⟨U+0430⟩ ⟨U+0441⟩⟨U+043E⟩⟨U+0440⟩⟨U+0443⟩'],
    ['привет, αβγδ', 'привет, αβγδ'],
    ['прив\u0435т', 'привет'],
    ['привeт', '⟨U+043F⟩⟨U+0440⟩⟨U+0438⟩⟨U+0432⟩e⟨U+0442⟩'],
    ['\u03bf', '⟨U+03BF⟩'],
    ['5 \u00b5m', '5 \u00b5m'],
    ['\u03bcm', '⟨U+03BC⟩m'],
    ['\uff50ay \ufb01 \u{1d41a}', '⟨U+FF50⟩ay ⟨U+FB01⟩ ⟨U+1D41A⟩'],
  ])('shows %j as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('shows what is spelled out in plain sight only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
        expect(shown).toBe(shown.normalize('NFC'));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('can be taken back, so that no two texts look the same', () => {
    const nasty = fc.constantFrom(
      '⟨',
      '⟩',
      '⟨U+202E⟩',
      'U+',
      '\u202e',
      ' ',
      '␠',
      '\t',
      '⇥',
      '\x1b',
      '␛',
      '\ud800',
      '\udc00',
      'e',
      '\u0301',
      '\u0323',
      '\u212b',
      '\u1100',
      '\u1161',
      '\u11a8',
      'a',
      '0',
      '4',
      '\u00a0',
      '\u{e0041}',
    );
    const text = fc
      .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 3 })))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (original) => {
        expect(unshow(visible(original))).toBe(original);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('takes time by the length only', () => {
    const start = performance.now();
    for (const unit of [' ', '\u0301', 'a\u0329', '\u202e', 'é', '\u1100'])
      visible(`${unit.repeat(50_000)}x`);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

function unshow(shown: string): string {
  return shown
    .replace(/␠/g, ' ')
    .replace(/⇥/g, '\t')
    .replace(/[\u2400-\u241f]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0x2400))
    .replace(/␡/g, '\x7f')
    .replace(/⟨U\+([0-9A-F]+)⟩/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

describe('withoutInvisible', () => {
  it('leaves out what cannot be seen', () => {
    expect(withoutInvisible('a\u202eb\x1b[1m\ud800c\u200b é')).toBe('ab[1mc é');
  });
});
