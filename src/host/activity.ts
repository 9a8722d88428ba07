/**
 * Tells one view which of the screens it does not show have changed since it did: each once, until it has
 * shown it again. However much is printed, nothing more is sent and hardly anything is done.
 */
import type { Instance } from './instance.ts';

/** From the first change to the word about it, in milliseconds; those between are told together. */
const gatherMs = 500;

export class Activity {
  readonly #tell: (instances: string[]) => void;
  readonly #told = new Set<string>();
  readonly #due = new Map<string, Instance>();
  /** What the view had of the screens it no longer shows. */
  readonly #seen = new Map<string, { screen: Instance['screen']; generation: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (instances: string[]) => void) {
    this.#tell = tell;
  }

  /** The screen of an instance that the view does not show may have changed. */
  drawn(instance: Instance): void {
    if (this.#told.has(instance.id)) return;
    this.#due.set(instance.id, instance);
    this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  shown(id: string): void {
    this.#told.delete(id);
    this.#due.delete(id);
    this.#seen.delete(id);
  }

  /** The view shows it no longer; `generation` is the last it drew. */
  hidden(id: string, screen: Instance['screen'], generation: number): void {
    this.#seen.set(id, { screen, generation });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#due.clear();
  }

  #flush(): void {
    this.#timer = undefined;
    const changed = [...this.#due.values()].filter(({ id, screen }) => {
      const seen = this.#seen.get(id);
      // Bytes that leave the picture as it was are nothing to look at.
      return seen?.screen !== screen || seen.generation !== screen.generation;
    });
    this.#due.clear();
    for (const { id } of changed) this.#told.add(id);
    if (changed.length > 0) this.#tell(changed.map(({ id }) => id));
  }
}
