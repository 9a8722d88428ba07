/**
 * What happened where this view was not looking: screens that changed, bells that rang. Knows what was
 * looked at; says nothing about how it is marked.
 */
import type { Picture } from '../rpc/api/session.ts';

export type NewsKind = 'activity' | 'bell';

export class News {
  readonly #active = new Set<string>();
  #shown: ReadonlySet<string> = new Set();
  /** Bells so far, of the newest picture. */
  #bells = new Map<string, number>();
  /** Bells that had rung when the instance was last on the screen, and when it last had the focus. */
  readonly #seen = new Map<string, number>();
  readonly #answered = new Map<string, number>();

  accept({ instances }: Picture): void {
    this.#bells = new Map(instances.map(({ instance, bells }) => [instance, bells]));
    for (const gone of [...this.#seen.keys(), ...this.#active].filter((id) => !this.#bells.has(id))) {
      for (const known of [this.#active, this.#seen, this.#answered]) known.delete(gone);
    }
    // What rang before this view heard of the instance is not news.
    for (const [id, bells] of this.#bells) {
      if (this.#seen.has(id)) continue;
      this.#seen.set(id, bells);
      this.#answered.set(id, bells);
    }
  }

  /** The host says that these changed; what is on the screen by now was looked at. */
  changed(instances: readonly string[]): void {
    for (const id of instances) if (!this.#shown.has(id)) this.#active.add(id);
  }

  /** These are on the screen now, and `focused` has the focus. */
  look(shown: Iterable<string>, focused: string | undefined): void {
    this.#shown = new Set(shown);
    for (const id of this.#shown) {
      this.#active.delete(id);
      this.#seen.set(id, this.#bells.get(id) ?? 0);
    }
    if (focused !== undefined) this.#answered.set(focused, this.#bells.get(focused) ?? 0);
  }

  /** The strongest news of these since they were last on the screen. */
  of(instances: readonly string[]): NewsKind | undefined {
    if (instances.some((id) => (this.#bells.get(id) ?? 0) > (this.#seen.get(id) ?? 0))) return 'bell';
    return instances.some((id) => this.#active.has(id)) ? 'activity' : undefined;
  }

  /** Whether it rang since it last had the focus. */
  rang(instance: string): boolean {
    return (this.#bells.get(instance) ?? 0) > (this.#answered.get(instance) ?? 0);
  }
}
