/**
 * The calls desk: every mutating call of every agent passes here, in one order (ARCHITECTURE.md,
 * "A call's way"). Takes proposals in and decisions on them; knows no kind of call, no socket and no Tick.
 */
import { parseLine } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/messages.ts';
import type { CallState } from '../rpc/api/calls.ts';
import { RpcError } from '../rpc/api/errors.ts';
import type { Call, Proposal } from './call.ts';
import { CallMoves, type CallMovesOptions, whatOf } from './call-moves.ts';
import { CallRegister } from './call-register.ts';
import { isSettled } from './call-states.ts';
import { canonical, digestOf } from './digest.ts';
import { dispatch } from './dispatch.ts';
import type { SessionLog } from './log.ts';
import type { Panic } from './panic.ts';
import type { PastCall } from './replay.ts';
import { hashSecret, makeSecret } from './secret.ts';

export interface CallsOptions extends Omit<CallMovesOptions, 'left'> {
  panic: Panic;
  past: readonly PastCall[];
  nextCall: number;
  /** Calls of one agent that may wait at a time. */
  waitingPerAgent?: number;
}

export const defaultWaitingPerAgent = 1_000;

/** Most text of one call's arguments, in UTF-16 units: somebody has to look through them. */
const maxArguments = 256 * 1024;
/** Calls that wait at a time, and the text of their arguments, whoever proposes them under how many names. */
const mostWaiting = 2_000;
const mostWaitingText = 64 * 1024 * 1024;
/** Secrets that one call is kept for; the oldest gives way. Its agent needs none. */
const mostSecrets = 64;

