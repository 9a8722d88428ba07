/** The call slots of one instance: at most so many calls on their way, first come first served. */
export class Slots {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Settles when a slot is yours; call what it gives you, once, to return it. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    let returned = false;
    return () => {
      if (returned) return;
      returned = true;
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    };
  }
}
