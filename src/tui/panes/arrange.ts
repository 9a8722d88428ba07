/** Gives the panes of a tab the places of a saved layout. Pure; asks nothing of the host. */
import type { Arrangement } from '../../rpc/api/layout.ts';
import type { LayoutTree } from '../settings.ts';

/**
 * The panes take the places in their order. Places that are left over go; panes that are left over share the
 * last place, one below the other. `panes` is not empty.
 */
export function arrangeBy(tree: LayoutTree, panes: readonly string[]): Arrangement {
  const places = countPlaces(tree);
  const shares = Array.from({ length: places }, (_, place) =>
    place < places - 1 ? panes.slice(place, place + 1) : panes.slice(place),
  );
  return fill(tree, shares) as Arrangement;
}

function countPlaces(tree: LayoutTree): number {
  const children = tree.columns ?? tree.rows;
  return children ? children.reduce((sum, child) => sum + countPlaces(child), 0) : 1;
}

/** Takes as many of `shares` as the tree has places. */
function fill(tree: LayoutTree, shares: (readonly string[])[]): Arrangement | undefined {
  const children = tree.columns ?? tree.rows;
  if (!children) {
    const panes = shares.shift() ?? [];
    return join(
      'rows',
      panes.map((pane) => ({ node: { type: 'pane', pane }, weight: 1 })),
    );
  }
  const filled = children.flatMap((child) => {
    const node = fill(child, shares);
    return node ? [{ node, weight: child.weight ?? 1 }] : [];
  });
  return join(tree.columns ? 'columns' : 'rows', filled);
}

function join(
  axis: 'columns' | 'rows',
  parts: readonly { node: Arrangement; weight: number }[],
): Arrangement | undefined {
  if (parts.length < 2) return parts[0]?.node;
  return {
    type: 'split',
    axis,
    children: parts.map(({ node }) => node),
    weights: parts.map(({ weight }) => weight),
  };
}
