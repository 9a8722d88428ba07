/**
 * The calls of this run and what is known of earlier ones: finds them for the desk, for agents who ask
 * and for the queue that views show. Changes no call.
 */
import type { CallSummary } from '../rpc/api/calls.ts';
import { RpcError } from '../rpc/api/errors.ts';
import { type Call, type Proposal, summaryOf } from './call.ts';
import { isSettled } from './call-states.ts';
import type { PastCall } from './replay.ts';

/** Settled calls kept in memory: for status, for "again", for the queue's lower half. */
const keptSettled = 500;
const shownRecent = 50;

/** How long an equal call that was sent counts as "again". */
const againMs = 10 * 60_000;

export class CallRegister {
  readonly #calls = new Map<string, Call>();
  /** Those that wait, oldest first, and how long their arguments are together. */
  readonly #queue = new Set<Call>();
  #queuedText = 0;
  #past: readonly PastCall[];

  constructor(past: readonly PastCall[]) {
    this.#past = past;
  }

  add(call: Call): void {
    this.#calls.set(call.id, call);
    this.#queue.add(call);
    this.#queuedText += call.argumentsText.length;
    this.#forgetOld();
  }

  /** The call waits no more. */
  leave(call: Call): void {
    if (this.#queue.delete(call)) this.#queuedText -= call.argumentsText.length;
  }

  /** The arguments of a waiting call are other ones now. */
  edit(call: Call, argumentsText: string, digest: string): void {
    this.#queuedText += argumentsText.length - call.argumentsText.length;
    Object.assign(call, { argumentsText, digest, edited: true });
  }

  /** The call with this id; throws `decided` for one of an earlier run, `notFound` for none. */
  get(id: string): Call {
    const call = this.find(id);
    if (call) return call;
    const past = this.findPast(id);
    if (!past) throw new RpcError('notFound', `There is no ${id}.`);
    const { state } = past.summary;
    throw new RpcError('decided', `${id} can no longer be decided: it ended ${state} some time ago.`, {
      state,
    });
  }

  find(id: string): Call | undefined {
    return this.#calls.get(id);
  }

  findPast(id: string): PastCall | undefined {
    return this.#past.find((candidate) => candidate.summary.call === id);
  }

  all(): Call[] {
    return [...this.#calls.values()];
  }

  /** The call an idempotency key of this agent names. */
  byKey(agent: string, key: string): Call | PastCall | undefined {
    return (
      this.all().find((call) => call.agent.id === agent && call.key === key) ??
      this.#past.find((call) => call.summary.agent === agent && call.key === key)
    );
  }

  /** The waiting call that a proposal may join: two keys of one agent name two calls. */
  equalWaiting(proposal: Proposal, digest: string): Call | undefined {
    for (const call of this.#queue) {
      const sameKey = proposal.key === undefined || call.key === undefined || call.key === proposal.key;
      if (call.digest === digest && !call.edited && sameKey) return call;
    }
    return undefined;
  }

  /**
   * What there is to say when the same was sent before. A restart of the program or a new catalogue
   * makes another digest, and still it would be done twice: so it is the deed that is compared.
   */
  sentBefore(proposal: Deed): string | undefined {
    const deed = deedOf(proposal);
    for (const call of this.all().reverse()) {
      if (call.sentAt === undefined || deedOf(call) !== deed) continue;
      const age = Date.now() - call.sentAt;
      if (call.state !== 'unknown' && age >= againMs) continue;
      return `sent ${Math.round(age / 1000)} s before this proposal, ${call.state} (${call.id})`;
    }
    return undefined;
  }

  /** The calls that wait, oldest first. */
  queue(): Call[] {
    return [...this.#queue];
  }

  waiting(): CallSummary[] {
    return this.queue().map(summaryOf);
  }

  /** On their way or settled, newest last; what is unknown stays. */
  recent(): CallSummary[] {
    const own = this.all().filter((call) => call.state !== 'waiting');
    const all = [...this.#past.map((past) => past.summary), ...own.map(summaryOf)];
    const first = all.length - shownRecent;
    return all
      .filter((summary, index) => index >= first || summary.state === 'unknown')
      .slice(-4 * shownRecent);
  }

  /** How many wait, by the id of their agent or of their instance. */
  countWaiting(by: 'agent' | 'instance'): Map<string | undefined, number> {
    const counts = new Map<string | undefined, number>();
    for (const call of this.#queue) {
      const id = by === 'agent' ? call.agent.id : call.instance;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  /** How many wait, and the length of their arguments. */
  get load(): { count: number; text: number } {
    return { count: this.#queue.size, text: this.#queuedText };
  }

  /** Of an old call with a key the key stays, as it does in the journal. */
  #forgetOld(): void {
    if (this.#calls.size - this.#queue.size <= 2 * keptSettled) return;
    const settled = this.all().filter((call) => isSettled(call.state) && call.state !== 'unknown');
    const old = settled.slice(0, Math.max(0, settled.length - keptSettled));
    for (const call of old) this.#calls.delete(call.id);
    const keyed = old.filter((call) => call.key !== undefined);
    this.#past = [
      ...this.#past,
      ...keyed.map((call) => ({
        summary: summaryOf(call),
        key: call.key,
        secretHashes: call.secretHashes,
      })),
    ];
  }
}

type Deed = Pick<Proposal, 'kind' | 'instance' | 'tool' | 'argumentsText'>;

function deedOf({ kind, instance, tool, argumentsText }: Deed): string {
  return JSON.stringify([kind, instance, tool, argumentsText]);
}
