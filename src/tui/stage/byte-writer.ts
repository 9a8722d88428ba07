/**
 * A growing run of bytes for one frame, written piece by piece without strings in between.
 * Knows nothing of what the bytes mean.
 */

const decimals = Array.from({ length: 1000 }, (_, n) => String(n));

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  /** A copy of what was written, which stays valid while a slow terminal takes it. */
  take(): Uint8Array {
    const taken = Uint8Array.from(this.#bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  ascii(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) this.#bytes[this.length++] = text.charCodeAt(i);
  }

  number(n: number): void {
    this.ascii(decimals[n] ?? String(n));
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.length += this.#bytes.write(text, this.length, 'utf8');
  }

  codePoint(code: number): void {
    this.#reserve(4);
    const bytes = this.#bytes;
    if (code < 0x80) {
      bytes[this.length++] = code;
    } else if (code < 0x800) {
      bytes[this.length++] = 0xc0 | (code >> 6);
      bytes[this.length++] = 0x80 | (code & 63);
    } else if (code < 0x10000) {
      bytes[this.length++] = 0xe0 | (code >> 12);
      bytes[this.length++] = 0x80 | ((code >> 6) & 63);
      bytes[this.length++] = 0x80 | (code & 63);
    } else {
      bytes[this.length++] = 0xf0 | (code >> 18);
      bytes[this.length++] = 0x80 | ((code >> 12) & 63);
      bytes[this.length++] = 0x80 | ((code >> 6) & 63);
      bytes[this.length++] = 0x80 | (code & 63);
    }
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(this.#bytes.length * 2 + more);
    this.#bytes.copy(grown, 0, 0, this.length);
    this.#bytes = grown;
  }
}
