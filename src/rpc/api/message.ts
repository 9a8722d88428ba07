/**
 * How a message of the host's own API is declared: once, as a value that carries its method,
 * direction, schemas and documentation. Server, client and `docs/host-api.md` read that value;
 * the TypeScript types are inferred from it.
 */
import type { Static, TSchema } from '@sinclair/typebox';

export interface RequestMessage<P extends TSchema = TSchema, R extends TSchema = TSchema> {
  readonly type: 'request';
  readonly method: string;
  readonly doc: string;
  readonly params: P;
  readonly result: R;
}

export type Side = 'client' | 'host';

export interface NotificationMessage<P extends TSchema = TSchema, F extends Side = Side> {
  readonly type: 'notification';
  readonly from: F;
  readonly method: string;
  readonly doc: string;
  readonly params: P;
}

export type Message = RequestMessage | NotificationMessage;
export type Params<M extends { params: TSchema }> = Static<M['params']>;
export type Result<M extends { result: TSchema }> = Static<M['result']>;

/** A request a client sends and the host answers. */
export function request<P extends TSchema, R extends TSchema>(
  method: string,
  doc: string,
  params: P,
  result: R,
): RequestMessage<P, R> {
  return { type: 'request', method, doc, params, result };
}

/** A message without an answer. */
export function notification<P extends TSchema, F extends Side>(
  from: F,
  method: string,
  doc: string,
  params: P,
): NotificationMessage<P, F> {
  return { type: 'notification', from, method, doc, params };
}

/** One socket's whole vocabulary, by the name under which code uses each message. */
export type Api = Readonly<Record<string, Message>>;
