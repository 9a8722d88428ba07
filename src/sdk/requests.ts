/**
 * Reads one line from the host as a request. Never answers: what is no request is dropped (tick T-3.2-6).
 */
import { parseLine } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/messages.ts';

export interface Request {
  id: number;
  method: string;
  params: JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for a line that cannot be parsed, has no usable id or is no JSON-RPC 2.0 request. */
export function parseRequest(line: Uint8Array): Request | undefined {
  const parsed = parseLine(line);
  if (!parsed.ok) return undefined;
  const message = parsed.value;
  if (!isObject(message) || message.jsonrpc !== '2.0') return undefined;
  const { id, method, params } = message;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) return undefined;
  if (typeof method !== 'string') return undefined;
  return { id, method, params: isObject(params) ? params : {} };
}
