/** Says how calls ended that were on their way, once each. */
import type { CallState, CallSummary } from '../rpc/api/calls.ts';
import type { Picture } from '../rpc/api/session.ts';
import { callWords, stateWords } from './call-words.ts';
import type { Message } from './status-line.ts';

// Waiting too: pictures between may be skipped.
const underWay = new Set<CallState>(['waiting', 'approved', 'dispatched']);
const telling = new Set<CallState>(['succeeded', 'failed', 'unknown', 'stale']);

/** Whether the newest picture had the call's outcome in it, so that a word about it is out. */
export function outcomeTold(call: CallSummary | undefined): boolean {
  return call !== undefined && telling.has(call.state);
}

export class Outcomes {
  readonly #say: (text: string, level: Message['level']) => void;

  constructor(say: (text: string, level: Message['level']) => void) {
    this.#say = say;
  }

  compare({ recent }: Picture, before: Picture): void {
    const old = new Map([...before.waiting, ...before.recent].map(({ call, state }) => [call, state]));
    for (const call of recent) {
      const was = old.get(call.call);
      if (was === undefined || !underWay.has(was) || !telling.has(call.state)) continue;
      this.#say(`${callWords(call)}: ${stateWords(call)}`, call.state === 'succeeded' ? 'info' : 'error');
    }
  }
}
