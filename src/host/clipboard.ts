/**
 * Tells one view what the program in its focused pane put on the clipboard: the newest at a bounded pace, so
 * that a program which copies without end costs next to nothing. Keeps no text longer than until it is told.
 */
import { Paced } from './paced.ts';

/** Between two copies that a view is told, in milliseconds. */
const everyMs = 200;

export class Clipboard {
  readonly #paced: Paced;
  #newest: { instance: string; text: string } | undefined;

  constructor(tell: (copied: { instance: string; text: string }) => void) {
    this.#paced = new Paced(everyMs, () => {
      const copied = this.#newest;
      this.#newest = undefined;
      if (copied) tell(copied);
    });
  }

  copied(instance: string, text: string): void {
    this.#newest = { instance, text };
    this.#paced.call();
  }

  close(): void {
    this.#paced.stop();
  }
}
