/**
 * Strict reading of one line, and the size of a value on the wire. It knows JSON and UTF-8 only:
 * what a message must hold belongs to whoever asked for it.
 */

import type { Json } from './messages.ts';

export type ParsedLine = { ok: true; value: Json } | { ok: false; reason: string };

/** Levels of arrays and objects; encoders that recurse would fail on much more (RFC 8259, section 9). */
const deepestNesting = 512;
/** A number of fewer digits and no exponent of three digits cannot leave the range of a double. */
const harmlessDigits = 300;

/**
 * The most bytes that compact re-encoding makes of one byte of a parsed text, rounded up: the four
 * bytes `1e20` become the 21 of `100000000000000000000`.
 */
export const largestGrowth = 6;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses one line without its newline: UTF-8, exactly one JSON value. Refused are a byte-order mark,
 * an empty line, and what could not be encoded again: lone surrogate escapes, numbers beyond the
 * range of a double, more than 512 levels of nesting. A trailing carriage return is white space.
 */
export function parseLine(bytes: Uint8Array): ParsedLine {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { ok: false, reason: 'it is not UTF-8' };
  }
  if (text.startsWith('\uFEFF')) return { ok: false, reason: 'it begins with a byte-order mark' };
  if (text.trim() === '') return { ok: false, reason: 'it is empty' };

  const found = scan(bytes);
  if (found.nesting > deepestNesting) {
    return { ok: false, reason: `it nests deeper than ${deepestNesting} levels` };
  }
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'it is not JSON' };
  }
  const trouble = found.suspicious ? unencodable(value) : undefined;
  return trouble === undefined ? { ok: true, value } : { ok: false, reason: trouble };
}

/** Bytes of `value` as compact JSON in UTF-8; infinite for what JSON cannot carry. */
export function encodedSize(value: unknown): number {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? Number.POSITIVE_INFINITY : Buffer.byteLength(text);
}

/**
 * Whether `value` re-encodes to more than `limit` bytes (exactly `limit` is allowed). Most messages
 * are so small that the answer needs no encoding.
 *
 * @param sourceBytes size of the text that `value` was parsed from, or of one that holds it.
 */
export function exceeds(value: unknown, limit: number, sourceBytes: number): boolean {
  return sourceBytes * largestGrowth > limit && encodedSize(value) > limit;
}

/**
 * One pass over the bytes, so that the walk over the parsed value is made only for the rare line
 * that needs it.
 */
function scan(bytes: Uint8Array): { nesting: number; suspicious: boolean } {
  let depth = 0;
  let nesting = 0;
  let suspicious = false;
  let digits = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (inString) {
      if (byte === 0x22) inString = false;
      else if (byte === 0x5c) {
        i++;
        if (bytes[i] === 0x75 && (bytes[i + 1]! | 0x20) === 0x64) suspicious = true; // \ud.. or \uD..
      }
      continue;
    }
    if (byte >= 0x30 && byte <= 0x39) {
      digits++;
      if (digits > harmlessDigits) suspicious = true;
      continue;
    }
    if (digits > 0 && (byte | 0x20) === 0x65) suspicious = true; // an exponent
    digits = 0;
    if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) nesting = Math.max(nesting, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return { nesting, suspicious };
}

const loneSurrogate = /\p{Surrogate}/u;

function unencodable(root: Json): string | undefined {
  const waiting: Json[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop()!;
    if (typeof value === 'string' && loneSurrogate.test(value)) return 'it holds a lone surrogate';
    if (typeof value === 'number' && !Number.isFinite(value)) return 'it holds a number beyond all range';
    if (value === null || typeof value !== 'object') continue;
    if (Array.isArray(value)) {
      for (const item of value) waiting.push(item);
      continue;
    }
    for (const [key, member] of Object.entries(value)) {
      if (loneSurrogate.test(key)) return 'it holds a lone surrogate';
      waiting.push(member);
    }
  }
  return undefined;
}
