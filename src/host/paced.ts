/** Calls back at once, then at most so often, and once more when something came meanwhile. */
export class Paced {
  readonly #callback: () => void;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #again = false;

  constructor(everyMs: number, callback: () => void) {
    this.#everyMs = everyMs;
    this.#callback = callback;
  }

  call(): void {
    if (this.#timer) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#again) this.call();
    }, this.#everyMs);
    this.#callback();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
