/**
 * Which instances are scrolled back in this view. Scrolling takes no keys from anybody: whoever types to the program sees
 * its screen again.
 */
import type { Clock } from '../clock.ts';
import { inside, type Rect } from '../panes/geometry.ts';
import type { Ui } from '../ui.ts';
import { CopyView } from './copy-view.ts';

/** How often it is looked how much was written since, in milliseconds. */
const countMs = 500;

export class Scrollback {
  readonly #ui: Ui;
  readonly #views = new Map<string, CopyView>();
  readonly #opening = new Map<string, Promise<CopyView | undefined>>();
  #cancelCount: ReturnType<Clock['delay']> | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  get(instance: string): CopyView | undefined {
    return this.#views.get(instance);
  }

  /** How far it is scrolled back, and how much was written since; undefined when it is not. */
  stateOf(instance: string): { up: number; fresh: number } | undefined {
    const view = this.#views.get(instance);
    return view && { up: view.room(this.rowsOf(instance)).down, fresh: view.fresh };
  }

  /** Scrolls what the panes of an instance show; past the end, its screen is shown again. Needs no mode. */
  async scroll(instance: string, by: number): Promise<void> {
    if (by > 0 && !this.#views.has(instance)) return;
    const view = await this.open(instance);
    if (!view) return;
    const rows = this.rowsOf(instance);
    view.scroll(by, rows);
    if (by > 0 && view.room(rows).down === 0 && !view.selection) this.close(instance);
  }

  /** The view of an instance, begun now if it is not scrolled back; undefined when it has gone. */
  open(instance: string): Promise<CopyView | undefined> {
    const view = this.#views.get(instance);
    if (view) return Promise.resolve(view);
    const opening = this.#opening.get(instance) ?? this.#begin(instance);
    this.#opening.set(instance, opening);
    return opening;
  }

  /** Its screen is shown again. */
  close(instance: string): void {
    if (!this.#views.delete(instance)) return;
    this.#ui.grids.replace(instance, undefined);
    this.#ui.refresh();
  }

  /** Rows of the pane that shows the instance. */
  rowsOf(instance: string): number {
    return this.placeOf(instance)?.rows ?? 1;
  }

  /** The inside of the pane that shows the instance: of several the one with the focus. */
  placeOf(instance: string): Rect | undefined {
    const { placed, view } = this.#ui;
    const panes = placed.filter((pane) => pane.instance === instance);
    const pane = panes.find(({ pane: id }) => id === view.focusedPane?.pane) ?? panes[0];
    return pane && inside(pane.rect);
  }

  async #begin(instance: string): Promise<CopyView | undefined> {
    try {
      const redraw = () => {
        const { stage } = this.#ui;
        stage.invalidateRows(instance, 0, stage.size.rows);
        this.#ui.refresh();
      };
      const view = await CopyView.open(this.#ui.client, instance, redraw);
      view.top = Math.max(view.first, view.end - this.rowsOf(instance));
      this.#views.set(instance, view);
      this.#ui.grids.replace(instance, view);
      this.#countLater();
      return view;
    } catch (error) {
      this.#ui.complain(error);
      return undefined;
    } finally {
      this.#opening.delete(instance);
    }
  }

  #countLater(): void {
    this.#cancelCount?.();
    if (this.#views.size === 0) return;
    this.#cancelCount = this.#ui.clock.delay(() => {
      for (const instance of this.#views.keys()) if (!this.#ui.view.instance(instance)) this.close(instance);
      void Promise.allSettled([...this.#views.values()].map((view) => view.count())).then(() =>
        this.#countLater(),
      );
    }, countMs);
  }
}
