/** JSON-RPC 2.0 envelopes: reads one line strictly, before anything looks at what is inside. */
import { type ParsedLine, parseLine } from '../protocol/json.ts';
import { rpcCodes } from './api/errors.ts';

export type RequestId = number | string;

export type Envelope =
  | { type: 'request'; id: RequestId; method: string; params: unknown }
  | { type: 'notification'; method: string; params: unknown }
  | { type: 'result'; id: RequestId; result: unknown }
  | { type: 'error'; id: RequestId | null; error: { code: number; message: string; data?: unknown } }
  | { type: 'bad'; code: number; message: string; id: RequestId | null };

/**
 * @param parse by default the strict one: what a client proposes must be encodable again exactly as
 * it was read, since that is what a person approves.
 */
export function readEnvelope(line: Buffer, parse: (line: Buffer) => ParsedLine = parseLine): Envelope {
  const parsed = parse(line);
  if (!parsed.ok) return bad(rpcCodes.parse, `The line is not a message: ${parsed.reason}.`);
  const { value } = parsed;
  if (Array.isArray(value))
    return bad(rpcCodes.invalidRequest, 'Batches are not supported: send one message a line.');
  if (typeof value !== 'object' || value === null) {
    return bad(rpcCodes.invalidRequest, 'A message is a JSON object.');
  }
  const message: Record<string, unknown> = value;
  const id = isId(message.id) ? message.id : null;
  if (message.jsonrpc !== '2.0') return bad(rpcCodes.invalidRequest, 'jsonrpc must be "2.0".', id);
  if (typeof message.method === 'string') {
    if (!('id' in message)) return { type: 'notification', method: message.method, params: message.params };
    if (id === null) return bad(rpcCodes.invalidRequest, 'id must be a whole number or a string.');
    return { type: 'request', id, method: message.method, params: message.params };
  }
  if ('method' in message) return bad(rpcCodes.invalidRequest, 'method must be a string.', id);
  if (id !== null && 'result' in message && !('error' in message)) {
    return { type: 'result', id, result: message.result };
  }
  if ('error' in message && !('result' in message)) {
    const error = message.error as { code?: unknown; message?: unknown; data?: unknown } | null;
    if (error && typeof error.code === 'number' && typeof error.message === 'string') {
      return { type: 'error', id, error: { code: error.code, message: error.message, data: error.data } };
    }
  }
  return bad(rpcCodes.invalidRequest, 'Neither a request nor a notification: method is missing.', id);
}

function bad(code: number, message: string, id: RequestId | null = null): Envelope {
  return { type: 'bad', code, message, id };
}

function isId(value: unknown): value is RequestId {
  return (
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && value.length <= 128)
  );
}

export function encode(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}
