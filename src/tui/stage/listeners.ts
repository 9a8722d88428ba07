/** Those who want to hear of one kind of event. Owns the list, not what is said. */
export class Listeners<T> {
  #listeners: ((value: T) => void)[] = [];

  /** Returns the way to stop. */
  add(listener: (value: T) => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  emit(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  clear(): void {
    this.#listeners = [];
  }
}
