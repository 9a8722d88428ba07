/**
 * The requests of one session: which wait, which are in flight, when each is given up. It writes
 * lines to the Tick, each once, and knows nothing of what an answer must hold.
 */

import type { Writable } from 'node:stream';
import type { Limits } from '../protocol/limits.ts';
import type { Answer } from './line.ts';

/** How a request came to its end. Each request is settled exactly once. */
export type Settlement =
  | { how: 'answered'; answer: Answer }
  /** Nothing of it has left the host. */
  | { how: 'unsent'; reason: string }
  /** It was handed to the pipe, and no answer will be taken any more. */
  | { how: 'lost'; reason: string; requirement?: string };

export interface Request {
  readonly kind: 'query' | 'call';
  readonly method: string;
  /** Compact JSON of the params, put into the line as it is. */
  readonly params: string;
  /**
   * How long until it is given up, in ms: a query from the moment it was asked; a call from the
   * moment it was handed to the pipe, and as long before that.
   */
  readonly patience: number;
  /** The same for people, when it is not just that number. */
  readonly within?: string;
  /** Called right after the line was handed to the pipe. */
  onSent?(): void;
  /** Called while the line that settles it is handled, before the next line. */
  onSettled(settlement: Settlement): void;
}

interface Entry {
  readonly id: number;
  readonly request: Request;
  readonly line: Buffer;
  timer: NodeJS.Timeout | undefined;
  /** All of the line is in the pipe, and no longer in the stream's buffer. */
  written: boolean;
}

/** Requests that wait; beyond that a caller is told so instead of the host growing. */
const mostWaiting = 64;

export class Requests {
  readonly #stdin: Writable;
  readonly #limits: Limits;
  readonly #waiting: Entry[] = [];
  readonly #inFlight = new Map<number, Entry>();
  #lastId = 0;
  #closed: string | undefined;

  constructor(stdin: Writable, limits: Limits) {
    this.#stdin = stdin;
    this.#limits = limits;
    stdin.on('drain', () => this.#send());
    stdin.on('error', () => this.#giveUpUnwritten());
    stdin.on('close', () => this.#giveUpUnwritten());
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Sends `request` as soon as there is a slot and the pipe takes it. */
  ask(request: Request): void {
    const id = ++this.#lastId;
    const message = `{"jsonrpc":"2.0","id":${id},"method":"${request.method}","params":${request.params}}\n`;
    const entry: Entry = { id, request, line: Buffer.from(message), timer: undefined, written: false };
    const refusal = this.#refusal(entry);
    if (refusal !== undefined) {
      request.onSettled({ how: 'unsent', reason: refusal });
      return;
    }
    this.#waiting.push(entry);
    this.#giveUpAfter(entry);
    this.#send();
  }

  /** Settles the request that `id` answers; an answer to anything else is dropped (tick H-3.6-3). */
  answer(id: number, read: () => Answer): void {
    const entry = this.#inFlight.get(id);
    if (entry) this.#settle(entry, { how: 'answered', answer: read() });
  }

  /** Settles everything, and refuses what comes later. */
  close(reason: string, requirement?: string): void {
    this.#closed = reason;
    for (const entry of [...this.#inFlight.values()]) {
      this.#settle(
        entry,
        requirement === undefined ? { how: 'lost', reason } : { how: 'lost', reason, requirement },
      );
    }
    for (const entry of [...this.#waiting]) this.#settle(entry, { how: 'unsent', reason });
  }

  #refusal(entry: Entry): string | undefined {
    if (this.#closed !== undefined) return this.#closed;
    if (!this.#stdin.writable) return noInput;
    const bytes = entry.line.length - 1;
    if (bytes > this.#limits.lineBytes) {
      return `The request is ${bytes} bytes long; ${this.#limits.lineBytes} can be sent. Ask for less at once.`;
    }
    if (this.#waiting.length >= mostWaiting || this.#waitingBytes() + bytes > 2 * this.#limits.lineBytes) {
      return 'Too many requests to this Tick are waiting. Wait for some to be answered, then try again.';
    }
    return undefined;
  }

  #waitingBytes(): number {
    return this.#waiting.reduce((sum, entry) => sum + entry.line.length, 0);
  }

  /**
   * While the pipe is full nothing more is handed to it, so a Tick that never reads costs at most one
   * line beyond the stream's own buffer, however many requests are given up meanwhile.
   */
  #send(): void {
    while (this.#inFlight.size < this.#limits.requestsInFlight) {
      if (this.#closed !== undefined || !this.#stdin.writable || this.#stdin.writableNeedDrain) return;
      const entry = this.#takeNext();
      if (!entry) return;
      this.#inFlight.set(entry.id, entry);
      if (entry.request.kind === 'call') this.#giveUpAfter(entry);
      this.#stdin.write(entry.line, (error) => {
        entry.written = !error;
      });
      entry.request.onSent?.();
    }
  }

  /** Queries go ahead of calls, and calls leave slots for them (tick section 6, point 6). */
  #takeNext(): Entry | undefined {
    const calls = [...this.#inFlight.values()].filter(({ request }) => request.kind === 'call').length;
    let index = this.#waiting.findIndex(({ request }) => request.kind === 'query');
    if (index === -1 && calls < this.#limits.callsInFlight) index = 0;
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  #giveUpAfter(entry: Entry): void {
    clearTimeout(entry.timer);
    const { method, patience, within = seconds(patience) } = entry.request;
    entry.timer = setTimeout(() => {
      const sent = this.#inFlight.has(entry.id);
      const what = `${method} was not ${sent ? 'answered' : 'sent'} within ${within}`;
      this.#settle(
        entry,
        sent
          ? { how: 'lost', reason: `${what}.` }
          : {
              how: 'unsent',
              reason: `${what}: the Tick does not read its input, or earlier calls take too long.`,
            },
      );
    }, patience);
  }

  #settle(entry: Entry, settlement: Settlement): void {
    const index = this.#waiting.indexOf(entry);
    if (index !== -1) this.#waiting.splice(index, 1);
    // A callback of another request may have brought about its end meanwhile.
    else if (!this.#inFlight.delete(entry.id)) return;
    clearTimeout(entry.timer);
    entry.request.onSettled(settlement);
    this.#send();
  }

  /** The pipe is gone. What went through it before may still be answered. */
  #giveUpUnwritten(): void {
    for (const entry of [...this.#waiting]) this.#settle(entry, { how: 'unsent', reason: noInput });
    for (const entry of [...this.#inFlight.values()]) {
      if (!entry.written) this.#settle(entry, { how: 'lost', reason: noInput });
    }
  }
}

const noInput = 'The Tick has closed its standard input, so nothing can be asked of it. Restart it.';

export function seconds(milliseconds: number): string {
  return milliseconds >= 1000 ? `${Math.round(milliseconds / 100) / 10} s` : `${Math.ceil(milliseconds)} ms`;
}
