/**
 * Large results of settled calls: callers may ask for them for long, and a thousand of eight megabytes each would be
 * the end of the host. Keeps the newest that fit together; knows no journal, in which no result stands.
 */
import { brief } from '../protocol/brief.ts';
import { encodedSize } from '../protocol/json.ts';
import type { Call } from './call.ts';

/** Smaller ones are not counted, in bytes as JSON. */
const largeBytes = 64 * 1024;
const mostBytes = 64 * 1024 * 1024;
/** Nothing is let go before whoever waits for it has had time to be told, in milliseconds. */
const tellingMs = 60_000;

export class Results {
  readonly #most: number;
  readonly #now: () => number;
  readonly #large: { call: Call; bytes: number; at: number }[] = [];
  #bytes = 0;

  /** @param now a clock in milliseconds */
  constructor(most = mostBytes, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /** A call has its outcome. The oldest give way: their state stays, and words say where the result is. */
  keep(call: Call): void {
    const bytes = encodedSize([call.result ?? null, call.error ?? null]);
    if (bytes < largeBytes) return;
    const now = this.#now();
    this.#large.push({ call, bytes, at: now });
    this.#bytes += bytes;
    for (let oldest = this.#large[0]; oldest && this.#bytes > this.#most; oldest = this.#large[0]) {
      if (now - oldest.at < tellingMs) return;
      this.#large.shift();
      this.#bytes -= oldest.bytes;
      letGo(oldest.call);
    }
  }
}

function letGo(call: Call): void {
  call.result = undefined;
  if (call.error) call.error = { ...call.error, message: brief(call.error.message), data: undefined };
  call.words = 'its result was large, and was kept only for a while: ask the Tick for its state';
}
