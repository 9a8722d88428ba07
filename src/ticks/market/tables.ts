/**
 * Draws the market's lists: orders, trades, positions. Each is given the cells and rows it may use.
 */
import { ends, pad, type Style, style } from '../../sdk/index.ts';
import { averagePrice, openProfit } from './account.ts';
import { type Exchange, type Order, participants, type Trade } from './exchange.ts';
import { gain, grey, money, ownerStyle, right, shares, sideStyle, signed, tall } from './format.ts';

/** Cells of {@link tradesTable} and {@link positionsTable}. */
export const tradesCells = 21;
export const positionsCells = 45;

const outcomeMarks: Readonly<Record<Order['state'], string>> = { open: ' ', filled: '✓', cancelled: '×' };

/** The longest word for what became of an order, or a beginning of its note that says something. */
const outcomeCells = 9;

/** Newest at the top, as its number grows; a heading and as many orders as fit. */
export function ordersTable({ orders }: Exchange, chosen: Order | undefined, cells: number, height: number) {
  const newest = [...orders].reverse();
  // Scrolls just far enough to keep the chosen order in sight.
  const first = chosen ? Math.max(0, newest.indexOf(chosen) - (height - 1) + 1) : 0;
  const lines = newest
    .slice(first, first + height - 1)
    .map((order) => orderLine(order, order === chosen, cells));
  if (newest.length === 0) lines.push(grey('     no orders yet'));
  const hidden = newest.length - first - (height - 1);
  const more = hidden > 0 ? `${hidden} more` : '';
  const heading = `${right('#', 5)} side ${right('qty', 7)} ${right('price', 7)} by`;
  return tall([grey(ends(heading, more, cells)), ...lines], height);
}

function orderLine(order: Order, chosen: boolean, cells: number): string {
  const { id, side, qty, remaining, price, owner, state, note } = order;
  const open = state === 'open';
  // A closed order is grey as a whole: what is left to act on stands out.
  const cell = (text: string, ...styles: Style[]) => (open ? style(text, ...styles) : grey(text));
  const filled = qty - remaining;
  const amount = filled === 0 || remaining === 0 ? String(qty) : `${filled}/${qty}`;
  const line = [
    `${chosen ? style('›', 'cyan') : grey(outcomeMarks[state])}${cell(right(String(id), 4))}`,
    cell(pad(side, 4), sideStyle[side]),
    cell(right(amount, 7)),
    cell(right(money(price), 7)),
    cell(pad(owner, 6), ownerStyle[owner]),
  ].join(' ');
  const rest = cells - 33;
  const words = open ? note : `${state}  ${note}`;
  return rest > outcomeCells ? `${line} ${grey(pad(words, rest))}` : line;
}

/** Newest at the top; whose order was in a trade is said in words, or with a dot where room is short. */
export function tradesTable({ trades }: Exchange, cells: number, height: number): string[] {
  const lines = trades
    .slice(-Math.max(1, height - 1))
    .reverse()
    .map((trade) => tradeLine(trade, cells >= tradesCells));
  return tall([grey(`${right('trades', 7)} ${right('qty', 4)}`), ...lines], height);
}

function tradeLine({ price, qty, taker, buyer, seller }: Trade, named: boolean): string {
  const own = [buyer, seller].filter((owner) => owner !== 'crowd');
  const who = own.map((owner) => style(named ? owner : '●', ownerStyle[owner])).join('');
  const arrow = taker === 'buy' ? '▲' : '▼';
  const amount = right(String(qty), 4);
  return `${style(right(money(price), 7), sideStyle[taker])} ${amount} ${style(arrow, sideStyle[taker])} ${who}`;
}

/** What each holds and has gained, and both together. */
export function positionsTable(exchange: Exchange, height: number): string[] {
  const cells = (name: string, qty: string, average: string, open: string, realised: string) =>
    `${name} ${right(qty, 7)} ${right(average, 8)} ${right(open, 10)} ${right(realised, 10)}`;
  const lines = [...participants, 'total' as const].map((whose) => {
    const position = exchange.position(whose);
    const average = averagePrice(position);
    const open = openProfit(position, exchange.last);
    const name = pad(whose, 6);
    return cells(
      whose === 'total' ? name : style(name, ownerStyle[whose]),
      shares(position.qty),
      average === undefined ? '—' : money(average),
      gain(open, right(signed(open), 10)),
      gain(position.realised, right(signed(position.realised), 10)),
    );
  });
  return tall([grey(cells(pad('', 6), 'holding', 'average', 'open', 'realised')), ...lines], height);
}
