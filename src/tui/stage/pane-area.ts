/**
 * The blessed element that keeps a pane's place on the screen: position and stacking are blessed's,
 * the cells come from the pane's source. Holds no cells.
 */

import type { Widgets } from 'blessed';

/** A blessed element; use its own `left`, `top`, `width`, `height`, `show`, `hide`, `setFront`, `destroy`. */
export interface PaneArea extends Widgets.BoxElement {
  readonly paneId: string;
  /** Its place on the screen as last rendered; undefined while hidden or before the first paint. */
  readonly place: { x: number; y: number; cols: number; rows: number } | undefined;
}
