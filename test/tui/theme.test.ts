import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cellWidth, stringColumns } from '../../src/cells/widths.ts';
import { compileOwnSchema } from '../../src/schema/index.ts';
import { colourlessTheme, defaultTheme, findTheme, Theme, themes } from '../../src/tui/theme.ts';

const folder = new URL('../../themes/', import.meta.url);
const files = readdirSync(folder);
const check = compileOwnSchema(Theme);

test.each(files)('%s is a theme, and one that can be chosen', (file) => {
  const theme = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Theme;
  expect(check(theme)).toEqual([]);
  expect(`${theme.name}.json`).toBe(file);
  expect(findTheme(theme.name)).toEqual(theme);
});

test.each(themes)('the glyphs of $name are one column wide', ({ glyphs }) => {
  for (const glyph of [...Object.values({ ...glyphs, bars: '' }), ...glyphs.bars]) {
    if (glyph !== '') expect([glyph, stringColumns(glyph), cellWidth(glyph)]).toEqual([glyph, 1, 1]);
  }
});

test("the default follows the terminal's own colours", () => {
  const colours = Object.values(defaultTheme.styles).flatMap(({ fg, bg }) => [fg, bg]);
  expect(colours.filter((colour) => colour !== undefined && !(Number(colour) < 16))).toEqual([]);
});

test('what is no theme is refused', () => {
  expect(check({ ...defaultTheme, glyphs: {} })).not.toEqual([]);
  expect(check({ ...defaultTheme, styles: { ...defaultTheme.styles, text: { fg: 'red' } } })).not.toEqual([]);
  expect(findTheme('none')).toBeUndefined();
});

/** Relative luminance, as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const text = [
  'text',
  'dim',
  'strong',
  'accent',
  'warning',
  'danger',
  'selection',
  'tab',
  'tabCurrent',
] as const;

test.each(themes)('every text of $name is legible on the backgrounds it is made for', (theme) => {
  for (const background of theme.backgrounds) {
    for (const style of text) {
      const { fg, bg = background } = theme.styles[style];
      expect(typeof fg, style).toBe('string');
      expect(contrast(String(fg), String(bg)), `${style} on ${bg}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test("a theme without known backgrounds uses the terminal's colours or none", () => {
  for (const { name, styles } of themes.filter(({ backgrounds }) => backgrounds.length === 0)) {
    const fixed = Object.values(styles).filter(
      ({ fg, bg }) => typeof fg === 'string' || typeof bg === 'string',
    );
    expect([name, fixed]).toEqual([name, []]);
  }
});

test('there is a theme without any colour, and states differ in it all the same', () => {
  const { styles } = colourlessTheme;
  expect(Object.values(styles).some((style) => 'fg' in style || 'bg' in style)).toBe(false);
  expect(styles.tab).not.toEqual(styles.tabCurrent);
  expect(styles.border).not.toEqual(styles.borderFocused);
  expect(styles.text).not.toEqual(styles.selection);
});
