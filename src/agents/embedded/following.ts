/**
 * The instances the rules are about: finds them by TickManage list, subscribes, and hands on each
 * state. It proposes nothing.
 */
import type { Json } from '../../protocol/messages.ts';
import { tickManage, tickRead, tickUpdate } from '../../rpc/api/agent.ts';
import { type Client, ConnectionEnded } from '../../rpc/client.ts';
import type { Clock } from './clock.ts';

/** How often the list of instances is asked for, and the shortest time between two updates, in ms. */
const listEvery = 2_000;
const updateEvery = 1_000;

export interface Listener {
  /** Whether any rule is about this instance. */
  wanted(instance: string, kind: string | undefined): boolean;
  /** An instance has a newer state; the first time it is new. */
  state(instance: string, kind: string | undefined, data: Json): void;
  ended(instance: string, how: string): void;
  trouble(instance: string, message: string): void;
}

interface Followed {
  readonly kind: string | undefined;
  seq: number;
}

/** Follows until the returned function is called or the connection ends. */
export function follow(client: Client, clock: Clock, listener: Listener): () => void {
  const followed = new Map<string, Followed>();
  /** Ended while a list was on its way: that list may still call them running. */
  const justEnded = new Set<string>();
  const failed = new Set<string>();
  let polling = false;
  let pollAgain = false;
  let stopped = false;
  let cancelTimer = () => {};

  const off = client.on(tickUpdate, ({ instance, seq, data, ended }) => {
    if (data !== undefined) take(instance, seq ?? 0, data);
    if (ended !== undefined) end(instance, ended);
  });

  function take(instance: string, seq: number, data: Json): void {
    const one = followed.get(instance);
    if (!one) return;
    one.seq = seq;
    listener.state(instance, one.kind, data);
  }

  function end(instance: string, how: string): void {
    if (!followed.delete(instance)) return;
    justEnded.add(instance);
    listener.ended(instance, how);
    if (polling) pollAgain = true;
    else schedule(0);
  }

  async function poll(): Promise<void> {
    justEnded.clear();
    const answer = await client.request(tickManage, { action: 'list' });
    if (!('instances' in answer)) return;
    const running = answer.instances.filter((one) => one.status === 'running');
    for (const instance of followed.keys()) {
      if (!running.some((one) => one.instance === instance)) end(instance, 'it is no longer there');
    }
    for (const { instance, kind } of running) {
      if (followed.has(instance) || justEnded.has(instance) || !listener.wanted(instance, kind)) continue;
      await subscribe(instance, kind).then(
        () => failed.delete(instance),
        (error: Error) => {
          followed.delete(instance);
          if (error instanceof ConnectionEnded) throw error;
          // The next poll tries again; saying so each time would fill the log.
          if (!failed.has(instance)) listener.trouble(instance, error.message);
          failed.add(instance);
        },
      );
    }
  }

  async function subscribe(instance: string, kind: string | undefined): Promise<void> {
    const one: Followed = { kind, seq: -1 };
    followed.set(instance, one);
    await client.request(tickManage, { action: 'subscribe', instance, interval_ms: updateEvery });
    // A Tick whose state never changes sends no update: ask once.
    const { seq, data } = await client.request(tickRead, { instance });
    if (!stopped && followed.get(instance) === one && seq > one.seq) take(instance, seq, data);
  }

  function schedule(ms: number): void {
    cancelTimer();
    if (stopped) return;
    cancelTimer = clock.after(ms, () => {
      polling = true;
      poll()
        .catch((error: Error) => {
          if (error instanceof ConnectionEnded) stopped = true;
          else listener.trouble('TickManage list', error.message);
        })
        .finally(() => {
          polling = false;
          schedule(pollAgain ? 0 : listEvery);
          pollAgain = false;
        });
    });
  }

  schedule(0);
  return () => {
    stopped = true;
    cancelTimer();
    off();
  };
}
