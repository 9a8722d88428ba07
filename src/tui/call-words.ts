/** Calls and their states in words, the same on the queue, the card and the status line. */
import { visible } from '../cells/visible.ts';
import type { CallState, CallSummary } from '../rpc/api/calls.ts';

/** What a call would do: `place_order on hosted:2`, `type into shell:3`. */
export function callWords({ kind, tool, instance }: CallSummary): string {
  const where = instance ?? '';
  switch (kind) {
    case 'tool':
      return `${visible(tool)} on ${where}`;
    case 'open':
      return 'start a program';
    case 'close':
      return `end ${where}`;
    case 'restart':
      return `restart ${where}`;
    case 'input':
      return `type into ${where}`;
  }
}

const states: Record<CallState, string> = {
  waiting: 'waiting',
  approved: 'approved, its turn comes',
  dispatched: 'sent, no answer yet',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown: it may have run, and is never sent again',
  denied: 'denied',
  expired: 'expired',
  withdrawn: 'withdrawn',
  stale: 'stale: the program changed, nothing was sent',
};

export function stateWords({ state, decided_by, words }: CallSummary): string {
  const by = decided_by && (state === 'denied' || state === 'approved') ? ` by ${decided_by}` : '';
  return `${states[state]}${by}${words ? `: ${visible(words)}` : ''}`;
}

/** As {@link stateWords}, with who said yes where that is not in them. */
export function settledWords(call: CallSummary): string {
  const { state, decided_by: by } = call;
  if (!by || state === 'denied' || state === 'approved') return stateWords(call);
  return `approved by ${by}; ${stateWords(call)}`;
}
