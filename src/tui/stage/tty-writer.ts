/**
 * Writes to a terminal's descriptor without ever blocking, and knows how much of a frame has got out.
 * A stream of Node would keep the rest of a cut frame and write it after the terminal was given back.
 */

import { writeSync } from 'node:fs';

/** Milliseconds between two tries on a terminal that takes nothing; doubles up to the second. */
const firstWait = 1;
const longestWait = 8;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

export class TtyWriter {
  readonly #fd: number;
  #rest: Uint8Array | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `fd` must be non-blocking. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  /** One at a time: the next only after `taken`, which comes when the kernel has all bytes, never at once. */
  write(bytes: Uint8Array, taken: () => void): void {
    this.#rest = bytes;
    this.#push(taken, firstWait);
  }

  /** Drops what has not got out. True: something was cut, perhaps in the middle of a sequence. */
  abort(): boolean {
    clearTimeout(this.#timer);
    const cut = this.#rest !== undefined;
    this.#rest = undefined;
    return cut;
  }

  /** Writes at once, waiting at most `ms` for a terminal that takes nothing; gives up silently after that. */
  writeNow(text: string, ms: number): void {
    let rest: Uint8Array = Buffer.from(text);
    const end = Date.now() + ms;
    for (;;) {
      const left = this.#try(rest);
      if (left === undefined || left.length === 0 || Date.now() > end) return;
      if (left.length === rest.length) Atomics.wait(sleeper, 0, 0, 5);
      rest = left;
    }
  }

  #push(taken: () => void, wait: number): void {
    const before = this.#rest;
    if (!before) return;
    const left = this.#try(before);
    // Gone: nothing is ever taken again; the hang-up that follows ends the process.
    if (left === undefined) return;
    if (left.length > 0) {
      this.#rest = left;
      const next = left.length < before.length ? firstWait : Math.min(wait * 2, longestWait);
      this.#timer = setTimeout(() => this.#push(taken, next), wait);
      return;
    }
    this.#rest = undefined;
    setImmediate(taken);
  }

  /** What is left of the bytes; undefined when the terminal is gone. */
  #try(bytes: Uint8Array): Uint8Array | undefined {
    let from = 0;
    try {
      while (from < bytes.length) from += writeSync(this.#fd, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return undefined;
    }
    return bytes.subarray(from);
  }
}
