/** Random things that a person, an agent and time do to the exchange, for the properties that must hold anyway. */
import fc from 'fast-check';
import { createExchange, type Exchange, participants } from '../../../src/ticks/market/exchange.ts';

const side = fc.constantFrom('buy' as const, 'sell' as const);
const by = fc.constantFrom(...participants);
const qty = fc.integer({ min: 1, max: 500 });
/** Cents away from the last price: many cross, many wait. */
const away = fc.integer({ min: -120, max: 120 });
const id = fc.integer({ min: 1, max: 40 });

const action = fc.oneof(
  fc.record({ do: fc.constant('step' as const) }),
  fc.record({
    do: fc.constant('place' as const),
    side,
    by,
    qty,
    away,
    note: fc.string({ unit: 'grapheme', maxLength: 40 }),
  }),
  fc.record({ do: fc.constant('amend' as const), id, qty, away }),
  fc.record({ do: fc.constant('cancel' as const), id }),
);

export type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

export const seeds = fc.integer({ min: 0, max: 1_000_000 });
export const actions = fc.array(action, { minLength: 5, maxLength: 60 });

function act(exchange: Exchange, action: Action): void {
  if (action.do === 'step') exchange.step();
  else if (action.do === 'cancel') exchange.cancel(action.id);
  else {
    const price = exchange.last + action.away;
    if (action.do === 'amend') exchange.amend(action.id, { qty: action.qty, price });
    else exchange.place(action.side, action.qty, price, action.by, action.note);
  }
}

/** An exchange after all of `actions`; `each` is called after every one of them. */
export function played(
  seed: number,
  actions: readonly Action[],
  each?: (exchange: Exchange) => void,
): Exchange {
  const exchange = createExchange(seed);
  for (const action of actions) {
    act(exchange, action);
    each?.(exchange);
  }
  return exchange;
}
