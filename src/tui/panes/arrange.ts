/** Trees in which panes stand otherwise: by a saved or a named layout, swapped, evened. Pure; asks nothing of the host. */
import type { LayoutNode, PaneNode } from '../../rpc/api/layout.ts';
import type { LayoutTree } from '../settings.ts';
import type { Axis } from './geometry.ts';

/**
 * The panes take the places in their order. Places that are left over go; panes that are left over share the
 * last place, one below the other. `panes` is not empty.
 */
export function arrangeBy(tree: LayoutTree, panes: readonly PaneNode[]): LayoutNode {
  const places = countPlaces(tree);
  const shares = Array.from({ length: places }, (_, place) =>
    place < places - 1 ? panes.slice(place, place + 1) : panes.slice(place),
  );
  return fill(tree, shares) as LayoutNode;
}

/** Layouts for as many panes as there are, with the names and the looks they have in tmux. */
export const namedLayouts: ReadonlyMap<string, (panes: number) => LayoutTree> = new Map([
  ['even-horizontal', (panes) => ({ columns: places(panes) })],
  ['even-vertical', (panes) => ({ rows: places(panes) })],
  ['main-horizontal', (panes) => ({ rows: [{ weight: 2 }, { columns: places(panes - 1) }] })],
  ['main-vertical', (panes) => ({ columns: [{ weight: 2 }, { rows: places(panes - 1) }] })],
  ['tiled', tiled],
]);

/** Rows of equally many panes, the last of what is left; never more columns than rows. */
function tiled(panes: number): LayoutTree {
  let columns = 1;
  while (columns * (columns + 1) < panes) columns++;
  const rows = Math.ceil(panes / columns);
  return {
    rows: Array.from({ length: rows }, (_, row) => ({
      columns: places(Math.min(columns, panes - row * columns)),
    })),
  };
}

/** At least one: a place too many goes. */
function places(count: number): LayoutTree[] {
  return Array.from({ length: Math.max(1, count) }, () => ({}));
}

/** The same tree with all panes as equal in size as it allows. */
export function evened(node: LayoutNode): LayoutNode {
  if (node.type === 'pane') return node;
  return {
    ...node,
    children: node.children.map(evened),
    weights: node.children.map((child) => panesAlong(child, node.axis)),
  };
}

/** The most panes that stand in one line along `axis`. */
function panesAlong(node: LayoutNode, axis: Axis): number {
  if (node.type === 'pane') return 1;
  const counts = node.children.map((child) => panesAlong(child, axis));
  return node.axis === axis ? counts.reduce((a, b) => a + b, 0) : Math.max(...counts);
}

/** The same tree with two panes in each other's place. */
export function swapped(node: LayoutNode, one: PaneNode, other: PaneNode): LayoutNode {
  if (node.type === 'split') {
    return { ...node, children: node.children.map((child) => swapped(child, one, other)) };
  }
  if (node.pane === one.pane) return other;
  return node.pane === other.pane ? one : node;
}

function countPlaces(tree: LayoutTree): number {
  const children = tree.columns ?? tree.rows;
  return children ? children.reduce((sum, child) => sum + countPlaces(child), 0) : 1;
}

/** Takes as many of `shares` as the tree has places. */
function fill(tree: LayoutTree, shares: (readonly PaneNode[])[]): LayoutNode | undefined {
  const children = tree.columns ?? tree.rows;
  if (!children) {
    const panes = shares.shift() ?? [];
    return join(
      'rows',
      panes.map((node) => ({ node, weight: 1 })),
    );
  }
  const filled = children.flatMap((child) => {
    const node = fill(child, shares);
    return node ? [{ node, weight: child.weight ?? 1 }] : [];
  });
  return join(tree.columns ? 'columns' : 'rows', filled);
}

function join(axis: Axis, parts: readonly { node: LayoutNode; weight: number }[]): LayoutNode | undefined {
  if (parts.length < 2) return parts[0]?.node;
  return {
    type: 'split',
    axis,
    children: parts.map(({ node }) => node),
    weights: parts.map(({ weight }) => weight),
  };
}
