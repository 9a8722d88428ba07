/** Tells programs that asked for it (mode 1004) when their pane gains or loses the focus. */
import { operatorApi } from '../../rpc/api/index.ts';
import type { Client } from '../../rpc/client.ts';
import type { Grids } from './grids.ts';

export class FocusReports {
  readonly #client: Client;
  readonly #grids: Grids;
  #focused: string | undefined;

  constructor(client: Client, grids: Grids) {
    this.#client = client;
    this.#grids = grids;
  }

  /** Call it before the grids of what is no longer shown are dropped. */
  focus(instance: string | undefined): void {
    if (instance === this.#focused) return;
    this.#report(this.#focused, '\x1b[O');
    this.#focused = instance;
    this.#report(instance, '\x1b[I');
  }

  #report(instance: string | undefined, report: string): void {
    if (instance === undefined || !this.#grids.get(instance)?.modes.focusEvents) return;
    this.#client.notify(operatorApi.type, { instance, base64: Buffer.from(report).toString('base64') });
  }
}
