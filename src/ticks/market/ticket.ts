/**
 * What a person is about to do in the market: side, quantity, price, the order chosen, a question to answer, and
 * the width of candles. Never business state.
 */
import type { Key } from '../../sdk/index.ts';
import type { Side } from './book.ts';
import { candleWidths } from './candles.ts';
import { type Exchange, highestPrice, lowestPrice, type Order } from './exchange.ts';

export interface Ticket {
  readonly side: Side;
  readonly qty: number;
  /** The limit in cents that `enter` would place now. */
  readonly price: number;
  /** The open order that `x` cancels. */
  readonly chosen: Order | undefined;
  /** True while it is asked whether every order shall be cancelled. */
  readonly asking: boolean;
  /** Why the last key did nothing, for the person to read. */
  readonly complaint: string;
  /** Steps in a candle. */
  readonly candleSteps: number;
  /** True when the key placed or cancelled an order. */
  press(key: Key): boolean;
}

const quantities = [1, 5, 10, 25, 50, 100, 250, 500];

export function createTicket(exchange: Exchange): Ticket {
  let side: Side = 'buy';
  let quantity = 2;
  /** Undefined while the price follows the best one of its side. */
  let fixed: number | undefined;
  let chosenId: number | undefined;
  let asking = false;
  let complaint = '';
  let candleWidth = 0;

  const qty = () => quantities[quantity] ?? 1;
  const price = () => fixed ?? exchange.book.best(side) ?? exchange.last;
  const chosen = () => {
    const { open } = exchange;
    return open.find((order) => order.id === chosenId) ?? open.at(-1);
  };

  function settle(outcome: Order | string): boolean {
    complaint = typeof outcome === 'string' ? outcome : '';
    return typeof outcome !== 'string';
  }

  function take(newSide: Side): void {
    side = newSide;
    fixed = undefined;
  }

  function choose(direction: number): void {
    const { open } = exchange;
    const current = chosen();
    if (current) chosenId = open[open.indexOf(current) + direction]?.id ?? current.id;
  }

  function askToCancelAll(): void {
    asking = exchange.open.length > 0;
    if (!asking) complaint = 'No order is open: none to cancel.';
  }

  const acts: Readonly<Record<Key, () => boolean>> = {
    enter: () => settle(exchange.place(side, qty(), price(), 'person')),
    x() {
      const order = chosen();
      return settle(order ? exchange.cancel(order.id) : 'No order is open: none to cancel.');
    },
  };
  const changeQuantity = (by: number) => {
    quantity = Math.max(0, Math.min(quantities.length - 1, quantity + by));
  };
  const changePrice = (by: number) => {
    fixed = Math.max(lowestPrice, Math.min(highestPrice, price() + by));
  };
  const moves: Readonly<Record<Key, () => void>> = {
    b: () => take('buy'),
    s: () => take('sell'),
    tab: () => take(side === 'buy' ? 'sell' : 'buy'),
    '+': () => changeQuantity(1),
    '=': () => changeQuantity(1),
    '-': () => changeQuantity(-1),
    up: () => changePrice(1),
    down: () => changePrice(-1),
    'page-up': () => changePrice(10),
    'page-down': () => changePrice(-10),
    home: () => take(side),
    escape: () => take(side),
    left: () => choose(1),
    right: () => choose(-1),
    X: askToCancelAll,
    w: () => {
      candleWidth = (candleWidth + 1) % candleWidths.length;
    },
  };

  return {
    get side() {
      return side;
    },
    get qty() {
      return qty();
    },
    get price() {
      return price();
    },
    get chosen() {
      return chosen();
    },
    get asking() {
      return asking;
    },
    get complaint() {
      return complaint;
    },
    get candleSteps() {
      return candleWidths[candleWidth] ?? candleWidths[0];
    },
    press(key) {
      complaint = '';
      if (asking) {
        asking = false;
        if (key !== 'y') return false;
        for (const order of exchange.open) exchange.cancel(order.id);
        return true;
      }
      moves[key]?.();
      return acts[key]?.() ?? false;
    },
  };
}
