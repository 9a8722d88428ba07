/** Says how calls ended that were on their way, once each. */
import type { CallState, CallSummary } from '../rpc/api/calls.ts';
import type { Picture } from '../rpc/api/session.ts';
import { callWords, stateWords } from './call-words.ts';
import type { Message } from './status-line.ts';

const underWay = new Set<CallState>(['approved', 'dispatched']);
const telling = new Set<CallState>(['succeeded', 'failed', 'unknown', 'stale']);

export class Outcomes {
  readonly #say: (text: string, level: Message['level']) => void;

  constructor(say: (text: string, level: Message['level']) => void) {
    this.#say = say;
  }

  compare({ recent }: Picture, before: readonly CallSummary[]): void {
    const old = new Map(before.map(({ call, state }) => [call, state]));
    for (const call of recent) {
      const was = old.get(call.call);
      if (was === undefined || !underWay.has(was) || !telling.has(call.state)) continue;
      this.#say(`${callWords(call)}: ${stateWords(call)}`, call.state === 'succeeded' ? 'info' : 'error');
    }
  }
}
