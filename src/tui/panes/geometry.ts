/**
 * Where panes stand: a tab's tree and an area give rectangles, and a rectangle its neighbours.
 * Pure arithmetic in cells; the tree is the host's, focus and zoom the view's.
 */
import type { LayoutNode, PaneNode } from '../../rpc/api/layout.ts';

/** In cells, from the top left of the terminal. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly cols: number;
  readonly rows: number;
}

export interface PlacedPane {
  readonly pane: string;
  readonly instance: string;
  /** With its border. */
  readonly rect: Rect;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The least a pane with its border may measure; where there is no room for it, later panes go. */
const leastPane = { cols: 4, rows: 3 };

/** Every pane of the tree with its rectangle; those that no longer fit into the area are left out. */
export function placePanes(node: LayoutNode, area: Rect): PlacedPane[] {
  if (area.cols < leastPane.cols || area.rows < leastPane.rows) return [];
  if (node.type === 'pane') return [{ pane: node.pane, instance: node.instance, rect: area }];
  const across = node.axis === 'columns';
  const sizes = shares(
    node.weights.slice(0, node.children.length),
    across ? area.cols : area.rows,
    across ? leastPane.cols : leastPane.rows,
  );
  const placed: PlacedPane[] = [];
  let at = across ? area.x : area.y;
  node.children.forEach((child, index) => {
    const size = sizes[index] ?? 0;
    placed.push(
      ...placePanes(child, across ? { ...area, x: at, cols: size } : { ...area, y: at, rows: size }),
    );
    at += size;
  });
  return placed;
}

/** Whole cells by weight, `total` in all, none under `least` as long as there is room. */
function shares(weights: readonly number[], total: number, least: number): number[] {
  const fitting = weights.slice(0, Math.max(1, Math.floor(total / least)));
  const sum = fitting.reduce((a, b) => a + b, 0) || 1;
  const sizes: number[] = [];
  let used = 0;
  let seen = 0;
  fitting.forEach((weight, index) => {
    seen += weight;
    // Rounding the running sum keeps the total exact.
    const rest = (fitting.length - index - 1) * least;
    const end = Math.min(total - rest, Math.max(used + least, Math.round((total * seen) / sum)));
    sizes.push(end - used);
    used = end;
  });
  return sizes;
}

/** The area inside the border of a pane. */
export function inside(rect: Rect): Rect {
  return {
    x: rect.x + 1,
    y: rect.y + 1,
    cols: Math.max(1, rect.cols - 2),
    rows: Math.max(1, rect.rows - 2),
  };
}

/** All panes of a tree, in the order of the tree. */
export function panesOf(node: LayoutNode): PaneNode[] {
  return node.type === 'pane' ? [node] : node.children.flatMap(panesOf);
}

/**
 * The pane next to `from` in that direction: the nearest one whose side overlaps, and of several the one
 * that shares the most of the border (the first when equal).
 */
export function neighbour(
  placed: readonly PlacedPane[],
  from: string,
  direction: Direction,
): string | undefined {
  const here = placed.find(({ pane }) => pane === from)?.rect;
  if (!here) return undefined;
  let best: { pane: string; gap: number; overlap: number } | undefined;
  for (const { pane, rect } of placed) {
    const gap = distance(here, rect, direction);
    const overlap =
      direction === 'left' || direction === 'right'
        ? shared(here.y, here.rows, rect.y, rect.rows)
        : shared(here.x, here.cols, rect.x, rect.cols);
    if (pane === from || gap < 0 || overlap <= 0) continue;
    if (!best || gap < best.gap || (gap === best.gap && overlap > best.overlap)) {
      best = { pane, gap, overlap };
    }
  }
  return best?.pane;
}

function distance(from: Rect, to: Rect, direction: Direction): number {
  switch (direction) {
    case 'left':
      return from.x - (to.x + to.cols);
    case 'right':
      return to.x - (from.x + from.cols);
    case 'up':
      return from.y - (to.y + to.rows);
    case 'down':
      return to.y - (from.y + from.rows);
  }
}

function shared(a: number, aSize: number, b: number, bSize: number): number {
  return Math.min(a + aSize, b + bSize) - Math.max(a, b);
}

/** The pane that has the cell. */
export function paneAt(placed: readonly PlacedPane[], x: number, y: number): PlacedPane | undefined {
  return placed.find(
    ({ rect }) => x >= rect.x && x < rect.x + rect.cols && y >= rect.y && y < rect.y + rect.rows,
  );
}
