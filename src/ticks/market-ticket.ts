/**
 * What a person is about to do in the market: quantity, price, the order chosen. Never business state.
 */
import type { Key } from '../sdk/index.ts';
import type { Market, Order, Side } from './market-book.ts';

export interface Ticket {
  readonly qty: number;
  /** The limit in cents that `b` or `s` would place now: it follows the market. */
  price(side: Side): number;
  /** The open order that `x` cancels. */
  readonly chosen: Order | undefined;
  /** Why the last key did nothing, for the person to read. */
  readonly complaint: string;
  /** True when the key placed or cancelled an order. */
  press(key: Key): boolean;
}

const quantities = [1, 5, 10, 25, 50, 100, 250, 500];
const priceStep = 5;

export function createTicket(market: Market): Ticket {
  let quantity = 2;
  /** Cents away from the market's own price; below zero it crosses and fills at once. */
  let distance = 0;
  let chosenId: number | undefined;
  let complaint = '';

  const open = () => market.orders.filter((order) => order.state === 'open');
  const qty = () => quantities[quantity] ?? 1;
  const chosen = () => {
    const orders = open();
    return orders.find((order) => order.id === chosenId) ?? orders.at(-1);
  };
  const price = (side: Side) => (side === 'buy' ? market.bid - distance : market.ask + distance);

  function choose(direction: number): void {
    const orders = open();
    const current = chosen();
    if (!current) return;
    chosenId = orders[orders.indexOf(current) + direction]?.id ?? current.id;
  }

  function settle(outcome: Order | string): boolean {
    complaint = typeof outcome === 'string' ? outcome : '';
    return typeof outcome !== 'string';
  }

  const acts: Readonly<Record<Key, () => boolean>> = {
    b: () => settle(market.place('buy', qty(), price('buy'), 'person')),
    s: () => settle(market.place('sell', qty(), price('sell'), 'person')),
    x() {
      const order = chosen();
      return settle(order ? market.cancel(order.id) : 'No order is open, so there is none to cancel.');
    },
  };
  const changeQuantity = (by: number) => {
    quantity = Math.max(0, Math.min(quantities.length - 1, quantity + by));
  };
  const changeDistance = (by: number) => {
    distance = Math.max(-100, Math.min(200, distance + by));
  };
  const moves: Readonly<Record<Key, () => void>> = {
    '+': () => changeQuantity(1),
    '=': () => changeQuantity(1),
    '-': () => changeQuantity(-1),
    left: () => changeDistance(-priceStep),
    right: () => changeDistance(priceStep),
    up: () => choose(1),
    down: () => choose(-1),
  };

  return {
    get qty() {
      return qty();
    },
    get chosen() {
      return chosen();
    },
    get complaint() {
      return complaint;
    },
    price,
    press(key) {
      complaint = '';
      moves[key]?.();
      return acts[key]?.() ?? false;
    },
  };
}
