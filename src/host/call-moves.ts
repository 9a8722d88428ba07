/**
 * Moves calls from state to state: the table says where to, and each move is one record in the journal
 * and one line in the log. Decides nothing.
 */
import { visible } from '../cells/visible.ts';
import type { Call, Effect, Outcome } from './call.ts';
import { type CallEvent, isSettled, nextCallState } from './call-states.ts';
import type { Journal } from './journal.ts';
import type { SessionLog } from './log.ts';
import { Results } from './results.ts';

export interface CallMovesOptions {
  journal: Journal;
  log: SessionLog;
  /** A call waits no more. */
  left: (call: Call) => void;
  /** The queue or a call's state changed. */
  changed: () => void;
}

export class CallMoves {
  readonly #options: CallMovesOptions;
  readonly #results = new Results();

  constructor(options: CallMovesOptions) {
    this.#options = options;
  }

  /**
   * One step in the table and one record, whose promise settles when it is on disk; undefined when the
   * table has no such step.
   */
  move(call: Call, event: CallEvent, fields: Record<string, unknown>): Promise<void> | undefined {
    const next = nextCallState(call.state, event);
    if (!next) return undefined;
    if (call.state === 'waiting') this.#options.left(call);
    call.state = next;
    if (isSettled(next)) letGo(call);
    const written = this.record(call, next, fields);
    // Whoever hears of an outcome finds it in the journal, unless that cannot be written.
    if (isSettled(next)) written.catch(() => {}).finally(call.settle);
    this.#options.changed();
    return written;
  }

  /** Ends a call that was not sent; false when it is too late for that. */
  end(call: Call, event: 'withdraw' | 'void' | 'expire', why: string): boolean {
    if (!nextCallState(call.state, event)) return false;
    call.words = why;
    this.move(call, event, { why });
    this.say(call, `${whatOf(call)}: ${call.state}, ${why}`);
    return true;
  }

  /** The outcome of a call on its way; one that comes after another is dropped (tick H-7.3-2). */
  settle(call: Call, outcome: Outcome): void {
    if (isSettled(call.state)) return;
    if (outcome.event === 'succeed') {
      call.result = outcome.result;
      this.move(call, 'succeed', {});
    } else if (outcome.event === 'fail') {
      call.error = outcome.error;
      call.effectSeen = outcome.effect;
      this.move(call, 'fail', { effect: outcome.effect, code: outcome.error.code });
    } else {
      call.words = outcome.reason;
      this.move(call, 'lose', { why: outcome.reason });
    }
    this.#results.keep(call);
    this.say(call, `${whatOf(call)}: ${call.state}${call.words ? `, ${visible(call.words)}` : ''}`);
  }

  /** Writes down something about a call. Who must not go on without it awaits it. */
  record(call: Call, what: string, fields: Record<string, unknown>): Promise<void> {
    const written = this.#options.journal.append(`call.${what}`, { call: call.id, ...fields });
    // For those who need not wait the journal reports its own failure.
    written.catch(() => {});
    return written;
  }

  say(call: Call, text: string): void {
    this.#options.log.info(text, { call: call.id, instance: call.instance });
  }

  changed(): void {
    this.#options.changed();
  }
}

/** A settled call is remembered for long; the program it was for, with its screen, must not be kept by it. */
function letGo(call: Call): void {
  call.effect = spent;
  call.check = undefined;
}

/** Nothing asks it: a settled call has no way left to go. */
const spent: Effect = {
  current: () => 'it has ended',
  verify: async () => 'it has ended',
  run: async () => ({ event: 'lose', reason: 'it has ended' }),
};

/** The call in a few words, for the log. */
export function whatOf(call: Call): string {
  return `${call.id} ${visible(call.tool)}${call.instance ? ` on ${call.instance}` : ''}`;
}
