/**
 * Newline framing for the host's sockets. Unlike the Tick's pipe, a socket survives a line that is
 * too long: the rest of that line is dropped and the reader goes on behind its newline.
 */

/** Longest line either side may send, in bytes, without its newline. */
export const lineBytes = 16 * 1024 * 1024;

export class LineReader {
  readonly #limit: number;
  #pending: Buffer[] = [];
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
      const end = newline === -1 ? chunk.length : newline;
      this.#take(chunk.subarray(from, end));
      if (newline === -1) break;
      lines.push(this.#finish());
      from = newline + 1;
    }
    return lines;
  }

  #take(part: Buffer): void {
    if (this.#skipping) return;
    if (this.#size + part.length > this.#limit) {
      this.#skipping = true;
      this.#pending = [];
      this.#size = 0;
      return;
    }
    if (part.length > 0) this.#pending.push(part);
    this.#size += part.length;
  }

  #finish(): Buffer | undefined {
    const line = this.#skipping
      ? undefined
      : this.#pending.length === 1
        ? this.#pending[0]
        : Buffer.concat(this.#pending);
    this.#skipping = false;
    this.#pending = [];
    this.#size = 0;
    return line;
  }
}
