/**
 * Lays out the counter's screen: the value in large digits, who changed it, a chart. Knows no terminal.
 */
import { center, columns, type Style, style } from '../sdk/index.ts';
import { type Hint, hintLine, titleLine } from './screen.ts';

export interface Change {
  /** 1 for the first change since the start. */
  n: number;
  value: number;
  /** What was done, as `add 2`. */
  what: string;
  by: 'person' | 'agent';
  /** RFC 3339. */
  at: string;
}

interface CounterView {
  value: number;
  count: number;
  changes: readonly Change[];
  /** Whether `q` ends the program. */
  quits: boolean;
}

/** Three by five pixels each, a row a line. */
const font: Readonly<Record<string, readonly string[]>> = {
  '0': ['###', '# #', '# #', '# #', '###'],
  '1': [' # ', '## ', ' # ', ' # ', '###'],
  '2': ['###', '  #', '###', '#  ', '###'],
  '3': ['###', '  #', '###', '  #', '###'],
  '4': ['# #', '# #', '###', '  #', '  #'],
  '5': ['###', '#  ', '###', '  #', '###'],
  '6': ['###', '#  ', '###', '# #', '###'],
  '7': ['###', '  #', '  #', '  #', '  #'],
  '8': ['###', '# #', '###', '# #', '###'],
  '9': ['###', '# #', '###', '  #', '###'],
  '-': ['   ', '   ', '###', '   ', '   '],
};

const byStyle: Readonly<Record<Change['by'], Style>> = { person: 'yellow', agent: 'cyan' };

const hints: readonly Hint[] = [
  ['+', 'more'],
  ['-', 'less'],
  ['r', 'reset'],
];

export function counterScreen(view: CounterView, { cols, rows }: { cols: number; rows: number }): string[] {
  const digits = largeNumber(view.value, cols - 4, rows >= 16);
  const free = rows - digits.length - 4;
  const chartHeight = Math.max(0, Math.min(10, Math.floor(free * 0.55)));
  const chart = chartLines(view.changes, Math.min(cols - 4, 72), chartHeight);
  const gaps = free - chartHeight;
  const between = Math.max(0, Math.min(2, Math.floor(gaps / 3)));
  const above = Math.max(0, Math.floor((gaps - between) / 2));
  const upper = [
    titleLine('Counter', style(plural(view.count), 'grey'), cols),
    ...blank(above),
    ...digits.map((line) => style(center(line, cols), 'bold')),
    ...blank(1),
    center(caption(view.changes.at(-1)), cols),
    ...blank(between),
    ...chart.map((line) => center(line, cols)),
  ];
  const hintsNow: readonly Hint[] = view.quits ? [...hints, ['q', 'quit']] : hints;
  return [...upper, ...blank(rows - upper.length - 1), hintLine(hintsNow, cols)];
}

function blank(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '');
}

function plural(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`;
}

function caption(last: Change | undefined): string {
  if (!last) return style('nobody has changed it yet', 'grey');
  const time = new Date(last.at).toTimeString().slice(0, 8);
  return `${style(`${last.what}  by `, 'grey')}${style(last.by, byStyle[last.by])}${style(`  at ${time}`, 'grey')}`;
}

/** Square pixels: two cells wide and one high, or half a cell high where room is short. */
function largeNumber(value: number, cells: number, tall: boolean): string[] {
  const glyphs = [...String(value)].map((char) => font[char] ?? []);
  const pixels = [0, 1, 2, 3, 4].map((row) => glyphs.map((glyph) => glyph[row] ?? '').join(' '));
  const columnsUsed = pixels[0]?.length ?? 0;
  if (tall && columnsUsed * 2 <= cells) {
    return pixels.map((row) => [...row].map((pixel) => (pixel === '#' ? '██' : '  ')).join(''));
  }
  if (columnsUsed > cells) return [String(value)];
  return [0, 2, 4].map((row) => {
    const lower = pixels[row + 1] ?? '';
    return [...(pixels[row] ?? '')]
      .map((pixel, column) => half(pixel === '#', lower[column] === '#'))
      .join('');
  });
}

function half(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}

/** One column a change, newest at the right, in the colour of whoever made it. */
function chartLines(changes: readonly Change[], cells: number, height: number): string[] {
  const shown = changes.slice(-Math.max(0, cells));
  if (shown.length === 0 || height === 0) return [];
  const values = shown.map((change) => change.value);
  return columns(values, height).map((line) =>
    [...line].map((bar, index) => style(bar, byStyle[shown[index]?.by ?? 'person'])).join(''),
  );
}
