/**
 * The simulated crowd: a market maker, patient traders and hasty ones, around a value that drifts. Everything
 * it does follows from the seed and from what others did before. It trades only through the exchange.
 */
import type { Book, BookOrder, Side } from './book.ts';

/** Cents: where the value began and what it is drawn back to. */
export const anchor = 10_000;
/** Cents; the crowd never quotes beyond. */
const [floor, ceiling] = [100, 49_900];
/** Orders of patient traders on each side. */
const patience = 22;
/** Cents from the value beyond which an order is given up. */
const reach = 70;
/** How far hasty traders go, in cents beyond the best price: a thin book is not swept for one order. */
const haste = 12;

const sides: readonly Side[] = ['buy', 'sell'];

export interface Crowd {
  /** One step of the past, of which only the trades are left: a chart is wanted at once, its book is not. */
  recall(): { price: number; qty: number }[];
  /** One step: gives up stale orders, quotes, trades, and fills the book up again. */
  act(): void;
}

/** `submit` is told whether what is left of an order rests in the book. */
export function createCrowd(
  seed: number,
  book: Book,
  submit: (order: BookOrder, leftover: 'rests' | 'drops') => void,
): Crowd {
  const random = generator(seed);
  let trend = anchor;
  let value = anchor;
  let drift = 0;
  let quotes: BookOrder[] = [];

  const upTo = (limit: number) => Math.floor(random() * limit);
  const order = (side: Side, price: number, qty: number): BookOrder => {
    return { side, price: clamp(Math.round(price), floor, ceiling), remaining: qty, owner: 'crowd' };
  };
  const behind = (side: Side, cents: number) => (side === 'buy' ? value - cents : value + cents);

  const hastyQty = () => 1 + Math.floor(random() ** 2 * 60);

  /** A slow swell with a pull back to the anchor, so that the price never runs off, and opinions around it. */
  function move(): void {
    drift = drift * 0.9 + (random() - 0.5) * 1.2 + (anchor - trend) * 0.0008;
    trend = clamp(trend + drift + (random() - 0.5) * 9, floor + reach, ceiling - reach);
    value = trend + (random() - 0.5) * 7;
  }

  function giveUp(): void {
    for (const side of sides) {
      book.sweep(side, ({ owner, price }) => {
        if (owner !== 'crowd') return false;
        const distance = side === 'buy' ? value - price : price - value;
        return distance < 1 || distance > reach || random() < 0.05;
      });
    }
  }

  /** Keeps the spread between two and twelve cents wherever the value goes. */
  function quote(): void {
    for (const old of quotes) book.withdraw(old);
    quotes = sides.map((side) => order(side, behind(side, 1 + upTo(6)), 5 + upTo(60)));
    for (const next of quotes) submit(next, 'rests');
  }

  function takeSome(): void {
    for (let hasty = upTo(4); hasty > 0; hasty -= 1) {
      const side: Side = random() < 0.5 + drift * 0.03 ? 'buy' : 'sell';
      const qty = hastyQty();
      const best = book.best(side === 'buy' ? 'sell' : 'buy');
      if (best !== undefined) submit(order(side, side === 'buy' ? best + haste : best - haste, qty), 'drops');
    }
  }

  function fillUp(): void {
    for (const side of sides) {
      let missing = patience - book.resting(side).filter(({ owner }) => owner === 'crowd').length;
      for (; missing > 0; missing -= 1) {
        const distance = 2 - Math.log(1 - random()) * 13;
        submit(order(side, behind(side, Math.min(distance, reach)), 5 + upTo(90)), 'rests');
      }
    }
  }

  return {
    recall() {
      move();
      return Array.from({ length: upTo(4) }, () => {
        const side = random() < 0.5 + drift * 0.03 ? 'sell' : 'buy';
        return { price: Math.round(behind(side, 1 + upTo(6))), qty: hastyQty() };
      });
    },
    act() {
      move();
      giveUp();
      quote();
      takeSome();
      fillUp();
    },
  };
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** A linear congruential generator modulo 2^32, its upper bits as a number from 0 to below 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