export class Calls {
  /** Where calls are looked up. */
  readonly register: CallRegister;
  readonly #moves: CallMoves;
  readonly #log: SessionLog;
  readonly #panic: Panic;
  readonly #waitingPerAgent: number;
  #next: number;
  #expiry: NodeJS.Timeout | undefined;
  #expiryAt = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor({ panic, past, nextCall, waitingPerAgent = defaultWaitingPerAgent, ...moves }: CallsOptions) {
    this.register = new CallRegister(past);
    this.#moves = new CallMoves({ ...moves, left: (call) => this.register.leave(call) });
    this.#log = moves.log;
    this.#panic = panic;
    this.#waitingPerAgent = waitingPerAgent;
    this.#next = nextCall;
  }

  /**
   * Queues a proposal, or joins the equal one that still waits; a secret comes with `wait: false`.
   * Throws `limit` when its agent has too many, `refused` when the host ends.
   */
  propose(proposal: Proposal): { call: Call; secret: string | undefined } {
    if (this.#closed) throw new RpcError('refused', 'The host is ending: nothing is taken in any more.');
    const digest = digestOf({ ...proposal, agent: proposal.agent.id });
    const equal = this.register.equalWaiting(proposal, digest);
    const call = equal ?? this.#queue(proposal, digest);
    if (equal && proposal.key !== undefined && equal.key === undefined) this.#name(equal, proposal.key);
    return { call, secret: proposal.wait ? undefined : this.keep(call) };
  }

  /** Lets a call outlive its callers; whoever holds the secret that this gives may ask for its outcome. */
  keep(call: Call): string {
    const secret = makeSecret();
    const hash = hashSecret(secret);
    call.keepWithoutCaller = true;
    call.secretHashes.push(hash);
    if (call.secretHashes.length > mostSecrets) call.secretHashes.shift();
    void this.#moves.record(call, 'secret', { secret_hash: hash });
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
      if (call.holders === 0 && !call.keepWithoutCaller) {
        this.#moves.end(call, 'withdraw', 'its agent gave up or went away');
      }
    };
  }

  /**
   * Approves or denies on behalf of `by`, who was shown `digest`. Throws `changed` when another digest
   * is held, `decided` when the call no longer waits, `refused` to approve while all dispatching is stopped.
   */
  decide(
    id: string,
    digest: string,
    decision: 'approve' | 'deny',
    words: string | undefined,
    by: string,
  ): CallState {
    const call = this.#waiting(id, digest);
    const { stopped } = this.#panic;
    if (stopped && decision === 'approve') {
      throw new RpcError(
        'refused',
        `Dispatching is stopped by ${stopped.by}: let it go on first. The call waits as it is.`,
      );
    }
    call.decidedBy = by;
    if (decision === 'deny') {
      call.words = words || undefined;
      this.#moves.move(call, 'deny', { by, words: call.words });
      this.#moves.say(call, `${by} denied ${whatOf(call)}`);
      return call.state;
    }
    this.#moves.move(call, 'approve', { by, digest });
    this.#moves.say(call, `${by} approved ${whatOf(call)}`);
    void dispatch(call, this.#moves, this.#log, this.#panic);
    return call.state;
  }

  /** Replaces the arguments of a waiting call; every view must show the new digest before it can be approved. */
  edit(id: string, digest: string, text: string, by: string, checkOnly: boolean) {
    const call = this.#waiting(id, digest);
    if (!call.check) throw new RpcError('refused', `${id} is no call of a tool: its terms cannot be edited.`);
    const args = parseArguments(text);
    const complaints = 'message' in args ? [{ path: '', message: args.message }] : call.check(args.value);
    if (complaints.length > 0 || 'message' in args) return { accepted: false, complaints };
    const argumentsText = canonical(args.value);
    assertFits(argumentsText);
    if (checkOnly) return { accepted: true, complaints: [] };
    // Saved as it was: nothing was edited, and nobody has to look again.
    if (argumentsText === call.argumentsText) return { accepted: true, digest, complaints: [] };
    this.register.edit(call, argumentsText, digestOf({ ...call, argumentsText, agent: call.agent.id }));
    call.again = this.register.sentBefore(call);
    void this.#moves.record(call, 'edited', {
      by,
      digest: call.digest,
      arguments: call.recordable(call.argumentsText),
    });
    this.#moves.say(call, `${by} edited the arguments of ${whatOf(call)}`);
    this.#moves.changed();
    return { accepted: true, digest: call.digest, complaints: [] };
  }

  /** Voids what is no longer what was shown: asks each unsent call of the instance. */
  recheck(instance: string): void {
    for (const call of this.register.all()) {
      if (call.instance !== instance || (call.state !== 'waiting' && call.state !== 'approved')) continue;
      const reason = call.effect.current();
      if (reason) this.#moves.end(call, 'void', reason);
    }
  }

  /** The host ends: what was not sent is withdrawn, what was is recorded as unknown. */
  shutDown(): void {
    this.#closed = true;
    clearTimeout(this.#expiry);
    for (const call of this.register.all()) {
      if (isSettled(call.state)) continue;
      if (call.state === 'dispatched') this.#moves.settle(call, { event: 'lose', reason: 'the host ended' });
      else this.#moves.end(call, 'withdraw', 'the host ended');
    }
  }

  #queue(proposal: Proposal, digest: string): Call {
    assertFits(proposal.argumentsText);
    const limit = this.#waitingPerAgent;
    const waiting = this.register.countWaiting('agent');
    if ((waiting.get(proposal.agent.id) ?? 0) >= limit) {
      throw new RpcError('limit', `${limit} calls of this agent wait already: let some be decided first.`);
    }
    const { count, text } = this.register.load;
    if (count >= mostWaiting || text + proposal.argumentsText.length > mostWaitingText) {
      throw new RpcError('limit', `${count} calls wait in this session already: let some be decided first.`);
    }
    const call = this.#make(proposal, digest);
    this.register.add(call);
    void this.#moves.record(call, call.state, {
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
    this.#moves.say(call, `${call.agent.id} proposes ${whatOf(call)}`);
    if (call.expiresAt < this.#expiryAt) this.#scheduleExpiry();
    this.#moves.changed();
    return call;
  }

  #make({ expiresInS, wait, ...proposal }: Proposal, digest: string): Call {
    let settle: () => void = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const now = Date.now();
    return {
      ...proposal,
      id: `call:${this.#next++}`,
      digest,
      state: 'waiting',
      edited: false,
      proposedAt: now,
      expiresAt: now + expiresInS * 1_000,
      sentAt: undefined,
      decidedBy: undefined,
      words: undefined,
      again: this.register.sentBefore(proposal),
      result: undefined,
      error: undefined,
      effectSeen: undefined,
      secretHashes: [],
      holders: 0,
      keepWithoutCaller: !wait,
      settled,
      settle,
    };
  }

  #name(call: Call, key: string): void {
    call.key = key;
    void this.#moves.record(call, 'key', { key });
  }

  #waiting(id: string, digest: string): Call {
    const call = this.register.get(id);
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

  #scheduleExpiry(): void {
    clearTimeout(this.#expiry);
    const waiting = this.register.queue();
    this.#expiryAt = waiting.reduce(
      (least, { expiresAt }) => Math.min(least, expiresAt),
      Number.POSITIVE_INFINITY,
    );
    if (waiting.length === 0) return;
    const expire = () => {
      for (const call of this.register.queue()) {
        if (Date.now() >= call.expiresAt) this.#moves.end(call, 'expire', 'nobody decided in time');
      }
      this.#scheduleExpiry();
    };
    this.#expiry = setTimeout(expire, Math.max(0, this.#expiryAt - Date.now()));
    this.#expiry.unref();
  }
}

function assertFits({ length }: string): void {
  if (length <= maxArguments) return;
  const what = `The arguments take ${length} characters as JSON`;
  throw new RpcError(
    'limit',
    `${what}; more than ${maxArguments} nobody could look through. Split the call.`,
  );
}

function parseArguments(text: string): { value: JsonObject } | { message: string } {
  // As strictly as what an agent proposes: what is read has to be the same when it is written again.
  const parsed = parseLine(Buffer.from(text));
  if (!parsed.ok) return { message: `cannot be used: ${parsed.reason}` };
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
  return { message: 'must be a JSON object' };
}

function decidedWord(state: CallState): string {
  return state === 'dispatched' ? 'sent' : state === 'unknown' ? 'sent, outcome unknown' : state;
}
