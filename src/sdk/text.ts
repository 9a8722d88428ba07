/**
 * Styles, measures and fits the text of a Tick's screen, in terminal cells. Never writes to a terminal.
 */
import stringWidth from 'string-width';

/** The terminal's own sixteen colours and plain attributes, so that a person's theme applies. */
const codes = {
  bold: 1,
  dim: 2,
  reverse: 7,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  grey: 90,
} as const;

export type Style = keyof typeof codes;

/** `text` in the given styles. Styles do not nest: the inner one ends the outer. */
export function style(text: string, ...styles: Style[]): string {
  if (text === '' || styles.length === 0) return text;
  return `\x1b[${styles.map((name) => codes[name]).join(';')}m${text}\x1b[m`;
}

/** Cells that `text` takes, styles not counted. */
export function width(text: string): number {
  return stringWidth(text);
}

/**
 * Text from somebody else with everything that could steer a terminal or disguise its reading order made
 * visible: an agent's words must not be able to draw.
 */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '·');
}

const segmenter = new Intl.Segmenter();
const styled = /(\x1b\[[0-9;]*m)/;

/** `text` cut to at most `cells`; a wide character that does not fit whole is left out. Styles are kept. */
export function clip(text: string, cells: number): string {
  if (width(text) <= cells) return text;
  let left = cells;
  let clipped = '';
  for (const part of text.split(styled)) {
    if (styled.test(part)) {
      clipped += part;
      continue;
    }
    for (const { segment } of segmenter.segment(part)) {
      const taken = width(segment);
      if (taken > left) {
        left = 0;
        break;
      }
      left -= taken;
      clipped += segment;
    }
  }
  return clipped;
}

/** `text` in exactly `cells`, spaces after it (or before it, for numbers). */
export function pad(text: string, cells: number, side: 'left' | 'right' = 'left'): string {
  const fitted = clip(text, cells);
  const space = ' '.repeat(Math.max(0, cells - width(fitted)));
  return side === 'left' ? fitted + space : space + fitted;
}

/** `text` in the middle of `cells`. */
export function center(text: string, cells: number): string {
  const fitted = clip(text, cells);
  return ' '.repeat(Math.max(0, Math.floor((cells - width(fitted)) / 2))) + fitted;
}

/** `left` and `right` at the two ends of a line; `right` goes when both do not fit. */
export function ends(left: string, right: string, cells: number): string {
  const space = cells - width(left) - width(right);
  return space < 1 ? clip(left, cells) : left + ' '.repeat(space) + right;
}

const eighths = ' ▁▂▃▄▅▆▇█';

/**
 * A column chart: `height` lines, one cell a value, from the smallest value (a thin line) to the largest (a
 * full column). Empty values give empty lines.
 */
export function columns(values: readonly number[], height: number): string[] {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const levels = values.map((value) =>
    span === 0 ? height * 4 : 1 + Math.round(((value - low) / span) * (height * 8 - 1)),
  );
  return Array.from({ length: height }, (_, row) =>
    levels.map((level) => eighths[Math.max(0, Math.min(8, level - (height - 1 - row) * 8))]).join(''),
  );
}
