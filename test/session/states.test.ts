import { describe, expect, it } from 'vitest';
import { next, type SessionEvent, type SessionState, transitions } from '../../src/session/states.ts';

const events: SessionEvent[] = ['initialize', 'described', 'read', 'end'];
const expected: Record<SessionState, (SessionState | 'cannot come')[]> = {
  created: ['describing', 'cannot come', 'cannot come', 'over'],
  describing: ['cannot come', 'reading', 'cannot come', 'over'],
  reading: ['cannot come', 'cannot come', 'ready', 'over'],
  ready: ['cannot come', 'cannot come', 'cannot come', 'over'],
  over: ['cannot come', 'cannot come', 'cannot come', 'over'],
};

describe('session states', () => {
  it('has no other states or events', () => {
    expect(Object.keys(transitions)).toEqual(Object.keys(expected));
    for (const row of Object.values(transitions)) expect(Object.keys(row)).toEqual(events);
  });

  const cells = Object.entries(expected).flatMap(([state, row]) =>
    events.map((event, i) => [state as SessionState, event, row[i]!] as const),
  );
  it.each(cells)('%s, on %s: %s', (state, event, following) => {
    if (following === 'cannot come') expect(() => next(state, event)).toThrow(`A session that is ${state}`);
    else expect(next(state, event)).toBe(following);
  });
});
