/**
 * Turns values into protocol lines that a strict host can take. Never decides what is sent.
 */
import type { Json } from '../protocol/messages.ts';

/** Compact JSON without line breaks; undefined becomes null. Throws what `JSON.stringify` throws. */
export function encode(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (!text.includes('\\ud')) return text;
  // Half a surrogate pair is legal JSON that a host cannot encode again: it would end the session. A pair
  // of backslashes is matched first, so that a string holding the characters \ud800 stays as it is.
  return text.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (part) => (part === '\\\\' ? part : '\ufffd'));
}

/** Bytes of UTF-8, the measure of every limit (tick 2.3). */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** A response that carries an already encoded result, which is thus encoded and measured once. */
export function resultLine(id: number, encodedResult: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${encodedResult}}\n`;
}

export function errorLine(id: number, code: number, message: string, data?: Json): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  return `{"jsonrpc":"2.0","id":${id},"error":${encode(error)}}\n`;
}
