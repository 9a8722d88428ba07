/**
 * The host's end of one connection: envelopes in, validated messages to the handlers, answers out.
 * It knows every message's schema and none of their meaning.
 */
import type { Duplex } from 'node:stream';
import type { Static, TSchema } from '@sinclair/typebox';
import { compileOwnSchema } from '../schema/index.ts';
import type { Accepted, Outlet, RequestContext } from './api/connection.ts';
import { RpcError, rpcCodes } from './api/errors.ts';
import type { Api, Message, NotificationMessage } from './api/message.ts';
import { type Envelope, encode, type RequestId, readEnvelope } from './envelope.ts';
import { LineReader, lineBytes } from './lines.ts';

/** Milliseconds one connection is read before others get their turn. */
const turnMs = 4;

export interface ServeOptions {
  /** Told of failures that are bugs of ours; the client only hears "internal error". */
  onBug?: (method: string, error: unknown) => void;
  /** Longest line a client may send. */
  lineBytes?: number;
  /** Bytes a client may leave unread before it counts as congested. */
  congestedBytes?: number;
  /** Bytes a client may leave unread before it is cut off. */
  abandonedBytes?: number;
  /** Requests one connection may have unanswered; a further one is refused. */
  requestsInFlight?: number;
  /** What this connection leaves unread counts together with that of others. */
  unread?: Unread;
}

/** What the clients of one socket leave unread together: many who stay below their own limit must not fill memory. */
export class Unread {
  readonly #most: number;
  readonly #streams = new Set<Duplex>();

  /** @param most bytes; a congested client that is sent something beyond it is cut off */
  constructor(most: number) {
    this.#most = most;
  }

  add(stream: Duplex): void {
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
  }

  get tooMuch(): boolean {
    let bytes = 0;
    for (const { writableLength } of this.#streams) bytes += writableLength;
    return bytes > this.#most;
  }
}

const defaults = {
  lineBytes,
  congestedBytes: 256 * 1024,
  abandonedBytes: 64 * 1024 * 1024,
  requestsInFlight: 2_000,
};

/** Serves `api` on `stream`; `accept` is given the way back and returns the handlers. */
export function serve<A extends Api>(
  stream: Duplex,
  api: A,
  accept: (outlet: Outlet) => Accepted<A>,
  options: ServeOptions = {},
): void {
  new Server(stream, api, accept, options);
}

type AnyHandler = (params: unknown, request?: RequestContext) => unknown;

const checks = new WeakMap<Message, ReturnType<typeof compileOwnSchema>>();

class Server<A extends Api> implements Outlet {
  readonly #stream: Duplex;
  readonly #byMethod: Map<string, [string, Message]>;
  readonly #lines: LineReader;
  readonly #options: ServeOptions & typeof defaults;
  readonly #inFlight = new Map<RequestId, AbortController>();
  readonly #accepted: Accepted<A>;
  #drained: (() => void)[] = [];
  #greeted = false;
  /** What came behind a hello that is not answered yet; a client need not wait for the answer. */
  #behindHello: Envelope[] | undefined;
  #closed = false;
  /** Whole lines that wait for their turn. */
  readonly #unread: (Buffer | undefined)[] = [];
  #reading = false;

