/** Where a piece of UTF-8 output can be cut. Never decodes: that is the emulator's work. */

/**
 * How many bytes at the end begin a character that the next bytes may complete: 0 to 3.
 */
export function incompleteTail(bytes: Uint8Array): number {
  const reach = Math.min(3, bytes.length);
  for (let back = 1; back <= reach; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf8) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
