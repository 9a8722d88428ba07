/**
 * Lays out the market's screen for any size: price and position, chart, book, trades, orders, and what the keys
 * would do now. Knows no terminal.
 */
import { clip, ends, style } from '../../sdk/index.ts';
import { type Hint, hintLine } from '../screen.ts';
import { averagePrice, openProfit } from './account.ts';
import { candlesIn, chart } from './chart.ts';
import type { Exchange } from './exchange.ts';
import {
  amount,
  beside,
  gain,
  grey,
  joined,
  money,
  named,
  shares,
  sideStyle,
  signed,
  tall,
} from './format.ts';
import { ladder } from './ladder.ts';
import { ordersTable, positionsCells, positionsTable, tradesCells, tradesTable } from './tables.ts';
import type { Ticket } from './ticket.ts';

/** Cells of the trades where names of people do not fit. */
const narrowTradesCells = 16;

interface Size {
  cols: number;
  rows: number;
}

export interface View {
  exchange: Exchange;
  ticket: Ticket;
  /** Whether `q` ends the program. */
  quits: boolean;
  /** Milliseconds. */
  stepMs: number;
}

/** Two cells of margin on both sides; every row is spoken for, so that nothing jumps when the market moves. */
export function marketScreen(view: View, { cols, rows }: Size): string[] {
  const inner = Math.max(1, cols - 4);
  const head = headLines(view.exchange, cols, rows);
  const foot = [clip(ticketLine(view, inner), inner), hintLine(hintsFor(view), cols)];
  const gaps = rows >= 18 ? 2 : rows >= 14 ? 1 : 0;
  const bodyHeight = Math.max(0, rows - head.length - foot.length - gaps);
  const body = cols < 64 ? narrowBody(view, inner, bodyHeight) : wideBody(view, inner, bodyHeight);
  const lines = [
    ...head,
    ...(gaps > 1 ? [''] : []),
    ...tall(body, bodyHeight).map((line) => `  ${line}`),
    ...(gaps > 0 ? [''] : []),
    `  ${foot[0]}`,
  ];
  return [...tall(lines, rows - 1), foot[1] ?? ''];
}

/** Chart, book and, where there is room, more beside them; orders below with trades or positions. */
function wideBody(view: View, cells: number, height: number): string[] {
  const { exchange, ticket } = view;
  const gap = height >= 12 ? 1 : 0;
  const lower = Math.max(2, Math.min(12, Math.round((height - gap) * 0.28)));
  const upper = Math.max(0, height - lower - gap);
  const roomy = cells >= 106;
  const bookCells = Math.max(30, Math.min(44, Math.floor(cells * 0.32)));
  const tape = [tradesTable(exchange, tradesCells, roomy ? upper : lower), tradesCells] as const;
  const chartCells = cells - bookCells - 2 - (roomy ? tradesCells + 2 : 0);
  const book = [ladder(exchange, ticket, bookCells, upper), bookCells] as const;
  const candles = [candleLines(view, chartCells, upper), chartCells] as const;
  const below = roomy ? ([positionsTable(exchange, lower), positionsCells] as const) : tape;
  const ordersCells = cells - below[1] - 2;
  const orders = [ordersTable(exchange, ticket.chosen, ordersCells, lower), ordersCells] as const;
  return [
    ...tall(roomy ? beside(candles, book, tape) : beside(candles, book), upper),
    ...tall([], gap),
    ...beside(orders, below),
  ];
}

/** Everything below each other; the book only where it does not take the room of the orders. */
function narrowBody(view: View, cells: number, height: number): string[] {
  const { exchange, ticket } = view;
  const gap = height >= 14 ? 1 : 0;
  // A heading, the spread, and as many levels above it as below.
  const bookHeight = height >= 14 ? Math.min(14, Math.floor(height * 0.17) * 2 + 2) : 0;
  const ordersHeight = Math.max(2, Math.min(9, Math.floor(height * (bookHeight > 0 ? 0.22 : 0.5))));
  const chartHeight = height - bookHeight - ordersHeight - gap * (bookHeight > 0 ? 2 : 1);
  const twoColumns = cells >= 30 + 2 + narrowTradesCells;
  const bookCells = twoColumns ? cells - 2 - narrowTradesCells : cells;
  const book = [ladder(exchange, ticket, bookCells, bookHeight), bookCells] as const;
  const trades = [tradesTable(exchange, narrowTradesCells, bookHeight), narrowTradesCells] as const;
  return [
    ...tall(candleLines(view, cells, chartHeight), chartHeight),
    ...tall([], gap),
    ...tall(twoColumns ? beside(book, trades) : book[0], bookHeight),
    ...tall([], bookHeight > 0 ? gap : 0),
    ...ordersTable(exchange, ticket.chosen, cells, ordersHeight),
  ];
}

