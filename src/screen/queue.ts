/** Buffers queued in order and taken in pieces, without copying them. Never bounds itself: see `pendingBytes`. */
export class ByteQueue {
  #chunks: Buffer[] = [];
  /** The chunk in turn, and how much of it is taken. */
  #index = 0;
  #offset = 0;
  length = 0;

  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.length += bytes.length;
  }

  /** The next bytes: at least one, at most `max`, never across two chunks. Not for an empty queue. */
  take(max: number): Buffer {
    const chunk = this.#chunks[this.#index] as Buffer;
    const piece = chunk.subarray(this.#offset, this.#offset + max);
    this.#offset += piece.length;
    this.length -= piece.length;
    if (this.#offset === chunk.length) this.#next();
    return piece;
  }

  clear(): void {
    this.#chunks = [];
    this.#index = 0;
    this.#offset = 0;
    this.length = 0;
  }

  #next(): void {
    this.#offset = 0;
    this.#index++;
    // Shifting each time would cost the square of the chunks.
    if (this.length === 0 || this.#index >= 64) {
      this.#chunks = this.#chunks.slice(this.#index);
      this.#index = 0;
    }
  }
}
