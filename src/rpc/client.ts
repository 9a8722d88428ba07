/** A client's end of one connection to the host: typed requests out, typed notifications in. */
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Static, TSchema } from '@sinclair/typebox';
import type { ParsedLine } from '../protocol/json.ts';
import type { Json } from '../protocol/messages.ts';
import { RpcError } from './api/errors.ts';
import type { NotificationMessage, RequestMessage } from './api/message.ts';
import { encode, readEnvelope } from './envelope.ts';
import { LineReader } from './lines.ts';

/** What a client may receive: pictures and frames are larger than what it may send. */
const answerBytes = 256 * 1024 * 1024;

/** The connection ended before an answer came. */
export class ConnectionEnded extends Error {
  constructor() {
    super('The connection to the host ended before it answered.');
    this.name = 'ConnectionEnded';
  }
}

export class Client {
  readonly #stream: Duplex;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #events = new EventEmitter();
  readonly #lines = new LineReader(answerBytes);
  #nextId = 1;
  #ended = false;
  /** Settles when the connection is over, however it ended. */
  readonly closed: Promise<void>;

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.closed = new Promise((resolve) => {
      const end = () => {
        this.#end();
        resolve();
      };
      stream.on('error', end);
      stream.on('end', end);
      stream.on('close', end);
    });
    stream.on('data', (chunk: Buffer) => {
      for (const line of this.#lines.push(chunk)) if (line) this.#receive(line);
    });
  }

  /** Sends a request. Rejects with an {@link RpcError} when refused; an aborted signal cancels it at the host. */
  request<P extends TSchema, R extends TSchema>(
    message: RequestMessage<P, R>,
    params: Static<P>,
    signal?: AbortSignal,
  ): Promise<Static<R>> {
    if (this.#ended) return Promise.reject(new ConnectionEnded());
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#stream.write(encode({ id, method: message.method, params }));
    const cancel = () => {
      if (!this.#ended) this.#stream.write(encode({ method: 'cancel', params: { id } }));
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<Static<R>>;
  }

  notify<P extends TSchema>(message: NotificationMessage<P, 'client'>, params: Static<P>): void {
    if (!this.#ended) this.#stream.write(encode({ method: message.method, params }));
  }

  /** Calls back for each notification; returns what undoes that. */
  on<P extends TSchema>(
    message: NotificationMessage<P, 'host'>,
    callback: (params: Static<P>) => void,
  ): () => void {
    this.#events.on(message.method, callback);
    return () => this.#events.off(message.method, callback);
  }

  close(): void {
    this.#stream.end();
    this.#end();
  }

  #receive(line: Buffer): void {
    const envelope = readEnvelope(line, parseOwn);
    if (envelope.type === 'notification') {
      // An emitter throws on "error" when nobody listens.
      if (this.#events.listenerCount(envelope.method)) this.#events.emit(envelope.method, envelope.params);
    } else if (envelope.type === 'result') {
      this.#settle(envelope.id)?.resolve(envelope.result);
    } else if (envelope.type === 'error') {
      const { code, message, data } = envelope.error;
      this.#settle(envelope.id)?.reject(new RpcError(code, message, data));
    }
  }

  #settle(id: number | string | null) {
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (typeof id === 'number') this.#pending.delete(id);
    return pending;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const { reject } of this.#pending.values()) reject(new ConnectionEnded());
    this.#pending.clear();
  }
}

/** The host wrote the line itself and may write long ones: no second pass over its bytes. */
function parseOwn(line: Buffer): ParsedLine {
  try {
    return { ok: true, value: JSON.parse(line.toString('utf8')) as Json };
  } catch (error) {
    return { ok: false, reason: String(error) };
  }
}
