/**
 * Keeps what one participant holds and has gained, in whole shares and whole cents, so that no cent is ever
 * lost to rounding: `cash + cost = realised` holds after every trade.
 */
import type { Side } from './book.ts';

export interface Position {
  /** Shares held; negative when sold short. */
  readonly qty: number;
  /** Cents paid for the shares held; negative when sold short. */
  readonly cost: number;
  /** Cents gained or lost by closing. */
  readonly realised: number;
  /** Cents that came in, less those that went out. */
  readonly cash: number;
}

export const noPosition: Position = { qty: 0, cost: 0, realised: 0, cash: 0 };

/** The position after buying or selling `qty` shares at `price` cents. */
export function traded(position: Position, side: Side, qty: number, price: number): Position {
  const signed = side === 'buy' ? qty : -qty;
  const cash = position.cash - signed * price;
  // What goes against the position closes it first, and only the rest opens one the other way round.
  const closes = position.qty * signed < 0 ? Math.min(qty, Math.abs(position.qty)) : 0;
  const closedCost = closes === 0 ? 0 : Math.round((position.cost * closes) / Math.abs(position.qty));
  const opened = Math.sign(signed) * (qty - closes);
  const cost = position.cost - closedCost + opened * price;
  return { qty: position.qty + signed, cost, realised: cash + cost, cash };
}

export function together(positions: readonly Position[]): Position {
  return positions.reduce(
    (sum, { qty, cost, realised, cash }) => ({
      qty: sum.qty + qty,
      cost: sum.cost + cost,
      realised: sum.realised + realised,
      cash: sum.cash + cash,
    }),
    noPosition,
  );
}

/** Cents per share, with a fraction; undefined without shares. */
export function averagePrice({ qty, cost }: Position): number | undefined {
  return qty === 0 ? undefined : cost / qty;
}

/** Cents gained if everything were closed at `price`. */
export function openProfit({ qty, cost }: Position, price: number): number {
  return qty * price - cost;
}
