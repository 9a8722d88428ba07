/**
 * Newline framing for the host's sockets. Unlike the Tick's pipe, a socket survives a line that is
 * too long: the rest of that line is dropped and the reader goes on behind its newline.
 */

/** Longest line either side may send, in bytes, without its newline. */
export const lineBytes = 16 * 1024 * 1024;

const smallestBuffer = 1024;

export class LineReader {
  readonly #limit: number;
  /** One growing buffer instead of a list of chunks: a line sent byte by byte must not cost an object a byte. */
  #pending: Buffer = Buffer.alloc(0);
  #size = 0;
  #skipping = false;

  constructor(limit = lineBytes) {
    this.#limit = limit;
  }

  /** Whole lines in `chunk` and what came before it; `undefined` stands for a line that was too long. */
  push(chunk: Buffer): (Buffer | undefined)[] {
    const lines: (Buffer | undefined)[] = [];
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(10, from);
      const part = chunk.subarray(from, newline === -1 ? chunk.length : newline);
      if (newline === -1) {
        this.#keep(part);
        break;
      }
      lines.push(this.#finish(part));
      from = newline + 1;
    }
    return lines;
  }

  #keep(part: Buffer): void {
    const needed = this.#size + part.length;
    if (this.#skipping || needed > this.#limit) {
      this.#skipping = true;
      this.#pending = Buffer.alloc(0);
      this.#size = 0;
      return;
    }
    if (needed > this.#pending.length) {
      const roomy = Math.min(Math.max(needed, 2 * this.#pending.length, smallestBuffer), this.#limit);
      const larger = Buffer.allocUnsafeSlow(roomy);
      this.#pending.copy(larger, 0, 0, this.#size);
      this.#pending = larger;
    }
    part.copy(this.#pending, this.#size);
    this.#size = needed;
  }

  #finish(part: Buffer): Buffer | undefined {
    // Nearly always a line comes in one piece, which is not copied.
    const whole = this.#size === 0 && !this.#skipping && part.length <= this.#limit;
    if (!whole) this.#keep(part);
    const line = whole ? part : this.#skipping ? undefined : this.#pending.subarray(0, this.#size);
    this.#pending = Buffer.alloc(0);
    this.#size = 0;
    this.#skipping = false;
    return line;
  }
}
