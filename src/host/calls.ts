/**
 * The calls desk: every mutating call of every agent passes here, in one order (ARCHITECTURE.md,
 * "A call's way"). Owns the queue and the states; knows no kind of call, no socket and no Tick.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '../protocol/messages.ts';
import type { CallState, CallSummary } from '../rpc/api/calls.ts';
import { RpcError } from '../rpc/api/errors.ts';
import { type Call, type Outcome, type Proposal, summaryOf } from './call.ts';
import { type CallEvent, isSettled, nextCallState } from './call-states.ts';
import { canonical, digestOf } from './digest.ts';
import type { Journal } from './journal.ts';
import type { SessionLog } from './log.ts';
import type { PastCall } from './replay.ts';

export interface CallsOptions {
  journal: Journal;
  log: SessionLog;
  /** The queue or a call's state changed. */
  changed: () => void;
  past: readonly PastCall[];
  nextCall: number;
  /** Calls of one agent that may wait at a time. */
  waitingPerAgent?: number;
}

export const defaultWaitingPerAgent = 1_000;

/** Settled calls kept in memory: for status, for "again", for the queue's lower half. */
const keptSettled = 500;
const shownRecent = 50;

/** How long an equal call that was sent counts as "again". */
const againMs = 10 * 60_000;

export class Calls {
  readonly #options: CallsOptions;
  readonly #calls = new Map<string, Call>();
  readonly #past: readonly PastCall[];
  #next: number;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: CallsOptions) {
    this.#options = options;
    this.#past = options.past;
    this.#next = options.nextCall;
  }

  // ---- proposing ----

  /** Queues a proposal, or joins the equal one that still waits. Throws `limit` when its agent has too many. */
  propose(proposal: Proposal): { call: Call; secret: string | undefined; joined: boolean } {
    const digest = digestOf({ ...proposal, agent: proposal.agent.id });
    const equal = this.#all().find(
      (call) => call.state === 'waiting' && call.digest === digest && !call.edited,
    );
    const call = equal ?? this.#queue(proposal, digest);
    const secret = proposal.wait ? undefined : this.#giveSecret(call);
    return { call, secret, joined: equal !== undefined };
  }

  #queue(proposal: Proposal, digest: string): Call {
    const limit = this.#options.waitingPerAgent ?? defaultWaitingPerAgent;
    if (this.waitingOf(proposal.agent.id) >= limit) {
      throw new RpcError('limit', `${limit} calls of this agent wait already: let some be decided first.`);
    }
    const { expiresInS, wait, ...rest } = proposal;
    let settle: () => void = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const now = Date.now();
    const call: Call = {
      ...rest,
      id: `call:${this.#next++}`,
      digest,
      state: 'waiting',
      edited: false,
      proposedAt: now,
      expiresAt: now + expiresInS * 1_000,
      sentAt: undefined,
      decidedBy: undefined,
      words: undefined,
      again: this.#again(digest),
      result: undefined,
      error: undefined,
      effectSeen: undefined,
      secretHash: undefined,
      holders: 0,
      keepWithoutCaller: !wait,
      settled,
      settle,
    };
    this.#calls.set(call.id, call);
    this.#forgetOld();
    this.#record(call, {
      kind: call.kind,
      instance: call.instance,
      incarnation: call.incarnation,
      tool: call.tool,
      revision: call.revision,
      digest,
      arguments: call.recordable(call.argumentsText),
      agent: call.agent.id,
      agent_name: call.agent.name,
      reason: call.reason,
      key: call.key,
    });
    this.#say(call, `${call.agent.id} proposes ${this.#what(call)}`);
    this.#scheduleExpiry();
    this.#options.changed();
    return call;
  }

  #giveSecret(call: Call): string {
    const secret = randomBytes(24).toString('base64url');
    call.keepWithoutCaller = true;
    call.secretHash = hashSecret(secret);
    void this.#options.journal
      .append('call.secret', { call: call.id, secret_hash: call.secretHash })
      .catch(() => {});
    return secret;
  }

  /** A caller waits for the call; call what this gives you when it stops waiting before the end. */
  hold(call: Call): () => void {
    call.holders++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      call.holders--;
      if (call.holders === 0 && !call.keepWithoutCaller)
        this.withdraw(call, 'its agent gave up or went away');
    };
  }

  #again(digest: string): string | undefined {
    for (const call of [...this.#all()].reverse()) {
      const recent = call.state === 'unknown' || Date.now() - (call.sentAt ?? 0) < againMs;
      if (call.digest === digest && call.sentAt !== undefined && recent) {
        return `sent ${Math.round((Date.now() - call.sentAt) / 1000)} s before this proposal, ${call.state} (${call.id})`;
      }
    }
    return undefined;
  }

  // ---- deciding ----

  /**
   * Approves or denies on behalf of `by`, who was shown `digest`. Throws `changed` when another digest
   * is held, `decided` when the call no longer waits.
   */
  decide(
    id: string,
    digest: string,
    decision: 'approve' | 'deny',
    words: string | undefined,
    by: string,
  ): CallState {
    const call = this.#waiting(id, digest);
    call.decidedBy = by;
    if (decision === 'deny') {
      call.words = words || undefined;
      this.#move(call, 'deny', { by, words: call.words });
      this.#say(call, `${by} denied ${this.#what(call)}`);
      return call.state;
    }
    this.#move(call, 'approve', { by, digest });
    this.#say(call, `${by} approved ${this.#what(call)}`);
    void this.#dispatch(call);
    return call.state;
  }

  /** Replaces the arguments of a waiting call; every view must show the new digest before it can be approved. */
  edit(id: string, digest: string, text: string, by: string, checkOnly: boolean) {
    const call = this.#waiting(id, digest);
    if (!call.check) throw new RpcError('refused', `${id} is no call of a tool: its terms cannot be edited.`);
    const args = parseArguments(text);
    const complaints = 'message' in args ? [{ path: '', message: args.message }] : call.check(args.value);
    if (complaints.length > 0 || 'message' in args) return { accepted: false, complaints };
    if (checkOnly) return { accepted: true, complaints: [] };
    call.argumentsText = canonical(args.value);
    call.digest = digestOf({ ...call, agent: call.agent.id });
    call.edited = true;
    call.again = this.#again(call.digest);
    void this.#options.journal
      .append('call.edited', {
        call: call.id,
        by,
        digest: call.digest,
        arguments: call.recordable(call.argumentsText),
      })
      .catch(() => {});
    this.#say(call, `${by} edited the arguments of ${this.#what(call)}`);
    this.#options.changed();
    return { accepted: true, digest: call.digest, complaints: [] };
  }

  /** Withdraws a call that was not yet sent; says whether it was in time. */
  withdraw(call: Call, why: string): boolean {
    return this.#end(call, 'withdraw', why);
  }

  /** Voids what is no longer what was shown: asks each unsent call of the instance. */
  recheck(instance: string): void {
    for (const call of this.#all()) {
      if (call.instance !== instance || (call.state !== 'waiting' && call.state !== 'approved')) continue;
      const reason = call.effect.current();
      if (reason) this.#end(call, 'void', reason);
    }
  }

  #waiting(id: string, digest: string): Call {
    const call = this.get(id);
    if (call.state !== 'waiting') {
      const by = call.decidedBy ? ` by ${call.decidedBy}` : '';
      throw new RpcError('decided', `${id} no longer waits: it was ${decidedWord(call.state)}${by}.`, {
        state: call.state,
        by: call.decidedBy,
      });
    }
    if (call.digest !== digest) {
      throw new RpcError('changed', `${id} changed since it was shown: look at it again.`, {
        digest: call.digest,
      });
    }
    return call;
  }

  // ---- dispatching ----

  async #dispatch(call: Call): Promise<void> {
    const release = await call.effect.takeSlot?.();
    try {
      if (call.state === 'approved') await this.#verifyAndRun(call);
    } catch (error) {
      this.#options.log.bug(`${call.id} could not be carried through`, error);
      this.#settleOutcome(call, { event: 'lose', reason: 'tickmux failed while it was under way' });
    } finally {
      release?.();
    }
  }

  async #verifyAndRun(call: Call): Promise<void> {
    const stale = await call.effect.verify();
    // Withdrawn, expired or voided meanwhile: until the intent is handed over, that wins.
    if (call.state !== 'approved') return;
    const reason = stale ?? call.effect.current();
    if (reason) {
      this.#end(call, 'void', reason);
      return;
    }
    if (Date.now() >= call.expiresAt) {
      this.#end(call, 'expire', 'it was approved too late');
      return;
    }
    const intent = this.#move(call, 'dispatch', { digest: call.digest });
    try {
      await intent;
    } catch (error) {
      this.#settleOutcome(call, {
        event: 'fail',
        effect: 'none',
        error: { message: `It was not sent: ${(error as Error).message}` },
      });
      return;
    }
    const outcome = await call.effect.run(call.argumentsText, () => {
      call.sentAt = Date.now();
      this.#options.changed();
    });
    this.#settleOutcome(call, outcome);
    call.effect.after?.();
  }

  #settleOutcome(call: Call, outcome: Outcome): void {
    if (outcome.event === 'succeed') {
      call.result = outcome.result;
      this.#move(call, 'succeed', {});
    } else if (outcome.event === 'fail') {
      call.error = outcome.error;
      call.effectSeen = outcome.effect;
      this.#move(call, 'fail', { effect: outcome.effect, code: outcome.error.code });
    } else {
      call.words = outcome.reason;
      // Approved but never dispatched cannot be lost; it ends without effect.
      if (!this.#move(call, 'lose', { why: outcome.reason })) this.#move(call, 'fail', { effect: 'none' });
    }
    this.#say(call, `${this.#what(call)}: ${call.state}${call.words ? `, ${call.words}` : ''}`);
  }

  // ---- looking ----

  /** The call with this id; throws `notFound`. */
  get(id: string): Call {
    const call = this.#calls.get(id);
    if (call) return call;
    const past = this.#past.find((candidate) => candidate.summary.call === id);
    if (past) {
      throw new RpcError(
        'decided',
        `${id} belongs to an earlier run of the host; it ended ${past.summary.state}.`,
        {
          state: past.summary.state,
        },
      );
    }
    throw new RpcError('notFound', `There is no ${id}.`);
  }

  find(id: string): Call | undefined {
    return this.#calls.get(id);
  }

  findPast(id: string): PastCall | undefined {
    return this.#past.find((candidate) => candidate.summary.call === id);
  }

  /** The call an idempotency key of this agent names. */
  byKey(agent: string, key: string): Call | PastCall | undefined {
    return (
      this.#all().find((call) => call.agent.id === agent && call.key === key) ??
      this.#past.find((call) => call.summary.agent === agent && call.key === key)
    );
  }

  waiting(): CallSummary[] {
    return this.#all()
      .filter((call) => call.state === 'waiting')
      .map(summaryOf);
  }

  /** On their way or settled, newest last; what is unknown stays. */
  recent(): CallSummary[] {
    const all = [
      ...this.#past.map((past) => past.summary),
      ...this.#all()
        .filter((call) => call.state !== 'waiting')
        .map(summaryOf),
    ];
    const first = all.length - shownRecent;
    return all
      .filter((summary, index) => index >= first || summary.state === 'unknown')
      .slice(-4 * shownRecent);
  }

  waitingOn(instance: string): number {
    return this.#all().filter((call) => call.state === 'waiting' && call.instance === instance).length;
  }

  waitingOf(agent: string): number {
    return this.#all().filter((call) => call.state === 'waiting' && call.agent.id === agent).length;
  }

  /** The host ends: what was not sent is withdrawn, what was is recorded as unknown. */
  shutDown(): void {
    clearTimeout(this.#expiry);
    for (const call of this.#all()) {
      if (isSettled(call.state)) continue;
      if (call.state === 'dispatched') this.#settleOutcome(call, { event: 'lose', reason: 'the host ended' });
      else this.#end(call, 'withdraw', 'the host ended');
    }
  }

  // ---- moving ----

  /** One step in the table and one record; undefined when the table has no such step. */
  #move(call: Call, event: CallEvent, fields: Record<string, unknown>): Promise<void> | undefined {
    const next = nextCallState(call.state, event);
    if (!next) return undefined;
    call.state = next;
    const written = this.#record(call, fields);
    if (isSettled(next)) call.settle();
    this.#options.changed();
    return written;
  }

  #end(call: Call, event: 'withdraw' | 'void' | 'expire', why: string): boolean {
    if (!nextCallState(call.state, event)) return false;
    call.words = why;
    this.#move(call, event, { why });
    this.#say(call, `${this.#what(call)}: ${call.state}, ${why}`);
    return true;
  }

  #record(call: Call, fields: Record<string, unknown>): Promise<void> {
    const written = this.#options.journal.append(`call.${call.state}`, { call: call.id, ...fields });
    // Who must not go on without it awaits it; for the others the journal reports its own failure.
    written.catch(() => {});
    return written;
  }

  #say(call: Call, text: string): void {
    this.#options.log.info(text, { call: call.id, instance: call.instance });
  }

  #what(call: Call): string {
    return `${call.id} ${call.tool}${call.instance ? ` on ${call.instance}` : ''}`;
  }

  #all(): Call[] {
    return [...this.#calls.values()];
  }

  #scheduleExpiry(): void {
    clearTimeout(this.#expiry);
    const open = this.#all().filter((call) => call.state === 'waiting');
    if (open.length === 0) return;
    const next = Math.min(...open.map((call) => call.expiresAt));
    this.#expiry = setTimeout(
      () => {
        for (const call of this.#all()) {
          if (call.state === 'waiting' && Date.now() >= call.expiresAt)
            this.#end(call, 'expire', 'nobody decided in time');
        }
        this.#scheduleExpiry();
      },
      Math.min(Math.max(0, next - Date.now()), 2 ** 31 - 1),
    );
    this.#expiry.unref();
  }

  #forgetOld(): void {
    if (this.#calls.size <= 2 * keptSettled) return;
    const settled = this.#all().filter((call) => isSettled(call.state) && call.state !== 'unknown');
    for (const call of settled.slice(0, Math.max(0, settled.length - keptSettled)))
      this.#calls.delete(call.id);
  }
}

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function parseArguments(text: string): { value: JsonObject } | { message: string } {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as JsonObject };
    return { message: 'must be a JSON object' };
  } catch (error) {
    return { message: `is not JSON: ${(error as Error).message}` };
  }
}

function decidedWord(state: CallState): string {
  return state === 'dispatched' ? 'sent' : state === 'unknown' ? 'sent, outcome unknown' : state;
}
