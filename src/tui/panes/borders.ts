/**
 * The borders between panes: which there are at a cell or beside a pane, and the tree in which one has moved.
 * Pure arithmetic in cells; the weights it gives are the cells themselves, so that the move is exact here.
 */
import type { LayoutNode, SplitNode } from '../../rpc/api/layout.ts';
import { type Axis, contains, leastSize, panesOf, placeChildren, type Rect, sizeOf } from './geometry.ts';

/** Between two neighbouring children of a split; `columns`: it moves left and right. */
export interface Border {
  readonly axis: Axis;
  /** A pane on either side: by these it is found again when the tree has become another. */
  readonly before: string;
  readonly after: string;
}

/** The borders that have the cell: none, one, or one of each axis where two meet. */
export function bordersAt(root: LayoutNode, area: Rect, x: number, y: number): Border[] {
  if (root.type === 'pane') return [];
  const rects = placeChildren(root, area);
  const at = root.axis === 'columns' ? x : y;
  return rects.flatMap((rect, index) => {
    const inner = contains(rect, x, y) ? bordersAt(root.children[index] as LayoutNode, rect, x, y) : [];
    const next = rects[index + 1];
    const isHere =
      next && contains(area, x, y) && [start(next, root.axis) - 1, start(next, root.axis)].includes(at);
    return isHere ? [...inner, borderAfter(root, index)] : inner;
  });
}

/** The border after a pane, or before it when it is the last: of the innermost split with that axis. */
export function borderOf(root: LayoutNode, area: Rect, pane: string, axis: Axis): Border | undefined {
  if (root.type === 'pane') return undefined;
  const rects = placeChildren(root, area);
  const index = childWith(root, pane);
  const child = root.children[index];
  const rect = rects[index];
  if (!child || !rect) return undefined;
  const inner = borderOf(child, rect, pane, axis);
  if (inner || root.axis !== axis || rects.length < 2) return inner;
  return borderAfter(root, Math.min(index, rects.length - 2));
}

/** The column or row where what is after the border begins; undefined when there is no such border any more. */
export function placeOf(root: LayoutNode, area: Rect, border: Border): number | undefined {
  const found = locate(root, area, border);
  return found && start(found.rects[found.index + 1] as Rect, border.axis);
}

/**
 * The tree with the border moved by so many cells, or as far as there is room: only what is on its two sides
 * changes. The same tree when nothing moves.
 */
export function moveBorder(root: LayoutNode, area: Rect, border: Border, by: number): LayoutNode {
  const found = locate(root, area, border);
  if (!found) return root;
  const { split, rects, index } = found;
  const { axis } = border;
  const sizes = split.children.map((child, at) => {
    const rect = rects[at];
    return rect ? sizeOf(rect, axis) : leastSize(child, axis);
  });
  const room = (at: number) =>
    Math.max(0, (sizes[at] as number) - leastSize(split.children[at] as LayoutNode, axis));
  const cells = Math.max(-room(index), Math.min(room(index + 1), by));
  if (cells === 0) return root;
  const weights = sizes
    .with(index, (sizes[index] as number) + cells)
    .with(index + 1, (sizes[index + 1] as number) - cells);
  return replaced(root, split, { ...split, weights });
}

interface Located {
  readonly split: SplitNode;
  readonly rects: readonly Rect[];
  /** Of the child before the border. */
  readonly index: number;
}

function locate(root: LayoutNode, area: Rect, border: Border): Located | undefined {
  if (root.type === 'pane') return undefined;
  const rects = placeChildren(root, area);
  const index = childWith(root, border.before);
  const after = childWith(root, border.after);
  const rect = rects[index];
  if (!rect || !rects[after]) return undefined;
  if (index === after) return locate(root.children[index] as LayoutNode, rect, border);
  return after === index + 1 && root.axis === border.axis ? { split: root, rects, index } : undefined;
}

function replaced(node: LayoutNode, old: SplitNode, by: SplitNode): LayoutNode {
  if (node === old) return by;
  if (node.type === 'pane') return node;
  return { ...node, children: node.children.map((child) => replaced(child, old, by)) };
}

function borderAfter({ axis, children }: SplitNode, index: number): Border {
  return {
    axis,
    before: panesOf(children[index] as LayoutNode).at(-1)?.pane as string,
    after: panesOf(children[index + 1] as LayoutNode)[0]?.pane as string,
  };
}

/** -1 when no child holds the pane. */
function childWith({ children }: SplitNode, pane: string): number {
  return children.findIndex((child) => panesOf(child).some((node) => node.pane === pane));
}

function start({ x, y }: Rect, axis: Axis): number {
  return axis === 'columns' ? x : y;
}
