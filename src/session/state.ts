/**
 * Checks the shape of a state and keeps the latest one (tick 6.3, 8.2). It does not know how a state
 * arrived, nor what follows from a bad one.
 */

import { exceeds } from '../protocol/json.ts';
import type { Limits } from '../protocol/limits.ts';
import type { Json, State } from '../protocol/messages.ts';
import { isTimestamp } from '../protocol/timestamp.ts';
import { isObject, isUinteger } from './shape.ts';

export type ReadState = { ok: true; state: State } | { ok: false; reason: string; requirement?: string };

export interface LatestState {
  readonly state: State;
  /** When it arrived, in ms since 1970. */
  readonly receivedAt: number;
  /** RFC 3339: the state's own `at`, else the time of receipt (tick H-6.2-1). */
  readonly at: string;
}

/** Shape only; members that are not known are left out (tick H-4.3-4). */
function readState(value: Json | undefined): ReadState {
  if (!isObject(value)) return { ok: false, reason: 'the state is not an object' };
  const { seq, data, at } = value;
  if (!isUinteger(seq)) return { ok: false, reason: 'its seq is not a whole number from 0 to 2^53-1' };
  if (data === undefined) return { ok: false, reason: 'it has no data' };
  if (at === undefined) return { ok: true, state: { seq, data } };
  if (typeof at !== 'string' || !isTimestamp(at)) {
    return { ok: false, reason: 'its at is not an RFC 3339 timestamp' };
  }
  return { ok: true, state: { seq, data, at } };
}

/** The states of one session, in order of arrival (tick H-3.3-4). */
export class StateKeeper {
  #latest: LatestState | undefined;
  #lastReadSeq = 0;
  #newestUpdateSeq: number | undefined;
  #updatesReceived = 0;
  readonly #epochNow: () => number;

  /** @param epochNow the clock for times of receipt, in ms since 1970. */
  constructor(epochNow: () => number) {
    this.#epochNow = epochNow;
  }

  get latest(): LatestState | undefined {
    return this.#latest;
  }

  /** Valid updates since the session began: the difference of two counts is what was merged (tick H-8.3-1). */
  get updatesReceived(): number {
    return this.#updatesReceived;
  }

  /** What the seq of a read that is sent now must reach (tick H-6.3-1). */
  get floor(): number {
    return Math.max(this.#lastReadSeq, this.#newestUpdateSeq ?? 0);
  }

  /**
   * Takes the params of a `tick/update` (tick T-8.2-1).
   * @param lineBytes size of the line they came in.
   */
  takeUpdate(params: Json | undefined, limits: Limits, lineBytes: number): ReadState {
    const read = readState(params);
    if (!read.ok) return read;
    const { seq, data } = read.state;
    if (data === null) return { ok: false, reason: 'its data is null', requirement: 'T-8.2-1a' };
    if (this.#newestUpdateSeq !== undefined && seq <= this.#newestUpdateSeq) {
      const reason = `its seq ${seq} is not above ${this.#newestUpdateSeq}, that of an earlier update`;
      return { ok: false, reason, requirement: 'T-8.2-1b' };
    }
    if (exceeds(params, limits.updateBytes, lineBytes)) {
      const reason = `it is larger than ${limits.updateBytes} bytes`;
      return { ok: false, reason, requirement: 'T-8.2-1d' };
    }
    this.#newestUpdateSeq = seq;
    this.#updatesReceived++;
    this.#offer(read.state);
    return read;
  }

  /**
   * Takes the result of a `tick/read`.
   * @param floor {@link floor} at the moment the read was sent; later updates do not count (tick H-6.3-2).
   */
  takeRead(result: Json, floor: number): ReadState {
    const read = readState(result);
    if (!read.ok) return read;
    const { seq } = read.state;
    if (seq < floor) {
      const reason = `its seq ${seq} is below ${floor}, which had been reached when the read was sent`;
      return { ok: false, reason, requirement: 'H-3.6-2b' };
    }
    this.#lastReadSeq = seq;
    this.#offer(read.state);
    return read;
  }

  /** The higher seq wins; on a tie what came later (tick section 4, "Latest state"). */
  #offer(state: State): void {
    if (this.#latest && state.seq < this.#latest.state.seq) return;
    const receivedAt = this.#epochNow();
    this.#latest = { state, receivedAt, at: state.at ?? new Date(receivedAt).toISOString() };
  }
}
