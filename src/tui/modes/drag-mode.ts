/**
 * A border between panes is held with the mouse: it follows the pointer until the button is released.
 * No program hears of it; a press that moved nothing is a click on the pane.
 */
import type { Mode } from '../mode.ts';
import { type Border, bordersAt, moveBorder, placeOf } from '../panes/borders.ts';
import { paneAt } from '../panes/geometry.ts';
import type { MouseToken, Point, Token } from '../stage/index.ts';
import type { Ui } from '../ui.ts';

/** A border, and how far beside the pointer what is after it begins. */
interface Held {
  readonly border: Border;
  readonly offset: number;
}

export class DragMode implements Mode {
  readonly name = 'drag';
  readonly wholeRuns = true;
  readonly #ui: Ui;
  readonly #below: Mode;
  readonly #tab: string;
  readonly #held: readonly Held[];
  readonly #from: Point;
  #moved = false;

  /** Takes hold of the border under a press, if one is in sight there; true: it did. */
  static grab(ui: Ui, below: Mode, token: MouseToken): boolean {
    const { tab, zoomed } = ui.view;
    const area = ui.regions?.panes;
    if (token.action !== 'press' || token.button !== 0 || !tab || zoomed || !area) return false;
    const held = bordersAt(tab.root, area, token.x, token.y).map((border): Held => {
      const place = placeOf(tab.root, area, border) ?? 0;
      return { border, offset: place - pointer(border, token) };
    });
    if (held.length > 0) ui.push(new DragMode(ui, below, tab.tab, held, token));
    return held.length > 0;
  }

  private constructor(ui: Ui, below: Mode, tab: string, held: readonly Held[], from: Point) {
    this.#ui = ui;
    this.#below = below;
    this.#tab = tab;
    this.#held = held;
    this.#from = from;
  }

  token(token: Token): void {
    if (token.type === 'mouse' && token.action === 'drag') this.#drag(token);
    else if (token.type === 'mouse' && token.action === 'release') this.#release(token);
    else if (token.type !== 'mouse' || token.action !== 'wheel') {
      // The release was lost, or somebody types: for what has the focus.
      this.#ui.pop(this);
      this.#ui.replay([token]);
    }
  }

  #drag(token: MouseToken): void {
    // Some terminals tell a move within the cell.
    if (token.x !== this.#from.x || token.y !== this.#from.y) this.#moved = true;
    const { view, arranger, regions } = this.#ui;
    const { tab } = view;
    if (tab?.tab !== this.#tab || !regions || view.zoomed) return;
    const before = arranger.rootOf(tab);
    const after = this.#held.reduce((root, { border, offset }) => {
      const place = placeOf(root, regions.panes, border);
      if (place === undefined) return root;
      return moveBorder(root, regions.panes, border, pointer(border, token) + offset - place);
    }, before);
    if (after !== before) arranger.arrange(tab.tab, after);
  }

  #release(token: MouseToken): void {
    this.#ui.pop(this);
    const pane = this.#moved ? undefined : paneAt(this.#ui.placed, token.x, token.y);
    if (pane) this.#ui.view.focus(pane.pane);
    this.#ui.refresh();
  }

  cursor() {
    return this.#below.cursor?.();
  }
}

function pointer({ axis }: Border, { x, y }: MouseToken): number {
  return axis === 'columns' ? x : y;
}
