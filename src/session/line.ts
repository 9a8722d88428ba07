/**
 * Tells what one line from a Tick is, and what a response says (tick section 4, steps 3 to 10). It
 * knows nothing of what was asked.
 */

import { exceeds, parseLine } from '../protocol/json.ts';
import type { Limits } from '../protocol/limits.ts';
import { type ErrorObject, type Json, type JsonObject, methods } from '../protocol/messages.ts';
import { isInteger, isObject } from './shape.ts';

export type Line =
  | { kind: 'violation'; requirement: string; message: string }
  | { kind: 'update'; params: Json | undefined }
  | { kind: 'ignored' }
  | { kind: 'response'; id: number; message: JsonObject };

/** What a response says. `malformed`: it came, but cannot be used; a call may have had its effect. */
export type Answer =
  | { kind: 'result'; result: Json; lineBytes: number }
  | { kind: 'error'; error: ErrorObject }
  | { kind: 'malformed'; reason: string; requirement?: string };

const quotedBytes = 60;

export function readLine(bytes: Buffer): Line {
  const parsed = parseLine(bytes);
  if (!parsed.ok) return noMessage(bytes, `is not valid JSON: ${parsed.reason}`);
  const message = parsed.value;
  if (!isObject(message)) return noMessage(bytes, 'is not a JSON object');
  if (message.jsonrpc !== '2.0') return noMessage(bytes, 'does not say "jsonrpc":"2.0"');

  const { id, method } = message;
  if (typeof method === 'string') {
    // Anything else with a method is no violation: other notifications, even requests (tick H-3.2-1).
    if (method !== methods.update || (id !== undefined && id !== null)) return { kind: 'ignored' };
    return { kind: 'update', params: message.params };
  }
  if (!isInteger(id)) {
    const what = `The Tick wrote a line with neither a whole number as id nor a method: ${quote(bytes)}.`;
    return { kind: 'violation', requirement: 'H-3.6-1b', message: what };
  }
  return { kind: 'response', id, message };
}

/** @param lineBytes size of the line. */
export function readAnswer(message: JsonObject, limits: Limits, lineBytes: number): Answer {
  const { result, error } = message;
  if (result === undefined && error === undefined) {
    return { kind: 'malformed', reason: 'it has neither result nor error', requirement: 'H-3.6-2a' };
  }
  if (result !== undefined && error !== undefined) {
    return { kind: 'malformed', reason: 'it has both result and error', requirement: 'H-3.6-2a' };
  }
  if (result !== undefined) {
    if (exceeds(result, limits.resultBytes, lineBytes)) {
      const reason = `its result is larger than ${limits.resultBytes} bytes`;
      return { kind: 'malformed', reason, requirement: 'H-3.6-2c' };
    }
    return { kind: 'result', result, lineBytes };
  }
  if (!isObject(error) || !isInteger(error.code) || typeof error.message !== 'string') {
    return { kind: 'malformed', reason: 'its error has no whole number as code, or no text as message' };
  }
  const { code, message: text, data } = error;
  return {
    kind: 'error',
    error: data === undefined ? { code, message: text } : { code, message: text, data },
  };
}

/** By far the most frequent cause is a stray print, so the message says where such output may go. */
function noMessage(bytes: Buffer, what: string): Line {
  const message =
    `The Tick wrote a line to its standard output that ${what}. The line begins ${quote(bytes)}. ` +
    'Only protocol messages may go there; print to standard error or to a log file.';
  return { kind: 'violation', requirement: 'H-3.6-1a', message };
}

function quote(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, quotedBytes).toString());
}
