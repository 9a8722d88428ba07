/** The market's tools as an agent calls them, on the real program. The market stands still. */
import { expect, test } from 'vitest';
import type { Json } from '../../../src/protocol/messages.ts';
import { builtTicks } from '../../support/built-ticks.ts';
import { TickProcess, until } from '../../support/tick-process.ts';

type Priced = { price: number; size: number };
type Levels = Record<'bids' | 'asks', Priced[]>;

const built = await builtTicks();

test('what an agent places, amends and cancels is seen by both', async () => {
  const tick = await TickProcess.start(built.market);
  await tick.shows('no orders yet');
  tick.type('\r');
  await tick.shows('1 buy');
  const placed = await tick.call('place_order', { side: 'sell', qty: 20, price: 120, note: 'far away' });
  expect(placed.result).toEqual({
    ...{ id: 2, side: 'sell', qty: 20, filled: 0, price: 120, state: 'open', by: 'agent', note: 'far away' },
  });
  await tick.shows('far away');
  const amended = await tick.call('amend_order', { id: 2, qty: 5, price: 119.5 });
  expect(amended.result).toMatchObject({ id: 2, qty: 5, price: 119.5 });
  await tick.shows('119.50');
  expect((await tick.call('amend_order', { id: 2 })).error?.code).toBe(-32602);

  const cancelled = await tick.call('cancel_all', {});
  expect(cancelled.result).toEqual({ cancelled: [2] });
  expect((await tick.call('cancel_all', {})).error).toMatchObject({ code: -32602 });
  expect((await tick.call('cancel_all', { by: 'both', side: 'buy' })).result).toEqual({ cancelled: [1] });
  expect(await tick.read()).toMatchObject({ data: { orders: [], closed: [{ id: 1 }, { id: 2 }] } });
});

test('the queries agree with each other and with the state', async () => {
  const tick = await TickProcess.start(built.market);
  const ask = async (tool: string, args = {}) => (await tick.call(tool, args)).result as Record<string, Json>;
  const { bids, asks } = (await ask('book', { levels: 3 })) as unknown as Levels;
  expect(bids).toHaveLength(3);
  const quote = await ask('quote');
  expect(quote).toMatchObject({ bid: bids[0]?.price, bid_size: bids[0]?.size, ask: asks[0]?.price });
  const { candles } = await ask('candles', { count: 4, steps: 60 });
  expect(candles).toHaveLength(4);
  const { trades } = await ask('trades', { count: 2 });
  expect((trades as Priced[]).at(-1)?.price).toBe(quote.last);

  await tick.call('place_order', { side: 'buy', qty: 10, price: quote.ask });
  await until('the update', () => tick.updates.length === 1);
  const { total, agent, person } = await ask('positions');
  expect(total).toEqual(agent);
  expect(agent).toMatchObject({
    holding: 10,
    average: quote.ask,
    cash: Number((-10 * Number(quote.ask)).toFixed(2)),
  });
  expect(person).toMatchObject({ holding: 0, average: null });
  expect(await tick.read()).toMatchObject({
    data: { holding: 10, closed: [{ state: 'filled', filled: 10 }] },
  });
});
