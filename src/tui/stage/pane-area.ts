/**
 * The blessed element that keeps a pane's place on the screen: position and stacking are blessed's,
 * the cells come from the pane's source. Holds no cells.
 */

import type { Widgets } from 'blessed';
import { type Area, areaOf, drawAsLayer, type ElementHost, withoutUndefined } from './layered-element.ts';
import type { AreaOptions, PaneSource, Point } from './stage-types.ts';

/** A blessed element; use its own `left`, `top`, `width`, `height`, `show`, `hide`, `setFront`, `destroy`. */
export interface PaneArea extends Widgets.BoxElement {
  readonly paneId: string;
  /** Its place on the screen as last rendered; undefined while hidden or before the first paint. */
  readonly place: Area | undefined;
}

/** What a pane shows, asked for again at each paint. */
export interface PaneContent {
  readonly source: PaneSource | undefined;
  readonly offset: Point;
}

export function createPaneArea(
  host: ElementHost,
  paneId: string,
  contentOf: (paneId: string) => PaneContent | undefined,
  options: AreaOptions,
): PaneArea {
  const element = host.blessed.box({
    ...withoutUndefined(options),
    parent: options.parent ?? host.blessed.screen,
  } as Widgets.BoxOptions);
  drawAsLayer(element, host, () => ({
    paneId,
    scope: paneId,
    // Read when composed: sources and offsets change without blessed rendering again.
    get firstColumn() {
      return contentOf(paneId)?.offset.x ?? 0;
    },
    row(y) {
      const content = contentOf(paneId);
      return content?.source?.row(y + content.offset.y);
    },
  }));
  host.invalidateChrome();
  Object.defineProperties(element, {
    paneId: { value: paneId },
    place: { get: () => areaOf(element) },
  });
  return element as PaneArea;
}
