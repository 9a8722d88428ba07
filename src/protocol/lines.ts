/**
 * Cuts a stream of bytes into lines at U+000A (tick B-3.1-1) and counts bytes while it does.
 * It never decodes, and never holds more than one unfinished line of at most `limit` bytes.
 */

const newline = 0x0a;
const smallestBuffer = 1024;

/**
 * U+2028 and U+2029 are legal inside JSON and end no line here; neither does a carriage return,
 * which JSON counts as white space.
 */
export class LineSplitter {
  readonly #limit: number;
  /** One growing buffer instead of a list of chunks: a line sent byte by byte must not cost an object a byte. */
  #pending: Buffer = Buffer.alloc(0);
  #used = 0;
  #overflowed = false;

  /** @param limit most bytes a line may have, without its newline; exactly `limit` is allowed. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes received since the last newline: output that ends while this is above 0 ends without a newline. */
  get pendingBytes(): number {
    return this.#used;
  }

  /** True from the first byte beyond the limit on, even before a newline arrives. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /**
   * @returns the lines that `chunk` completes, without their newlines. When a line grows beyond the
   * limit, the lines before it are returned, `overflowed` turns true, and nothing is taken any more.
   */
  push(chunk: Uint8Array): Buffer[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    while (!this.#overflowed && start < bytes.length) {
      const end = bytes.indexOf(newline, start);
      const piece = bytes.subarray(start, end === -1 ? bytes.length : end);
      if (this.#used + piece.length > this.#limit) {
        this.#overflowed = true;
        this.#pending = Buffer.alloc(0);
      } else if (end === -1) {
        this.#keep(piece);
        break;
      } else {
        lines.push(this.#finish(piece));
      }
      start = end + 1;
    }
    return lines;
  }

  #finish(piece: Buffer): Buffer {
    if (this.#used === 0) return piece;
    this.#keep(piece);
    const line = this.#pending.subarray(0, this.#used);
    this.#pending = Buffer.alloc(0);
    this.#used = 0;
    return line;
  }

  #keep(piece: Buffer): void {
    const needed = this.#used + piece.length;
    if (needed > this.#pending.length) {
      const roomy = Math.min(Math.max(needed, 2 * this.#pending.length, smallestBuffer), this.#limit);
      const larger = Buffer.allocUnsafeSlow(roomy);
      this.#pending.copy(larger, 0, 0, this.#used);
      this.#pending = larger;
    }
    piece.copy(this.#pending, this.#used);
    this.#used = needed;
  }
}
