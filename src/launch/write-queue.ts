/**
 * Writes to a terminal that may not take everything at once. It never blocks the event loop and never spins:
 * while the terminal is full it asks again after a growing pause.
 */
import { writeSync } from 'node:fs';
import { codeOf } from './errors.ts';

/** A write is refused while it would make more than this wait. */
const maximumPendingBytes = 8 * 1024 * 1024;
/** Written in one turn of the event loop; about a millisecond. */
const bytesPerTurn = 64 * 1024;
const firstPauseMs = 1;
const longestPauseMs = 32;

/** A queue before one non-blocking descriptor, which stays the caller's to close. */
export class WriteQueue {
  readonly #descriptor: number;
  readonly #waiting: Uint8Array[] = [];
  #pendingBytes = 0;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #closed = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Bytes accepted and not yet taken by the kernel. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** @returns false, with nothing taken, after the end or when too much waits already */
  write(bytes: Uint8Array): boolean {
    if (this.#closed || this.#pendingBytes + bytes.length > maximumPendingBytes) return false;
    if (bytes.length === 0) return true;
    this.#waiting.push(bytes);
    this.#pendingBytes += bytes.length;
    if (!this.#timer && !this.#immediate) this.#pump();
    return true;
  }

  /** Drops what waits; later writes are refused. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
    this.#pendingBytes = 0;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  #pump(): void {
    this.#timer = undefined;
    this.#immediate = undefined;
    let budget = bytesPerTurn;
    for (let chunk = this.#waiting[0]; chunk; chunk = this.#waiting[0]) {
      if (budget === 0) {
        this.#immediate = setImmediate(() => this.#pump());
        return;
      }
      let written: number;
      try {
        written = writeSync(this.#descriptor, chunk, 0, Math.min(chunk.length, budget));
      } catch (error) {
        // Anything but "full" means that the program's side is gone, which the reader reports as the end.
        if (codeOf(error) !== 'EAGAIN') {
          this.close();
          return;
        }
        written = 0;
      }
      if (written === 0) {
        this.#timer = setTimeout(() => this.#pump(), this.#pauseMs);
        this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
        return;
      }
      this.#pauseMs = firstPauseMs;
      this.#pendingBytes -= written;
      budget -= written;
      if (written === chunk.length) this.#waiting.shift();
      else this.#waiting[0] = chunk.subarray(written);
    }
  }
}
