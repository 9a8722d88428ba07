/** Callbacks for one event. Never keeps one after it was removed, and never lets one stop the others' turn. */
export class Listeners<T extends unknown[]> {
  readonly #listeners = new Set<(...values: T) => void>();

  /** Returns what removes the listener again. */
  add(listener: (...values: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(...values: T): void {
    for (const listener of [...this.#listeners]) listener(...values);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
