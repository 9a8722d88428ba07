/**
 * The view's copies of the screens it shows: takes frames, has their rows painted, acknowledges them.
 * Never decides which instances are shown or where.
 */
import { Grid } from '../../cells/grid.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import type { Client } from '../../rpc/client.ts';
import type { PaneSource, Stage } from '../stage/index.ts';

/** Size of a pane inside its border, in cells. */
export interface ShownSize {
  readonly cols: number;
  readonly rows: number;
}

/** So few changed rows of the focused pane are taken for the echo of a key. */
const echoRows = 3;

export class Grids {
  readonly #client: Client;
  readonly #stage: Stage;
  readonly #changed: (instance: string) => void;
  readonly #grids = new Map<string, Grid>();
  #shown = new Map<string, ShownSize>();
  #focused: string | null = null;
  #told = '';

  /** `changed` hears of each frame taken over, for what hangs on cursor and modes. */
  constructor(client: Client, stage: Stage, changed: (instance: string) => void) {
    this.#client = client;
    this.#stage = stage;
    this.#changed = changed;
    client.on(operatorApi.frame, ({ instance, frame }) => this.#receive(instance, frame));
  }

  get(instance: string): Grid | undefined {
    return this.#grids.get(instance);
  }

  /** The cell of an instance's screen that is in the corner of its pane. */
  offset(instance: string): { readonly x: number; readonly y: number } {
    return this.#offsets.get(instance) ?? { x: 0, y: 0 };
  }

  /** Shows something else in the panes of an instance than its screen; undefined: its screen again. */
  replace(instance: string, source: PaneSource | undefined): void {
    if (source) this.#replaced.set(instance, source);
    else this.#replaced.delete(instance);
    this.#offsets.delete(instance);
    if (source) this.#stage.setPaneSource(instance, source);
    else this.#place(instance);
  }
  readonly #replaced = new Map<string, PaneSource>();

  /** Says what is shown now; the host is told only of what changed. */
  show(panes: ReadonlyMap<string, ShownSize>, focused: string | null): void {
    this.#shown = new Map(panes);
    this.#focused = focused;
    for (const instance of this.#grids.keys()) if (!panes.has(instance)) this.#drop(instance);
    const message = {
      panes: [...panes].map(([instance, { cols, rows }]) => ({ instance, cols, rows })),
      focused,
    };
    const told = JSON.stringify(message);
    if (told === this.#told) return;
    this.#told = told;
    this.#client.notify(operatorApi.show, message);
    for (const instance of panes.keys()) this.#place(instance);
  }

  #receive(instance: string, frame: unknown): void {
    if (!this.#shown.has(instance)) return;
    const grid = this.#grids.get(instance) ?? new Grid();
    const known = this.#grids.has(instance);
    const rows = grid.applyFrame(frame);
    if (rows === 'gap') {
      this.#startAnew(instance);
      return;
    }
    this.#grids.set(instance, grid);
    if (!known && !this.#replaced.has(instance)) this.#stage.setPaneSource(instance, grid);
    this.#place(instance);
    const [first] = rows;
    const last = rows.at(-1);
    if (first !== undefined && last !== undefined) {
      const urgent = instance === this.#focused && rows.length <= echoRows;
      this.#stage.invalidateRows(instance, first, last, urgent);
    }
    this.#changed(instance);
    const { generation } = grid;
    void this.#stage.whenPainted().then((painted) => {
      if (painted) this.#client.notify(operatorApi.acknowledge, { instance, generation });
    });
  }

  /** A screen larger than its pane is shown around its cursor. */
  #place(instance: string): void {
    const grid = this.#grids.get(instance);
    const size = this.#shown.get(instance);
    if (!grid || !size || this.#replaced.has(instance)) return;
    const x = around(grid.cursor.x, size.cols, grid.cols);
    const y = around(grid.cursor.y, size.rows, grid.rows);
    const offset = this.#offsets.get(instance);
    if (offset?.x === x && offset.y === y) return;
    this.#offsets.set(instance, { x, y });
    this.#stage.setPaneSource(instance, grid, { x, y });
  }
  readonly #offsets = new Map<string, { x: number; y: number }>();

  #drop(instance: string): void {
    this.#grids.delete(instance);
    this.#offsets.delete(instance);
    this.#stage.setPaneSource(instance, this.#replaced.get(instance));
  }

  /** Not shown for a moment: then the host sends a full frame. */
  #startAnew(instance: string): void {
    this.#drop(instance);
    const shown = this.#shown;
    const others = new Map([...shown].filter(([other]) => other !== instance));
    const { focused } = JSON.parse(this.#told) as { focused: string | null };
    this.show(others, focused);
    this.show(shown, focused);
  }
}

function around(cursor: number, shown: number, size: number): number {
  return Math.max(0, Math.min(cursor - shown + 1, size - shown));
}