  constructor(stream: Duplex, api: A, accept: (outlet: Outlet) => Accepted<A>, options: ServeOptions) {
    this.#stream = stream;
    this.#options = { ...defaults, ...options };
    this.#byMethod = new Map(Object.entries(api).map(([name, message]) => [message.method, [name, message]]));
    this.#lines = new LineReader(this.#options.lineBytes);
    this.#options.unread?.add(stream);
    this.#accepted = accept(this);
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('drain', () => this.#drain());
    stream.on('error', () => this.#end());
    stream.on('end', () => this.#end());
    stream.on('close', () => this.#end());
  }

  get congested(): boolean {
    return this.#stream.writableLength > this.#options.congestedBytes;
  }

  notify<P extends TSchema>(message: NotificationMessage<P, 'host'>, params: Static<P>): void {
    this.#send({ method: message.method, params });
  }

  whenDrained(callback: () => void): void {
    if (this.#closed) return;
    if (!this.#stream.writableNeedDrain) setImmediate(callback);
    else this.#drained.push(callback);
  }

  close(): void {
    this.#end();
  }

  #drain(): void {
    const waiting = this.#drained;
    this.#drained = [];
    for (const callback of waiting) callback();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const request of this.#inFlight.values()) request.abort();
    this.#inFlight.clear();
    this.#drained = [];
    this.#accepted.closed();
    this.#stream.end();
  }

  #send(message: object): void {
    if (this.#closed) return;
    this.#stream.write(encode(message));
    // A client that asks and never reads would otherwise fill our memory.
    const { abandonedBytes, unread } = this.#options;
    if (this.#stream.writableLength > abandonedBytes || (this.congested && unread?.tooMuch)) {
      this.#stream.destroy();
    }
  }

  #receive(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) this.#unread.push(line);
    if (!this.#reading) this.#read();
  }

  /** In turns, so that whoever sends thousands of requests at once holds up nobody else. */
  #read(): void {
    const until = performance.now() + turnMs;
    let next = 0;
    while (next < this.#unread.length && !this.#closed && performance.now() < until) {
      this.#take(this.#unread[next++]);
    }
    this.#unread.splice(0, next);
    this.#reading = this.#unread.length > 0 && !this.#closed;
    if (!this.#reading) {
      this.#stream.resume();
      return;
    }
    this.#stream.pause();
    setImmediate(() => this.#read());
  }

  #take(line: Buffer | undefined): void {
    if (line) {
      this.#dispatch(readEnvelope(line));
      return;
    }
    const limit = this.#options.lineBytes;
    this.#refuse(null, rpcCodes.limit, `A line may hold at most ${limit} bytes; this one was dropped.`);
  }

  #dispatch(envelope: Envelope): void {
    if (this.#closed) return;
    if (this.#behindHello) {
      this.#behindHello.push(envelope);
      return;
    }
    switch (envelope.type) {
      case 'bad':
        this.#refuse(envelope.id, envelope.code, envelope.message);
        return;
      case 'result':
      case 'error':
        return; // The host asks nothing, so nothing can be an answer.
      case 'request':
        void this.#request(envelope.id, envelope.method, envelope.params);
        return;
      case 'notification':
        this.#notification(envelope.method, envelope.params);
    }
  }

  async #request(id: RequestId, method: string, params: unknown): Promise<void> {
    const [name, message] = this.#byMethod.get(method) ?? [];
    if (name === undefined || message?.type !== 'request') {
      this.#refuse(
        id,
        rpcCodes.unknownMethod,
        `There is no request "${method.slice(0, 100)}" on this socket.`,
      );
      return;
    }
    if (!this.#greeted && method !== 'hello') {
      this.#refuse(id, rpcCodes.invalidRequest, 'Say hello first.');
      return;
    }
    if (this.#inFlight.has(id)) {
      this.#refuse(id, rpcCodes.invalidRequest, 'A request with this id is still unanswered.');
      return;
    }
    const most = this.#options.requestsInFlight;
    if (this.#inFlight.size >= most) {
      this.#refuse(id, rpcCodes.limit, `At most ${most} requests may be unanswered on one connection.`);
      return;
    }
    const complaint = complain(message, params ?? {});
    if (complaint) {
      this.#refuse(id, rpcCodes.invalidParams, `${method}: ${complaint}`);
      return;
    }
    const abort = new AbortController();
    this.#inFlight.set(id, abort);
    if (method === 'hello') this.#behindHello = [];
    try {
      const handler = this.#handler(name);
      const result = await handler(params ?? {}, { signal: abort.signal });
      if (method === 'hello') this.#greeted = true;
      this.#send({ id, result: result ?? {} });
    } catch (error) {
      if (error instanceof RpcError) {
        this.#refuse(id, error.code, error.message, error.data);
      } else {
        this.#options.onBug?.(method, error);
        this.#refuse(id, rpcCodes.internal, `${method} failed inside the host; its log has the details.`);
      }
    } finally {
      this.#inFlight.delete(id);
      if (method === 'hello') this.#afterHello();
    }
  }

  #afterHello(): void {
    const waiting = this.#behindHello ?? [];
    this.#behindHello = undefined;
    for (const envelope of waiting) this.#dispatch(envelope);
  }

  #notification(method: string, params: unknown): void {
    const [name, message] = this.#byMethod.get(method) ?? [];
    if (!this.#greeted || name === undefined || message?.type !== 'notification' || message.from !== 'client')
      return;
    if (complain(message, params ?? {})) return;
    if (method === 'cancel') {
      this.#inFlight.get((params as { id: RequestId }).id)?.abort();
      return;
    }
    try {
      this.#handler(name)(params ?? {});
    } catch (error) {
      // A notification has no answer to carry a refusal.
      if (!(error instanceof RpcError)) this.#options.onBug?.(method, error);
    }
  }

  #handler(name: string): AnyHandler {
    return (this.#accepted.handlers as Record<string, AnyHandler>)[name] as AnyHandler;
  }

  #refuse(id: RequestId | null, code: number, message: string, data?: unknown): void {
    this.#send({ id, error: data === undefined ? { code, message } : { code, message, data } });
  }
}

function complain(message: Message, params: unknown): string | undefined {
  let check = checks.get(message);
  if (!check) {
    check = compileOwnSchema(message.params);
    checks.set(message, check);
  }
  const [first] = check(params);
  return first && `${first.path || 'params'} ${first.message}`;
}
