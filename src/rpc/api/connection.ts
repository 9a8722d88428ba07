/**
 * What the two ends of a connection look like to the code behind them. The host implements
 * {@link Handlers} and speaks through an {@link Outlet}; it never sees a socket.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import type { Api, NotificationMessage, RequestMessage } from './message.ts';

/** The request being answered. */
export interface RequestContext {
  /** Aborts when the client cancels the request or its connection ends. */
  readonly signal: AbortSignal;
}

type Handler<M> =
  M extends RequestMessage<infer P, infer R>
    ? (params: Static<P>, request: RequestContext) => Static<R> | Promise<Static<R>>
    : M extends NotificationMessage<infer P, 'client'>
      ? (params: Static<P>) => void
      : never;

/** A function for every message a client may send, by the message's name in the api. */
export type Handlers<A extends Api> = {
  readonly [K in keyof A as A[K] extends NotificationMessage<TSchema, 'client'> | RequestMessage
    ? K
    : never]: Handler<A[K]>;
};

/** The host's way to a client. */
export interface Outlet {
  /** Sends a notification; after the connection ended it does nothing. */
  notify<P extends TSchema>(message: NotificationMessage<P, 'host'>, params: Static<P>): void;
  /** The client is not reading: send only what cannot be skipped. */
  readonly congested: boolean;
  /** Calls back once, when the client has read what was sent so far. */
  whenDrained(callback: () => void): void;
  /** Ends the connection. */
  close(): void;
}

/** One end's answer to a new connection: its handlers, and what to do when it is over. */
export interface Accepted<A extends Api> {
  readonly handlers: Handlers<A>;
  closed(): void;
}
