/**
 * The boxes of the panes: border, title and mark of each, and the area in it that shows a screen.
 * Says nothing of where they stand; that is geometry's.
 */
import { visible } from '../../cells/visible.ts';
import type { PaneArea, Stage, StyledBox } from '../stage/index.ts';
import { clipLine, type Line, lineColumns, span } from '../text.ts';
import type { Theme } from '../theme.ts';
import { inside, type PlacedPane, type Rect } from './geometry.ts';
import { type PaneLook, paneTitle } from './pane-title.ts';

interface PaneBox {
  readonly box: StyledBox;
  readonly area: PaneArea;
  readonly foot: StyledBox;
}

export class PaneBoxes {
  readonly #stage: Stage;
  readonly #boxes = new Map<string, PaneBox>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Shows exactly these panes. Returns true when boxes were made, which then lie over older elements. */
  show(placed: readonly PlacedPane[], lookOf: (pane: PlacedPane) => PaneLook, theme: Theme): boolean {
    const wanted = new Set(placed.map(({ pane }) => pane));
    for (const [pane, boxes] of this.#boxes) if (!wanted.has(pane)) this.#remove(pane, boxes);
    let made = false;
    for (const pane of placed) {
      let boxes = this.#boxes.get(pane.pane);
      if (!boxes) {
        boxes = this.#make(pane);
        made = true;
      }
      this.#dress(boxes, pane.rect, lookOf(pane), theme);
    }
    this.#stage.invalidateChrome();
    return made;
  }

  #make({ pane, instance }: PlacedPane): PaneBox {
    const boxes = {
      box: this.#stage.styledBox({ border: {}, left: 0, top: 0, width: 4, height: 3 }),
      area: this.#stage.paneArea(instance, { left: 1, top: 1, width: 2, height: 1 }),
      foot: this.#stage.styledBox({ left: 0, top: 0, width: 1, height: 1, hidden: true }),
    };
    this.#boxes.set(pane, boxes);
    return boxes;
  }

  #remove(pane: string, { box, area, foot }: PaneBox): void {
    this.#boxes.delete(pane);
    for (const element of [foot, area, box]) element.destroy();
  }

  #dress({ box, area, foot }: PaneBox, rect: Rect, look: PaneLook, theme: Theme): void {
    const { styles } = theme;
    const waiting = (look.instance?.waiting ?? 0) > 0;
    const style = look.focused ? styles.borderFocused : waiting ? styles.warning : styles.border;
    placeElement(box, rect);
    placeElement(area, inside(rect));
    box.setBorder({ style, ...paneTitle(look, theme, rect.cols) });
    const line = endedLine(look, theme, Math.max(1, rect.cols - 4));
    if (!line) {
      foot.hide();
      return;
    }
    foot.setLines([line]);
    placeElement(foot, { x: rect.x + 2, y: rect.y + rect.rows - 1, cols: lineColumns(line), rows: 1 });
    foot.show();
  }
}

/** Puts a blessed element at cells of the screen. */
export function placeElement(element: StyledBox | PaneArea, { x, y, cols, rows }: Rect): void {
  Object.assign(element, { left: x, top: y, width: cols, height: rows });
}

/** What to press stays whole where it fits; the reason is cut before it. */
function endedLine({ instance, restart }: PaneLook, { styles }: Theme, columns: number): Line | undefined {
  if (instance?.status !== 'ended') return undefined;
  const keys = span(` ${restart} restart `, styles.dim);
  // The requirement that was broken is for its author, who finds it in the log.
  const reason = (instance.ended ?? 'ended').replace(/ \([A-Z]-[\d.]+-\w+\)/g, '');
  const room = columns - lineColumns([keys]);
  if (room < 4) return clipLine([keys], columns);
  return [
    ...clipLine([span(` ${visible(reason)}`, styles.warning)], room - 1),
    span(' ', styles.warning),
    keys,
  ];
}
