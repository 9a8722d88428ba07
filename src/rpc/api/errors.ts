/**
 * Errors of the host's API. A request is refused with one of these; how a call ended is never an
 * error but a report (see `calls.ts`).
 */

/** JSON-RPC error codes: the standard ones, and ours above -32100. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** An id that names nothing (instance, call, pane, tab). */
  notFound: -32101,
  /** The request makes no sense in the present state of the thing it names. */
  refused: -32102,
  /** The digest shown is not the digest held: look again. */
  changed: -32103,
  /** Somebody or something else settled the call first. */
  decided: -32104,
  /** This connection may not do that. */
  forbidden: -32105,
  /** A limit of the host: waiting calls, size, rate. */
  limit: -32106,
} as const;

export type RpcErrorName = keyof typeof rpcCodes;

/** Thrown by handlers to refuse a request, and by the client when one was refused. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(name: RpcErrorName | number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = typeof name === 'number' ? name : rpcCodes[name];
    this.data = data;
  }

  is(name: RpcErrorName): boolean {
    return this.code === rpcCodes[name];
  }
}
