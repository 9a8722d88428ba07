/**
 * One conversation with a Tick over two streams, from the first describe to the end. It knows no
 * process and no terminal: whoever started the Tick ends it when the session says so.
 */

import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { defaultLimits, type Limits } from '../protocol/limits.ts';
import { LineSplitter } from '../protocol/lines.ts';
import { type Descriptor, methods, type State } from '../protocol/messages.ts';
import { stopwatch } from '../schema/index.ts';
import { type CallOutcome, type CallRequest, callParams, outcomeOf } from './call.ts';
import { readDescriptor } from './descriptor.ts';
import { readAnswer, readLine } from './line.ts';
import { type Failure, resultOf } from './query.ts';
import { type Request, Requests, type Settlement, seconds } from './requests.ts';
import { type LatestState, StateKeeper } from './state.ts';
import { next, type SessionState } from './states.ts';

export interface SessionOptions {
  /** Leads to the Tick's standard input. Neither stream is closed by the session. */
  stdin: Writable;
  /** Comes from the Tick's standard output, as bytes. */
  stdout: Readable;
  limits?: Limits;
  /** When the Tick was started, on the clock of `performance.now()`; now, when left out. */
  startedAt?: number;
}

export type DescribeResult = { ok: true; descriptor: Descriptor } | Failure;
export type ReadResult = { ok: true; state: State } | Failure;
export type InitializeResult = { ok: true; descriptor: Descriptor; state: State } | Failure;

export interface SessionEnd {
  /**
   * `exit`: output ended (tick H-4.5-4). `violation`: the Tick must be ended now (tick H-3.6-1).
   * `initialization`: likewise, as it failed (tick H-4.2-3). `disposed`: by {@link Session.dispose}.
   */
  reason: 'exit' | 'violation' | 'initialization' | 'disposed';
  /** The requirement that was broken, for example `H-3.6-1a`. */
  requirement?: string;
  message: string;
}

type Patience = Pick<Request, 'patience' | 'within'>;

/** `update`: every valid update, in order of arrival. `end`: once, after everything is settled. */
export class Session extends EventEmitter<{ update: [state: State]; end: [end: SessionEnd] }> {
  readonly #limits: Limits;
  readonly #stdout: Readable;
  readonly #initializeUntil: number;
  readonly #splitter: LineSplitter;
  readonly #requests: Requests;
  readonly #states = new StateKeeper(Date.now);
  #state: SessionState = 'created';
  #descriptor: { value: Descriptor; asked: number } | undefined;
  #describesAsked = 0;
  #ignored = 0;
  #describingMs = 0;
  #ended: SessionEnd | undefined;

