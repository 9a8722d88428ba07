/**
 * Whether a person stopped all dispatching. Withdraws nothing and decides nothing: what was approved waits, as long
 * as nobody resumes, over restarts of the host too.
 */
import type { Stopped } from '../rpc/api/session.ts';
import type { Journal } from './journal.ts';
import type { SessionLog } from './log.ts';

export interface PanicOptions {
  journal: Journal;
  log: SessionLog;
  /** As an earlier host left it. */
  stopped: Stopped | undefined;
  /** It was stopped or resumed. */
  changed: () => void;
}

export class Panic {
  readonly #options: PanicOptions;
  #stopped: Stopped | undefined;
  #waiting: (() => void)[] = [];

  constructor(options: PanicOptions) {
    this.#options = options;
    this.#stopped = options.stopped;
  }

  /** By whom and since when. */
  get stopped(): Stopped | undefined {
    return this.#stopped;
  }

  /** Counts at once, whether or not it can be recorded. */
  stop(by: string): void {
    if (this.#stopped) return;
    this.#stopped = { by, at: Date.now() };
    this.#say(by, true);
  }

  resume(by: string): void {
    if (!this.#stopped) return;
    this.#stopped = undefined;
    this.#say(by, false);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** Settles when nothing is stopped, at once if so. */
  async over(): Promise<void> {
    while (this.#stopped) await new Promise<void>((go) => this.#waiting.push(go));
  }

  #say(by: string, stopped: boolean): void {
    const { journal, log, changed } = this.#options;
    // The journal reports its own failure, and while it fails nothing is dispatched anyway.
    journal.append('panic', { stopped, by }).catch(() => {});
    log.warn(`${by} ${stopped ? 'stopped all dispatching' : 'lets calls be dispatched again'}`);
    changed();
  }
}
