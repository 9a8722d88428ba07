/**
 * Cuts the host's bytes into lines. Never interprets one; a line too long or not UTF-8 is left out.
 */

const newline = 0x0a;

/** Returns a function to feed chunks to; `onLine` gets each complete line without its newline. */
export function lineSplitter(maxBytes: number, onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Buffer[] = [];
  let size = 0;

  function finish(): void {
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    const tooLong = size > maxBytes;
    parts = [];
    size = 0;
    if (tooLong) return;
    let line: string;
    try {
      line = decoder.decode(bytes);
    } catch {
      return;
    }
    onLine(line);
  }

  function keep(part: Buffer): void {
    size += part.length;
    // An over-long line is counted to its end but not stored.
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  }

  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  };
}
