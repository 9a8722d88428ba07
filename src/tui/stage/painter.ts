/**
 * When to paint: at once while little happens, at a steady pace while much does, and never before the
 * terminal has taken the last frame. Knows nothing of what a frame holds.
 */

import type { Terminal } from './terminal.ts';

/** A frame larger than this, in bytes, counts as much output. */
const smallFrame = 1024;

export class Painter {
  readonly #terminal: Terminal;
  readonly #nextFrame: () => Uint8Array | undefined;
  readonly #onPainted: (count: number) => void;
  readonly #frameMs: number;
  #count = 0;
  /** Something changed since the last frame was made. */
  #due = false;
  #writing = false;
  /** Counts writes, so that a lost one is not taken for the next. */
  #serial = 0;
  #disposed = false;
  /** `performance.now()` before which the next frame is not made; an urgent one may come at `#soonest`. */
  #notBefore = 0;
  #soonest = 0;
  #urgent = false;
  #scheduled: (() => void) | undefined;
  #controls = '';
  /** Waiting for a frame not yet made, and for the one being written. */
  #waiting: ((painted: boolean) => void)[] = [];
  #riding: ((painted: boolean) => void)[] = [];

  constructor(
    terminal: Terminal,
    nextFrame: () => Uint8Array | undefined,
    onPainted: (count: number) => void,
    frameMs = 16,
  ) {
    this.#terminal = terminal;
    this.#nextFrame = nextFrame;
    this.#onPainted = onPainted;
    this.#frameMs = frameMs;
  }

  get count(): number {
    return this.#count;
  }

  /** Something changed; urgent is what a person waits for, as the echo of a key beside much output. */
  request(urgent = false): void {
    this.#due = true;
    if (urgent && !this.#urgent) {
      this.#urgent = true;
      this.#cancel();
    }
    this.#schedule();
  }

  /** Goes out before the next frame. */
  control(sequence: string): void {
    this.#controls += sequence;
    this.request();
  }

  whenPainted(): Promise<boolean> {
    if (this.#disposed) return Promise.resolve(false);
    if (!this.#due && !this.#writing) return Promise.resolve(true);
    return new Promise((resolve) => (this.#due ? this.#waiting : this.#riding).push(resolve));
  }

  /** What was being written is lost, as after the terminal was given away: whoever waits for it waits on. */
  restart(): void {
    this.#serial++;
    this.#writing = false;
    this.#waiting.push(...this.#riding);
    this.#riding = [];
    this.request();
  }

  dispose(): void {
    this.#disposed = true;
    this.#cancel();
    for (const resolve of [...this.#riding, ...this.#waiting]) resolve(false);
    this.#riding = this.#waiting = [];
  }

  #schedule(): void {
    if (!this.#due || this.#writing || this.#disposed || this.#scheduled) return;
    const wait = (this.#urgent ? this.#soonest : this.#notBefore) - performance.now();
    if (wait > 0) {
      const timer = setTimeout(() => this.#paint(), Math.ceil(wait));
      this.#scheduled = () => clearTimeout(timer);
    } else {
      // After the events at hand: rows that arrive together are painted together.
      const immediate = setImmediate(() => this.#paint());
      this.#scheduled = () => clearImmediate(immediate);
    }
  }

  #cancel(): void {
    this.#scheduled?.();
    this.#scheduled = undefined;
  }

  #paint(): void {
    this.#scheduled = undefined;
    this.#due = false;
    this.#urgent = false;
    const started = performance.now();
    const frame = this.#nextFrame();
    const cost = performance.now() - started;
    // What is small or urgent may follow soon, yet painting takes at most a fifth of the time.
    const small = (frame?.length ?? 0) <= smallFrame;
    this.#soonest = started + Math.min(5 * cost, this.#frameMs);
    this.#notBefore = small ? this.#soonest : started + this.#frameMs;
    this.#riding.push(...this.#waiting);
    this.#waiting = [];
    const controls = this.#controls;
    this.#controls = '';
    if (!frame && controls === '') {
      this.#taken(false);
      return;
    }
    const bytes = controls ? Buffer.concat([Buffer.from(controls), frame ?? new Uint8Array(0)]) : frame!;
    this.#writing = true;
    const serial = ++this.#serial;
    this.#terminal.write(bytes, () => {
      if (serial === this.#serial) this.#taken(true);
    });
  }

  #taken(wrote: boolean): void {
    if (this.#disposed) return;
    this.#writing = false;
    if (wrote) this.#count++;
    const riding = this.#riding;
    this.#riding = [];
    for (const resolve of riding) resolve(true);
    if (wrote) this.#onPainted(this.#count);
    this.#schedule();
  }
}
