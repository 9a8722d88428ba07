/**
 * Draws candles with box-drawing characters, two steps a cell, with a price axis and the volume below.
 * Knows prices and cells, no market.
 */
import { type Style, style, width } from '../../sdk/index.ts';
import type { Candle } from './candles.ts';
import { grey, money, named, right, shares } from './format.ts';

/** Cells of the axis, with the space before it. */
const axisWidth = 8;

type Half = 'none' | 'wick' | 'body';

/** What stands in one cell, by its upper and its lower half. */
const glyphs: Readonly<Record<Half, Readonly<Record<Half, string>>>> = {
  none: { none: ' ', wick: '╷', body: '╻' },
  wick: { none: '╵', wick: '│', body: '╽' },
  body: { none: '╹', wick: '╿', body: '┃' },
};

const eighths = ' ▁▂▃▄▅▆▇█';

/** Steps, in cents, that prices on an axis go by. */
const niceSteps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000];

/** A price range in cents that holds the candles; its bounds are round, so that it seldom moves. */
interface Scale {
  readonly low: number;
  readonly high: number;
  /** Cents between labels. */
  readonly step: number;
}

/** How many candles fit in `cells`. */
export function candlesIn(cells: number): number {
  return Math.max(1, Math.floor((cells - axisWidth) / slot(cells)));
}

/** `height` lines, `cells` wide: a heading where there is room, candles, and up to three rows of volume. */
export function chart(candles: readonly Candle[], caption: string, cells: number, height: number): string[] {
  const headed = height >= 8;
  const volumeHeight = height >= 16 ? 3 : height >= 9 ? 2 : height >= 6 ? 1 : 0;
  const candleHeight = Math.max(0, height - volumeHeight - (headed ? 1 : 0));
  const shown = candles.slice(-candlesIn(cells));
  const last = shown.at(-1);
  if (!last || candleHeight === 0) return [];
  return [
    ...(headed ? [heading(last, caption, cells)] : []),
    ...candleRows(shown, last, cells, candleHeight),
    ...volumeRows(shown, cells, volumeHeight),
  ];
}

/** Two cells a candle once that still leaves a good many of them. */
function slot(cells: number): number {
  return cells >= 64 ? 2 : 1;
}

function heading(last: Candle, caption: string, cells: number): string {
  const { open, high, low, close } = last;
  const parts = [
    caption,
    named('o', money(open)),
    named('h', money(high)),
    named('l', money(low)),
    named('c', style(money(close), colour(last))),
  ];
  const line = parts.join('  ');
  return width(line) <= cells ? line : caption;
}

function candleRows(candles: readonly Candle[], last: Candle, cells: number, height: number): string[] {
  const scale = scaleOf(candles, height);
  const { low, high } = scale;
  const halves = height * 2;
  const half = (price: number) => Math.round(((price - low) / (high - low)) * (halves - 1));
  const rowOf = (price: number) => height - 1 - Math.floor(half(price) / 2);
  const labels = new Map<number, string>();
  for (let price = Math.ceil(low / scale.step) * scale.step; price <= high; price += scale.step) {
    labels.set(rowOf(price), grey(right(money(price), axisWidth - 1)));
  }
  // The price now stands over a label of the scale: it is what one looks for.
  labels.set(rowOf(last.close), style(right(money(last.close), axisWidth - 1), 'bold', colour(last)));
  const shapes = candles.map((candle) => ({
    colour: colour(candle),
    wick: [half(candle.low), half(candle.high)] as const,
    body: [half(Math.min(candle.open, candle.close)), half(Math.max(candle.open, candle.close))] as const,
  }));
  return Array.from({ length: height }, (_, row) => {
    const lower = (height - 1 - row) * 2;
    const line = shapes.map((shape) => {
      const part = (at: number): Half =>
        within(at, shape.body) ? 'body' : within(at, shape.wick) ? 'wick' : 'none';
      return { text: glyphs[part(lower + 1)][part(lower)], colour: shape.colour };
    });
    return `${plot(line, cells)} ${labels.get(row) ?? ''}`;
  });
}

function volumeRows(candles: readonly Candle[], cells: number, height: number): string[] {
  const most = Math.max(1, ...candles.map(({ volume }) => volume));
  return Array.from({ length: height }, (_, row) => {
    const line = candles.map(({ volume }) => {
      const level = Math.ceil((volume / most) * height * 8) - (height - 1 - row) * 8;
      return { text: eighths[Math.max(0, Math.min(8, level))] ?? ' ', colour: 'grey' as Style };
    });
    const label = row === 0 ? shares(most) : row === height - 1 ? 'volume' : '';
    return `${plot(line, cells)} ${grey(right(label, axisWidth - 1))}`;
  });
}

/** The newest at the right edge. Neighbours of one colour share one escape sequence. */
function plot(line: readonly { text: string; colour: Style }[], cells: number): string {
  const gap = ' '.repeat(slot(cells) - 1);
  let plotted = ' '.repeat(Math.max(0, cells - axisWidth - line.length * slot(cells)));
  let run = '';
  let runColour: Style = 'grey';
  for (const { text, colour } of line) {
    if (colour !== runColour && text !== ' ') {
      plotted += style(run, runColour);
      run = '';
      runColour = colour;
    }
    run += gap + text;
  }
  return plotted + style(run, runColour);
}

function colour({ open, close }: Candle): Style {
  return close < open ? 'red' : 'green';
}

function within(at: number, [from, to]: readonly [number, number]): boolean {
  return at >= from && at <= to;
}

function scaleOf(candles: readonly Candle[], height: number): Scale {
  const lowest = Math.min(...candles.map(({ low }) => low));
  const highest = Math.max(...candles.map(({ high }) => high));
  const range = Math.max(4, highest - lowest);
  const step = nice(range / Math.max(1, Math.floor(height / 3)));
  const snap = nice(range / 12);
  const low = Math.floor(lowest / snap) * snap;
  return { step, low, high: Math.max(low + 4, Math.ceil(highest / snap) * snap) };
}

function nice(atLeast: number): number {
  return niceSteps.find((step) => step >= atLeast) ?? 20_000;
}