function candleLines({ exchange, ticket, stepMs }: View, cells: number, height: number): string[] {
  const candles = exchange.candles.wide(ticket.candleSteps, candlesIn(cells));
  return chart(candles, grey(duration(ticket.candleSteps * stepMs)), cells, height);
}

/** `5 s`, `1 min`. */
function duration(ms: number): string {
  if (ms >= 60_000) return `${Math.round(ms / 6_000) / 10} min`;
  return `${Math.round(ms / 100) / 10} s`;
}

function headLines(exchange: Exchange, cols: number, rows: number): string[] {
  const { last, session, book } = exchange;
  const inner = Math.max(1, cols - 4);
  const change = last - session.opened;
  const direction = change < 0 ? 'red' : 'green';
  const percent = Math.abs((change / session.opened) * 100).toFixed(2);
  const moved = style(`${change < 0 ? '▼' : '▲'} ${money(Math.abs(change))}  ${percent}%`, direction);
  const price = `${style('ACME', 'bold')}  ${style(money(last), 'bold', direction)}  ${moved}`;
  const [bid, ask] = [book.levels('buy', 1)[0], book.levels('sell', 1)[0]];
  const sized = cols < 64 ? inner >= 34 : inner >= 68;
  const quote = [
    named('bid', bid ? money(bid.price) + (sized ? grey(` x ${String(bid.size).padStart(3)}`) : '') : '—'),
    named('ask', ask ? money(ask.price) + (sized ? grey(` x ${String(ask.size).padStart(3)}`) : '') : '—'),
  ];
  const spread = named('spread', bid && ask ? money(ask.price - bid.price) : '—');
  const range = [
    named('high', money(session.high)),
    named('low', money(session.low)),
    named('volume', shares(session.volume)),
  ];
  const position = positionParts(exchange);
  if (cols < 64) {
    const lines = [
      `  ${price}`,
      ends(`  ${joined(quote, inner, 2)}`, cols >= 50 ? `${spread}  ` : '', cols),
      `  ${joined(position, inner, 2)}`,
    ];
    return lines.slice(0, rows >= 12 ? 3 : 2);
  }
  return [
    ends(`  ${price}`, `${joined([...quote, spread], inner - 30)}  `, cols),
    ends(`  ${joined(position, inner)}`, `${joined(range, inner - 44)}  `, cols),
  ];
}

function positionParts(exchange: Exchange): string[] {
  const total = exchange.position('total');
  const average = averagePrice(total);
  const open = openProfit(total, exchange.last);
  return [
    named('holding', `${shares(total.qty)}${average === undefined ? '' : grey(` at ${money(average)}`)}`),
    named('open', gain(open, signed(open))),
    named('realised', gain(total.realised)),
  ];
}

function ticketLine({ exchange, ticket }: View, cells: number): string {
  if (ticket.asking) {
    const { length } = exchange.open;
    return style(
      `Cancel ${length === 1 ? 'the open order' : `all ${length} open orders`}?`,
      'yellow',
      'bold',
    );
  }
  if (ticket.complaint) return style(ticket.complaint, 'yellow');
  const { side, qty, price } = ticket;
  const parts = [
    `${style(side === 'buy' ? ' BUY ' : ' SELL ', 'reverse', sideStyle[side])} ${style(`${qty} at ${money(price)}`, 'bold')}`,
    grey(outlook(exchange, ticket)),
    named('=', amount(qty * price)),
  ];
  return joined(parts, cells, 2);
}

/** What would become of the order, in words that fit a narrow screen. */
function outlook({ book }: Exchange, { side, price }: Ticket): string {
  const other = book.best(side === 'buy' ? 'sell' : 'buy');
  const best = book.best(side);
  const sign = side === 'buy' ? 1 : -1;
  if (other !== undefined && sign * (price - other) >= 0) return 'trades at once';
  if (best === undefined || sign * (price - best) > 0) return `is the best ${side === 'buy' ? 'bid' : 'ask'}`;
  if (price === best) return `joins the best ${side === 'buy' ? 'bid' : 'ask'}`;
  return `waits ${money(Math.abs(price - best))} behind`;
}

function hintsFor({ ticket, quits }: View): Hint[] {
  if (ticket.asking) {
    return [
      ['y', 'cancel all'],
      ['any other key', 'keep them'],
    ];
  }
  return [
    ['enter', 'place'],
    ['b/s', 'side'],
    ['↑↓', 'price'],
    ['+-', 'quantity'],
    ['x', 'cancel'],
    ...(quits ? ([['q', 'quit']] as const) : []),
    ['X', 'cancel all'],
    ['←→', 'choose'],
    ['w', 'candles'],
    ['esc', 'best price'],
  ];
}
