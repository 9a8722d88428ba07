/**
 * Draws the order book as a ladder: asks above, bids below, sizes as bars, own orders beside their level, and
 * where the order in the ticket would stand.
 */
import { type Style, style } from '../../sdk/index.ts';
import type { Level, Side } from './book.ts';
import type { Exchange } from './exchange.ts';
import { grey, money, ownerStyle, right, sideStyle } from './format.ts';
import type { Ticket } from './ticket.ts';

/** Cells without the bar. */
const fixedCells = 2 + 7 + 1 + 4 + 1 + 1 + 8;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

type Row = Level & { readonly chosen: boolean };

/** `height` lines, `cells` wide. The middle one is the spread, so that nothing moves when levels come and go. */
export function ladder(exchange: Exchange, ticket: Ticket, cells: number, height: number): string[] {
  const headed = height >= 8;
  const depth = Math.max(0, Math.floor((height - 1 - (headed ? 1 : 0)) / 2));
  const asks = rows(exchange, ticket, 'sell', depth);
  const bids = rows(exchange, ticket, 'buy', depth);
  const barCells = Math.max(0, cells - fixedCells);
  const full = roundUp(Math.max(1, ...[...asks, ...bids].map(({ size }) => size)));
  const draw = (row: Row, side: Side) => levelLine(row, side, barCells, full);
  return [
    ...(headed ? [grey(`${right('price', 9)} ${right('size', 4)}`)] : []),
    ...Array.from({ length: depth - asks.length }, () => ''),
    ...asks.map((row) => draw(row, 'sell')).reverse(),
    spreadLine(exchange, cells),
    ...bids.map((row) => draw(row, 'buy')),
  ];
}

/** Best first. The ticket's price is among them, if need be with nothing at it or in the last row. */
function rows({ book }: Exchange, ticket: Ticket, side: Side, depth: number): Row[] {
  const sign = side === 'buy' ? -1 : 1;
  const levels = book
    .levels(side, depth)
    .map((level) => ({ ...level, chosen: level.price === ticket.price }));
  const other = book.best(side === 'buy' ? 'sell' : 'buy');
  // An order that crosses is shown at the price it may go to, among the orders it would trade with.
  const crosses = other !== undefined && sign * (ticket.price - other) <= 0;
  const belongs =
    ticket.side === side ? !crosses : sign * (ticket.price - (book.best(side) ?? ticket.price)) >= 0;
  if (!belongs || depth === 0 || levels.some(({ chosen }) => chosen)) return levels;
  const ghost: Row = { price: ticket.price, size: 0, orders: 0, person: 0, agent: 0, chosen: true };
  const sorted = [...levels, ghost].sort((a, b) => sign * (a.price - b.price));
  const visible = sorted.slice(0, depth);
  return visible.includes(ghost) ? visible : [...sorted.slice(0, depth - 1), ghost];
}

function levelLine(
  { price, size, person, agent, chosen }: Row,
  side: Side,
  cells: number,
  full: number,
): string {
  const colour: Style = sideStyle[side];
  const mark = chosen ? style('› ', 'cyan') : '  ';
  const priceText = style(right(money(price), 7), colour, ...(chosen ? (['bold'] as const) : []));
  const sizeText = size === 0 ? grey(right('·', 4)) : right(String(size), 4);
  const text = bar(size / full, cells);
  const own = [
    person > 0 ? style(`◂${person}`, ownerStyle.person) : '',
    agent > 0 ? style(`◂${agent}`, ownerStyle.agent) : '',
  ].join('');
  return `${mark}${priceText} ${sizeText} ${style(text, colour, 'dim')}${' '.repeat(cells - text.length)} ${own}`;
}

function spreadLine({ book, last, trades }: Exchange, cells: number): string {
  const [bid, ask] = [book.best('buy'), book.best('sell')];
  const spread = bid === undefined || ask === undefined ? '—' : money(ask - bid);
  const trade = trades.at(-1);
  const arrow = trade?.taker === 'sell' ? '▼' : '▲';
  const lastText = `${money(last)} ${arrow}`;
  const rule = Math.max(0, cells - 11 - 7 - lastText.length);
  const words = `${right(spread, 9)} ${grey(`spread ${'─'.repeat(rule)}`)}`;
  return `${words} ${style(lastText, sideStyle[trade?.taker ?? 'buy'])}`;
}

/** A bar from the left, in eighths of a cell; what is not nothing is at least an eighth. */
function bar(part: number, cells: number): string {
  const units = Math.min(cells * 8, Math.max(part > 0 ? 1 : 0, Math.round(part * cells * 8)));
  return '█'.repeat(Math.floor(units / 8)) + (eighths[units % 8] ?? '');
}

/** So that the bars' scale changes seldom. */
function roundUp(size: number): number {
  return [100, 200, 300, 400, 500, 750, 1000, 2000, 5000].find((full) => full >= size) ?? size;
}
