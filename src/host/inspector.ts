/**
 * What one connection inspects: the state of a single instance, sent whenever it changes, the newest
 * one winning. What it marks as changed is relative to what this connection was sent before.
 */
import { brief } from '../protocol/brief.ts';
import type { Json } from '../protocol/messages.ts';
import type { Outlet } from '../rpc/api/connection.ts';
import * as api from '../rpc/api/instances.ts';
import { changedPointers } from './changes.ts';
import type { Instance } from './instance.ts';

const everyMs = 50;

export class Inspector {
  readonly #outlet: Outlet;
  #instance: Instance | undefined;
  #session: Instance['session'];
  #before: Json | undefined;
  #updatesBefore = 0;
  #changed: string[] = [];
  #merged = 0;
  #seq: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = 0;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** Looks at another instance, or at none; gives the present picture of it. */
  inspect(instance: Instance | undefined): api.Inspection | null {
    this.close();
    this.#instance = instance;
    this.#forget();
    return instance ? this.#take(instance) : null;
  }

  /** Something about an instance changed: its state, its catalogue, its program. */
  changed(instance: Instance): void {
    if (instance !== this.#instance || this.#timer) return;
    const wait = Math.max(0, this.#lastAt + everyMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#outlet.congested) {
        this.#outlet.whenDrained(() => this.changed(instance));
        return;
      }
      this.#lastAt = performance.now();
      this.#outlet.notify(api.inspected, this.#take(instance));
    }, wait);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#instance = undefined;
  }

  #forget(): void {
    this.#session = undefined;
    this.#before = undefined;
    this.#changed = [];
    this.#merged = 0;
    this.#seq = undefined;
  }

  #take(instance: Instance): api.Inspection {
    const { session } = instance;
    if (session !== this.#session) this.#forget();
    this.#session = session;
    const latest = session?.latest;
    const updates = session?.updatesReceived ?? 0;
    // The marks stay until the next update: a change of the catalogue alone does not take them away.
    if (latest && latest.state.seq !== this.#seq) {
      this.#changed = changedPointers(this.#before, latest.state.data);
      this.#merged = this.#before === undefined ? 0 : updates - this.#updatesBefore;
      this.#before = latest.state.data;
      this.#seq = latest.state.seq;
      this.#updatesBefore = updates;
    }
    const inspection: api.Inspection = {
      instance: instance.id,
      changed: this.#changed,
      merged: this.#merged,
      updates,
    };
    if (session?.descriptor) inspection.descriptor = session.descriptor;
    if (latest) {
      const { seq, data } = latest.state;
      inspection.state = { seq, data, at: latest.at, received_at: latest.receivedAt };
    }
    const note = noteOn(instance);
    if (note) inspection.note = note;
    return inspection;
  }
}

function noteOn(instance: Instance): string | undefined {
  if (!instance.spec.hosted) return 'An ordinary program: it has a screen, and no state or tools.';
  if (instance.status === 'ended') return `The program ${instance.endedHow}.`;
  const tool = instance.catalogue.brokenPromise;
  return (
    tool && `This Tick changed the declaration of ${JSON.stringify(brief(tool, 100))} without a new revision.`
  );
}
