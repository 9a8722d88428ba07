/**
 * Where panes stand: a tab's tree and an area give rectangles, and a rectangle its neighbours.
 * Pure arithmetic in cells; the tree is the host's, focus and zoom the view's.
 */
import type { LayoutNode, PaneNode, SplitNode } from '../../rpc/api/layout.ts';

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

export const directions = ['left', 'right', 'up', 'down'] as const;
export type Direction = (typeof directions)[number];

export function isDirection(word: string): word is Direction {
  return (directions as readonly string[]).includes(word);
}

export type Axis = SplitNode['axis'];

/** The least a pane with its border may measure; where there is no room for it, later panes go. */
const leastPane = { columns: 4, rows: 3 };

/** Every pane of the tree with its rectangle; those that no longer fit into the area are left out. */
export function placePanes(node: LayoutNode, area: Rect): PlacedPane[] {
  if (sizeOf(area, 'columns') < leastPane.columns || sizeOf(area, 'rows') < leastPane.rows) return [];
  if (node.type === 'pane') return [{ pane: node.pane, instance: node.instance, rect: area }];
  return placeChildren(node, area).flatMap((rect, index) =>
    placePanes(node.children[index] as LayoutNode, rect),
  );
}

/** The rectangles of the first children of a split, as many as fit; there is always one. */
export function placeChildren({ axis, children, weights }: SplitNode, area: Rect): Rect[] {
  const total = sizeOf(area, axis);
  const fitting = children.slice(0, Math.max(1, Math.floor(total / leastPane[axis])));
  const needs = fitting.map((child) => leastSize(child, axis));
  const enough = needs.reduce((a, b) => a + b, 0) <= total;
  const sizes = shares(weights, total, enough ? needs : needs.map(() => leastPane[axis]));
  let at = axis === 'columns' ? area.x : area.y;
  return sizes.map((size) => {
    const rect = axis === 'columns' ? { ...area, x: at, cols: size } : { ...area, y: at, rows: size };
    at += size;
    return rect;
  });
}

/** How many cells a tree needs along `axis` so that each of its panes is shown. */
export function leastSize(node: LayoutNode, axis: Axis): number {
  if (node.type === 'pane') return leastPane[axis];
  const needs = node.children.map((child) => leastSize(child, axis));
  return node.axis === axis ? needs.reduce((a, b) => a + b, 0) : Math.max(...needs);
}

export function sizeOf({ cols, rows }: Rect, axis: Axis): number {
  return axis === 'columns' ? cols : rows;
}

/** Whole cells by weight, `total` in all, none under its `least` as long as there is room. */
function shares(weights: readonly number[], total: number, leasts: readonly number[]): number[] {
  const sum = leasts.reduce((all, _, index) => all + (weights[index] ?? 1), 0) || 1;
  let rest = leasts.reduce((a, b) => a + b, 0);
  let used = 0;
  let seen = 0;
  return leasts.map((least, index) => {
    seen += weights[index] ?? 1;
    rest -= least;
    // Rounding the running sum keeps the total exact.
    const end = Math.min(total - rest, Math.max(used + least, Math.round((total * seen) / sum)));
    const size = end - used;
    used = end;
    return size;
  });
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
  return placed.find(({ rect }) => contains(rect, x, y));
}

export function contains({ x, y, cols, rows }: Rect, atX: number, atY: number): boolean {
  return atX >= x && atX < x + cols && atY >= y && atY < y + rows;
}
