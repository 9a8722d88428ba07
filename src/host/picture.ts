/** Sends the newest complete picture of the session to every attached view; those between are skipped. */
import { changed, type Picture } from '../rpc/api/session.ts';
import type { View, Views } from './views.ts';

/** Shortest time between two pictures, in milliseconds; the first after a quiet time goes at once. */
const everyMs = 30;

export class PictureSender {
  readonly #views: Views;
  readonly #draw: () => Picture;
  readonly #waiting = new WeakSet<View>();
  #timer: NodeJS.Timeout | undefined;
  #lastAt = 0;
  #stopped = false;

  constructor(views: Views, draw: () => Picture) {
    this.#views = views;
    this.#draw = draw;
  }

  /** Something in the picture changed. */
  changed(): void {
    if (this.#timer || this.#stopped) return;
    const wait = Math.max(0, this.#lastAt + everyMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lastAt = performance.now();
      this.#send(this.#views.all());
    }, wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped = true;
  }

  #send(views: View[]): void {
    if (views.length === 0) return;
    const picture = this.#draw();
    for (const view of views) {
      if (!view.outlet.congested) {
        view.outlet.notify(changed, picture);
      } else if (!this.#waiting.has(view)) {
        this.#waiting.add(view);
        view.outlet.whenDrained(() => {
          this.#waiting.delete(view);
          this.changed();
        });
      }
    }
  }
}
