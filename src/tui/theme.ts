/**
 * Themes: colours and glyphs as data, one JSON shape for all of `themes/`.
 * Chooses one by name; never decides where a colour is used.
 */
import { type Static, Type } from '@sinclair/typebox';
import dusk from '../../themes/dusk.json' with { type: 'json' };
import gruvbox from '../../themes/gruvbox.json' with { type: 'json' };
import highContrast from '../../themes/high-contrast.json' with { type: 'json' };
import latte from '../../themes/latte.json' with { type: 'json' };
import mocha from '../../themes/mocha.json' with { type: 'json' };
import monochrome from '../../themes/monochrome.json' with { type: 'json' };
import nord from '../../themes/nord.json' with { type: 'json' };
import solarizedLight from '../../themes/solarized-light.json' with { type: 'json' };
import terminal from '../../themes/terminal.json' with { type: 'json' };
import tokyoNight from '../../themes/tokyo-night.json' with { type: 'json' };

const Colour = Type.Union([
  Type.Integer({ minimum: 0, maximum: 255 }),
  Type.TemplateLiteral([Type.Literal('#'), Type.String()], { pattern: '^#[0-9a-f]{6}$' }),
  Type.Literal('default'),
]);

const ThemeStyle = Type.Object(
  {
    fg: Type.Optional(Colour),
    bg: Type.Optional(Colour),
    bold: Type.Optional(Type.Boolean()),
    dim: Type.Optional(Type.Boolean()),
    italic: Type.Optional(Type.Boolean()),
    underline: Type.Optional(Type.Boolean()),
    inverse: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const glyph = Type.String({ minLength: 1, maxLength: 2, description: 'One column wide.' });

/** The shape of a file in `themes/`. */
export const Theme = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
    backgrounds: Type.Array(Type.String({ pattern: '^#[0-9a-f]{6}$' }), {
      description:
        "Backgrounds of terminals the theme is made for: its text is legible on each. Empty: any, as its colours are the terminal's own.",
    }),
    styles: Type.Object(
      {
        text: ThemeStyle,
        dim: ThemeStyle,
        strong: ThemeStyle,
        accent: ThemeStyle,
        warning: ThemeStyle,
        danger: ThemeStyle,
        border: ThemeStyle,
        borderFocused: ThemeStyle,
        selection: ThemeStyle,
        tab: ThemeStyle,
        tabCurrent: ThemeStyle,
      },
      { additionalProperties: false },
    ),
    glyphs: Type.Object(
      {
        mark: glyph,
        waiting: glyph,
        quote: glyph,
        changed: glyph,
        folded: glyph,
        unfolded: glyph,
        cut: glyph,
        bars: Type.String({ minLength: 2, description: 'Bars of a sparkline, lowest first.' }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type Theme = Static<typeof Theme>;

/** In the order in which they are offered. */
export const themes = [
  terminal,
  dusk,
  mocha,
  nord,
  gruvbox,
  tokyoNight,
  latte,
  solarizedLight,
  highContrast,
  monochrome,
] as readonly Theme[];

/** The theme of that name; undefined when there is none. */
export function findTheme(name: string): Theme | undefined {
  return themes.find((theme) => theme.name === name);
}

/** Attributes alone: what NO_COLOR asks for. */
export const colourlessTheme = monochrome as Theme;

/** Follows the terminal's own sixteen colours. */
export const defaultTheme = terminal as Theme;
