/**
 * The life of a call as a table: state x event -> next state. Whatever is not in it cannot happen,
 * and every transition is one record in the journal.
 */
import type { CallState } from '../rpc/api/calls.ts';

export type CallEvent =
  | 'approve'
  | 'deny'
  | 'expire'
  | 'withdraw'
  | 'void'
  | 'dispatch'
  | 'succeed'
  | 'fail'
  | 'lose';

/**
 * `void`: what was shown is no longer what would run (program restarted or ended, catalogue changed).
 * `lose`: no outcome is to be had any more (60 s passed, session ended, host died).
 */
export const callTransitions: Record<CallState, Partial<Record<CallEvent, CallState>>> = {
  waiting: { approve: 'approved', deny: 'denied', expire: 'expired', withdraw: 'withdrawn', void: 'stale' },
  approved: {
    dispatch: 'dispatched',
    expire: 'expired',
    withdraw: 'withdrawn',
    void: 'stale',
    fail: 'failed',
  },
  dispatched: { succeed: 'succeeded', fail: 'failed', lose: 'unknown' },
  succeeded: {},
  failed: {},
  unknown: {},
  denied: {},
  expired: {},
  withdrawn: {},
  stale: {},
};

/** The state after `event`, or undefined when the event means nothing in this state. */
export function nextCallState(state: CallState, event: CallEvent): CallState | undefined {
  return callTransitions[state][event];
}

/** Nothing happens to a settled call any more. */
export function isSettled(state: CallState): boolean {
  return Object.keys(callTransitions[state]).length === 0;
}
