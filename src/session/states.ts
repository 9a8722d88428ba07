/**
 * The states of a session and what moves it from one to the next. The table is complete: a cell
 * without a next state is an event that cannot come there.
 */

/**
 * - `created`: nothing was asked; updates are taken already.
 * - `describing`, `reading`: the two steps of initialization (tick H-4.2-1).
 * - `ready`: the only state in which others may describe, read and call.
 * - `over`: everything in flight is settled, and nothing is sent or taken any more.
 */
export type SessionState = 'created' | 'describing' | 'reading' | 'ready' | 'over';

/** `described` and `read`: a valid answer during initialization. `end`: exit, violation, failure or disposal. */
export type SessionEvent = 'initialize' | 'described' | 'read' | 'end';

export const transitions: Record<SessionState, Record<SessionEvent, SessionState | undefined>> = {
  created: { initialize: 'describing', described: undefined, read: undefined, end: 'over' },
  describing: { initialize: undefined, described: 'reading', read: undefined, end: 'over' },
  reading: { initialize: undefined, described: undefined, read: 'ready', end: 'over' },
  ready: { initialize: undefined, described: undefined, read: undefined, end: 'over' },
  over: { initialize: undefined, described: undefined, read: undefined, end: 'over' },
};

/** @throws Error for an event that cannot come in `state`, which is a mistake of the caller. */
export function next(state: SessionState, event: SessionEvent): SessionState {
  const following = transitions[state][event];
  if (following === undefined) throw new Error(`A session that is ${state} cannot take "${event}".`);
  return following;
}
