/** The life of a call, cell by cell, and the one record each step leaves. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Call } from '../../src/host/call.ts';
import { CallMoves } from '../../src/host/call-moves.ts';
import { type CallEvent, callTransitions, isSettled } from '../../src/host/call-states.ts';
import { Journal } from '../../src/host/journal.ts';
import { SessionLog } from '../../src/host/log.ts';
import { Replay } from '../../src/host/replay.ts';
import { CallState } from '../../src/rpc/api/calls.ts';

const events: CallEvent[] = [
  'approve',
  'deny',
  'expire',
  'withdraw',
  'void',
  'dispatch',
  'succeed',
  'fail',
  'lose',
];
const states = CallState.anyOf.map((one) => one.const);

/** From design.md; `fail` of an approved call is one that could not be sent. */
const arrows = [
  'waiting approve approved',
  'waiting deny denied',
  'waiting expire expired',
  'waiting withdraw withdrawn',
  'waiting void stale',
  'approved dispatch dispatched',
  'approved expire expired',
  'approved withdraw withdrawn',
  'approved void stale',
  'approved fail failed',
  'dispatched succeed succeeded',
  'dispatched fail failed',
  'dispatched lose unknown',
];

describe.each(states)('a call that is %s', (state) => {
  test.each(events)('%s', async (event) => {
    const { moves, journal, records } = await desk();
    let settled = 0;
    const call = { id: 'call:1', state, settle: () => settled++ } as unknown as Call;
    const next = arrows
      .map((arrow) => arrow.split(' '))
      .find(([from, by]) => from === state && by === event)?.[2];
    const written = moves.move(call, event, { note: 1 });
    if (next === undefined) {
      expect(written).toBeUndefined();
      expect(call.state).toBe(state);
      await journal.close();
      expect(records()).toEqual([]);
      return;
    }
    expect(call.state).toBe(next);
    await written;
    await journal.close();
    expect(records()).toMatchObject([{ type: `call.${next}`, call: 'call:1', note: 1 }]);
    expect(settled).toBe(isSettled(call.state) ? 1 : 0);
  });
});

test('only what is settled has no way on', () => {
  expect(Object.keys(callTransitions).sort()).toEqual([...states].sort());
  const open = states.filter((state) => !isSettled(state));
  expect(open.sort()).toEqual(['approved', 'dispatched', 'waiting']);
});

async function desk() {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-states-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'journal');
  const { journal } = await Journal.open(path, new Replay());
  const log = new SessionLog({ info: () => {}, warn: () => {}, error: () => {} });
  const moves = new CallMoves({ journal, log, left: () => {}, changed: () => {} });
  const records = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { moves, journal, records };
}
