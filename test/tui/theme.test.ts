import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cellWidth, stringColumns } from '../../src/cells/widths.ts';
import { compileOwnSchema } from '../../src/schema/index.ts';
import { defaultTheme, findTheme, Theme, themes } from '../../src/tui/theme.ts';

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