  constructor({ stdin, stdout, limits = defaultLimits, startedAt = performance.now() }: SessionOptions) {
    super();
    this.#limits = limits;
    this.#stdout = stdout;
    this.#initializeUntil = startedAt + limits.initializationMs;
    this.#splitter = new LineSplitter(limits.lineBytes);
    this.#requests = new Requests(stdin, limits);
    stdout.on('data', this.#onData);
    for (const event of ['end', 'close', 'error']) stdout.on(event, this.#onOutputEnd);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The last good one; a later one that is rejected does not replace it. */
  get descriptor(): Descriptor | undefined {
    return this.#descriptor?.value;
  }

  get latest(): LatestState | undefined {
    return this.#states.latest;
  }

  /** Valid updates so far, also those that were older than a read (tick H-8.3-1). */
  get updatesReceived(): number {
    return this.#states.updatesReceived;
  }

  /** Messages with a method that is not for a host: ignored, as they must be (tick H-3.2-1, H-3.2-2). */
  get ignoredMessages(): number {
    return this.#ignored;
  }

  /** How long reading descriptors, with all their schemas, has held up this process so far. */
  get describingMs(): number {
    return this.#describingMs;
  }

  get requestsInFlight(): number {
    return this.#requests.inFlight;
  }

  /**
   * Describes, then reads, within 10 s from the start of the Tick (tick H-4.2-1, H-4.2-2). After a
   * failure the session is over.
   * @throws Error when called twice.
   */
  async initialize(): Promise<InitializeResult> {
    if (this.#ended) return failureOf(this.#ended);
    this.#state = next(this.#state, 'initialize');
    const described = await this.#describe(this.#leftToInitialize());
    if (!described.ok) return this.#failInitialization(described);
    if (this.#ended) return failureOf(this.#ended);
    this.#state = next(this.#state, 'described');
    const read = await this.#read(this.#leftToInitialize());
    if (!read.ok) return this.#failInitialization(read);
    if (this.#ended) return failureOf(this.#ended);
    this.#state = next(this.#state, 'read');
    return { ok: true, descriptor: described.descriptor, state: read.state };
  }

  /** Asks for the descriptor again; given up after 10 s. */
  async describe(): Promise<DescribeResult> {
    return this.#state === 'ready' ? this.#describe({ patience: this.#limits.queryMs }) : this.#notReady();
  }

  /** Asks for the current state; given up after 10 s. */
  async read(): Promise<ReadResult> {
    return this.#state === 'ready' ? this.#read({ patience: this.#limits.queryMs }) : this.#notReady();
  }

  /**
   * Calls a tool, at most once: nothing is ever sent again (tick H-7.3-3). Given up 60 s after it was
   * handed to the pipe, and refused when it could not be handed over for as long. With a free slot
   * and room in the pipe it is handed over before this returns. The arguments are not checked
   * against the tool's schema here.
   */
  call(request: CallRequest): Promise<CallOutcome> {
    if (this.#state !== 'ready')
      return Promise.resolve({ outcome: 'refused', reason: this.#notReady().reason });
    const params = callParams(request);
    if (!params.ok) return Promise.resolve({ outcome: 'refused', reason: params.reason });
    return new Promise((resolve) => {
      this.#requests.ask({
        kind: 'call',
        method: methods.call,
        params: params.text,
        patience: this.#limits.callMs,
        ...(request.onSent && { onSent: request.onSent }),
        onSettled: (settlement) => resolve(outcomeOf(settlement)),
      });
    });
  }

  /** Ends the session from this side: what is in flight is settled as unknown. The streams stay open. */
  dispose(): void {
    this.#end({ reason: 'disposed', message: 'The session was ended by the host.' });
  }

  #describe(patience: Patience): Promise<DescribeResult> {
    const asked = ++this.#describesAsked;
    return this.#query(methods.describe, patience, (settlement): DescribeResult => {
      const answer = resultOf(methods.describe, settlement);
      if (!answer.ok) return answer;
      const spent = stopwatch();
      const read = readDescriptor(answer.result, this.#limits, answer.lineBytes);
      this.#describingMs += spent();
      // Answers may come in any order; what was asked for last is the newest.
      if (read.ok && asked > (this.#descriptor?.asked ?? 0))
        this.#descriptor = { value: read.descriptor, asked };
      return read;
    });
  }

  #read(patience: Patience): Promise<ReadResult> {
    let floor = 0;
    return this.#query(
      methods.read,
      patience,
      (settlement): ReadResult => {
        const answer = resultOf(methods.read, settlement);
        if (!answer.ok) return answer;
        const read = this.#states.takeRead(answer.result, floor);
        if (read.ok) return read;
        return { ...read, reason: `The answer to tick/read cannot be used: ${read.reason}.` };
      },
      () => {
        floor = this.#states.floor;
      },
    );
  }

  #query<T>(
    method: string,
    patience: Patience,
    take: (settlement: Settlement) => T,
    onSent = () => {},
  ): Promise<T> {
    return new Promise((resolve) => {
      this.#requests.ask({
        kind: 'query',
        method,
        params: '{}',
        ...patience,
        onSent,
        onSettled: (settlement) => resolve(take(settlement)),
      });
    });
  }

  /** The read gets what the describe has left (tick section 6, point 11). */
  #leftToInitialize(): Patience {
    return {
      patience: Math.max(0, this.#initializeUntil - performance.now()),
      within: `${seconds(this.#limits.initializationMs)} of the start`,
    };
  }

  #failInitialization(failure: Failure): Failure {
    const { ok: _, reason: message, ...rest } = failure;
    this.#end({ reason: 'initialization', message, ...rest });
    return failure;
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#splitter.push(chunk)) {
      if (this.#ended) return;
      this.#takeLine(line);
    }
    if (this.#splitter.overflowed) {
      const message = `The Tick wrote a line of more than ${this.#limits.lineBytes} bytes.`;
      this.#end({ reason: 'violation', requirement: 'H-3.6-1d', message });
    }
  };

  readonly #onOutputEnd = (): void => {
    if (this.#splitter.pendingBytes > 0) {
      const message = 'The output of the Tick ended in the middle of a line.';
      this.#end({ reason: 'violation', requirement: 'H-3.6-1c', message });
    } else {
      this.#end({ reason: 'exit', message: 'The Tick has ended.' });
    }
  };

  #takeLine(bytes: Buffer): void {
    const line = readLine(bytes);
    switch (line.kind) {
      case 'violation':
        this.#end({ reason: 'violation', requirement: line.requirement, message: line.message });
        break;
      case 'ignored':
        this.#ignored++;
        break;
      case 'response':
        this.#requests.answer(line.id, () => readAnswer(line.message, this.#limits, bytes.length));
        break;
      case 'update': {
        const taken = this.#states.takeUpdate(line.params, this.#limits, bytes.length);
        if (taken.ok) {
          this.emit('update', taken.state);
          break;
        }
        const rule = taken.requirement ? ` (${taken.requirement})` : '';
        const message = `The Tick sent a tick/update that cannot be used: ${taken.reason}${rule}.`;
        this.#end({ reason: 'violation', requirement: 'H-3.6-1e', message });
      }
    }
  }

  #end(end: SessionEnd): void {
    if (this.#ended) return;
    this.#state = next(this.#state, 'end');
    this.#ended = end;
    this.#stdout.off('data', this.#onData);
    // What still comes is thrown away, so that the Tick's owner sees the streams end.
    this.#stdout.resume();
    this.#requests.close(end.message, end.requirement);
    this.emit('end', end);
  }

  #notReady(): Failure {
    if (this.#ended) return failureOf(this.#ended);
    return {
      ok: false,
      reason: 'The Tick has not finished starting. Wait until it is ready, then try again.',
    };
  }
}

function failureOf({ reason: _, message, ...rest }: SessionEnd): Failure {
  return { ok: false, reason: message, ...rest };
}
