/**
 * Lays out the market's screen: price, chart, orders, and what the keys would do now. Knows no terminal.
 */
import { columns, ends, pad, type Style, style, width } from '../sdk/index.ts';
import type { Market, Order, Side } from './market-book.ts';
import type { Ticket } from './market-ticket.ts';
import { type Hint, hintLine } from './screen.ts';

const grey: readonly Style[] = ['grey'];

interface Size {
  cols: number;
  rows: number;
}

/** Newest order at the top, as its number grows; two cells of margin on both sides. */
export function marketScreen(market: Market, ticket: Ticket, quits: boolean, { cols, rows }: Size): string[] {
  const roomy = rows >= 18;
  const gap = roomy ? [''] : [];
  const head = [priceLine(market, cols), quoteLine(market, cols)];
  const foot = [ticketLine(ticket, cols), hintLine(hintsFor(quits), cols)];
  const free = rows - head.length - foot.length - gap.length * 3 - 1;
  const chartHeight = Math.max(2, Math.min(14, Math.floor(free * 0.58)));
  return [
    ...head,
    ...gap,
    ...chartLines(market, cols, chartHeight),
    ...gap,
    ...orderLines(market, ticket, cols, free - chartHeight),
    ...gap,
    ...foot,
  ];
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** With thousands separators and a sign that is always there: a gain should not look like an amount. */
function signed(cents: number): string {
  const text = Math.abs(cents / 100)
    .toFixed(2)
    .replace(/\B(?=(\d{3})+\.)/g, ',');
  return (cents < 0 ? '-' : '+') + text;
}

function priceLine({ last, opened, holding, cash }: Market, cols: number): string {
  const change = last - opened;
  const percent = Math.abs((change / opened) * 100).toFixed(2);
  const direction: Style = change < 0 ? 'red' : 'green';
  const moved = style(`${change < 0 ? '▼' : '▲'} ${money(Math.abs(change))}  ${percent}%`, direction);
  const left = `  ${style('ACME', 'bold')}  ${style(money(last), 'bold', direction)}  ${moved}`;
  const holdings = `${style('holding', 'grey')} ${holding}   ${style('cash', 'grey')} ${signed(cash)}  `;
  return ends(left, holdings, cols);
}

function quoteLine({ bid, ask, bidSize, askSize }: Market, cols: number): string {
  const part = (name: string, value: string, size: string) =>
    `${style(name, 'grey')} ${value}${style(size, 'grey')}`;
  const left = `  ${part('bid', money(bid), ` x ${pad(String(bidSize), 2, 'right')}`)}   ${part('ask', money(ask), ` x ${pad(String(askSize), 2, 'right')}`)}`;
  return ends(left, `${part('spread', money(ask - bid), '')}  `, cols);
}

/** One column a candle, newest at the right; the scale stands to the right of it. */
function chartLines(market: Market, cols: number, height: number): string[] {
  const scale = 8;
  const shown = market.candles.slice(-Math.max(1, cols - 4 - scale));
  const closes = shown.map((candle) => candle.close);
  const [low, high] = [Math.min(...closes), Math.max(...closes)];
  return columns(closes, height).map((line, row) => {
    const label = row === 0 ? money(high) : row === height - 1 ? money(low) : '';
    const space = ' '.repeat(Math.max(0, cols - 4 - scale - width(line)));
    return `  ${space}${style(line.slice(0, -1), 'blue')}${style(line.slice(-1), 'cyan')} ${style(pad(label, scale - 1, 'right'), 'grey')}`;
  });
}

function orderLines(market: Market, ticket: Ticket, cols: number, height: number): string[] {
  const wide = cols >= 56;
  const heading = `      # side   qty    price ${wide ? 'state      by' : ''}`;
  const chosen = ticket.chosen;
  const orders = [...market.orders].reverse();
  // The list scrolls just far enough to keep the chosen order in sight.
  const first = chosen ? Math.max(0, orders.indexOf(chosen) - height + 1) : 0;
  const lines = orders.slice(first, first + height).map((order) => orderLine(order, order === chosen, wide));
  if (orders.length === 0) lines.push(style('        no orders yet', 'grey'));
  return [style(heading, 'grey'), ...Array.from({ length: height }, (_, row) => lines[row] ?? '')];
}

function orderLine(order: Order, chosen: boolean, wide: boolean): string {
  const open = order.state === 'open';
  // A closed order is grey as a whole: what is left to act on stands out.
  const cell = (value: string, ...styles: Style[]) => style(value, ...(open ? styles : grey));
  const by: Style = order.by === 'agent' ? 'cyan' : 'yellow';
  const state = cell(pad(order.state, 10));
  const cells = [
    chosen ? style('  ›', 'cyan') : '   ',
    cell(pad(String(order.id), 3, 'right')),
    cell(pad(order.side, 5), order.side === 'buy' ? 'green' : 'red'),
    cell(pad(String(order.qty), 4, 'right')),
    cell(pad(money(order.price), 8, 'right')),
    ...(wide || !open ? [state] : []),
    ...(wide || open ? [cell(pad(order.by, 7), by)] : []),
    style(order.note, 'grey'),
  ];
  return cells.join(' ');
}

function ticketLine(ticket: Ticket, cols: number): string {
  if (ticket.complaint) return `  ${style(ticket.complaint, 'yellow')}`;
  const gap = cols >= 56 ? '    ' : '  ';
  const order = (key: string, side: Side, colour: Style) =>
    `${style(key, 'cyan')} ${style(side, colour)} ${money(ticket.price(side))}`;
  const quantity = `${style('qty', 'grey')} ${ticket.qty}`;
  return `  ${order('b', 'buy', 'green')}${gap}${order('s', 'sell', 'red')}${gap}${quantity}`;
}

function hintsFor(quits: boolean): Hint[] {
  const hints: Hint[] = [
    ['x', 'cancel'],
    ['↑↓', 'choose'],
    ['+-', 'quantity'],
    ['←→', 'price'],
  ];
  return quits ? [...hints, ['q', 'quit']] : hints;
}
