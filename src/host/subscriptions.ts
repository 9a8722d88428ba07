/**
 * Subscriptions of one agent connection: the latest state of each subscribed instance, at most once
 * an interval, with the number of updates merged into it (tick H-8.3-1). They end with the connection.
 */

import * as api from '../rpc/api/agent.ts';
import type { Outlet } from '../rpc/api/connection.ts';
import { RpcError } from '../rpc/api/errors.ts';
import type { Instance } from './instance.ts';
import { type Trimmed, trimDelivery } from './trim.ts';

const defaultIntervalMs = 1_000;
const maxSubscriptions = 512;

/** What all agents share of a state: the cuts that were made of it. Gone with the state. */
const cuts = new WeakMap<object, Map<number, Trimmed>>();

interface Subscription {
  intervalMs: number;
  /** `updatesReceived` and incarnation at the last delivery. */
  delivered: number;
  incarnation: number;
  lastAt: number;
  timer: NodeJS.Timeout | undefined;
}

export class Subscriptions {
  readonly #outlet: Outlet;
  /** Told the seq that the agent has now seen. */
  readonly #seen: (instance: string, seq: number) => void;
  readonly #all = new Map<string, Subscription>();
  readonly #due = new Set<Instance>();

  constructor(outlet: Outlet, seen: (instance: string, seq: number) => void) {
    this.#outlet = outlet;
    this.#seen = seen;
  }

  /** Subscribes, or changes the interval; the present state is delivered at once. */
  subscribe(instance: Instance, intervalMs = defaultIntervalMs): void {
    if (!instance.session) throw new RpcError('refused', `${instance.id} is no Tick: it has no state.`);
    if (instance.status === 'ended') throw new RpcError('refused', `${instance.id} has ended.`);
    if (this.#all.size >= maxSubscriptions) {
      throw new RpcError('limit', `${maxSubscriptions} subscriptions are open on this connection already.`);
    }
    this.unsubscribe(instance.id);
    this.#all.set(instance.id, {
      intervalMs,
      delivered: instance.session.updatesReceived,
      incarnation: instance.incarnation,
      lastAt: 0,
      timer: undefined,
    });
    this.#deliver(instance);
  }

  unsubscribe(instance: string): boolean {
    clearTimeout(this.#all.get(instance)?.timer);
    return this.#all.delete(instance);
  }

  /** The instance has a newer state. */
  updated(instance: Instance): void {
    const subscription = this.#all.get(instance.id);
    if (!subscription || subscription.timer || this.#due.has(instance)) return;
    const wait = subscription.lastAt + subscription.intervalMs - Date.now();
    if (wait <= 0) {
      this.#deliver(instance);
      return;
    }
    subscription.timer = setTimeout(() => {
      subscription.timer = undefined;
      this.#deliver(instance);
    }, wait);
  }

  /** The instance ended; a restart is subscribed to anew. */
  ended(instance: Instance, how: string): void {
    const subscription = this.#all.get(instance.id);
    if (!subscription) return;
    this.unsubscribe(instance.id);
    this.#outlet.notify(api.tickUpdate, {
      instance: instance.id,
      merged: 0,
      interval_ms: subscription.intervalMs,
      ended: how,
    });
  }

  close(): void {
    for (const id of [...this.#all.keys()]) this.unsubscribe(id);
  }

  /** Everything that is due at the same moment is one delivery, and shares one budget. */
  #deliver(instance: Instance): void {
    this.#due.add(instance);
    if (this.#due.size === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#outlet.congested) {
      // The newest states win when the agent reads again.
      this.#outlet.whenDrained(() => this.#flush());
      return;
    }
    const due = [...this.#due].filter(({ id, session }) => this.#all.has(id) && session?.latest);
    this.#due.clear();
    const trimmed = trimDelivery(
      due.map(({ session }) => ({
        data: session?.latest?.state.data ?? null,
        series: session?.descriptor?.state?.series ?? [],
        known: cutsOf(session?.latest),
      })),
    );
    due.forEach((instance, index) => {
      this.#send(instance, trimmed[index] as Trimmed);
    });
  }

  #send(instance: Instance, { data, cut }: Trimmed): void {
    const subscription = this.#all.get(instance.id);
    const { session } = instance;
    const latest = session?.latest;
    if (!subscription || !session || !latest) return;
    const sameProgram = subscription.incarnation === instance.incarnation;
    const merged = session.updatesReceived - (sameProgram ? subscription.delivered : 0);
    subscription.delivered = session.updatesReceived;
    subscription.incarnation = instance.incarnation;
    subscription.lastAt = Date.now();
    this.#seen(instance.id, latest.state.seq);
    const recoverWith = session.descriptor?.recover_with;
    this.#outlet.notify(api.tickUpdate, {
      instance: instance.id,
      seq: latest.state.seq,
      data,
      at: latest.at,
      merged,
      interval_ms: subscription.intervalMs,
      ...(cut.length > 0 && { cut }),
      ...(recoverWith !== undefined && { recover_with: recoverWith }),
    });
  }
}

function cutsOf(state: object = {}): Map<number, Trimmed> {
  const known = cuts.get(state) ?? new Map<number, Trimmed>();
  cuts.set(state, known);
  return known;
}
