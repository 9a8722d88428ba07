import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LayoutNode } from '../../../src/rpc/api/layout.ts';
import {
  inside,
  neighbour,
  paneAt,
  panesOf,
  placePanes,
  type Rect,
} from '../../../src/tui/panes/geometry.ts';

const pane = (n: number): LayoutNode => ({ type: 'pane', pane: `pane:${n}`, instance: `shell:${n}` });
const split = (
  axis: 'columns' | 'rows',
  children: LayoutNode[],
  weights = children.map(() => 1),
): LayoutNode => ({
  type: 'split',
  axis,
  children,
  weights,
});
const area = { x: 0, y: 1, cols: 80, rows: 22 };

function drawn(root: LayoutNode): string[] {
  return placePanes(root, area).map(
    ({ pane: id, rect }) => `${id} ${rect.cols}x${rect.rows}+${rect.x}+${rect.y}`,
  );
}

test('one pane has it all', () => {
  expect(drawn(pane(1))).toEqual(['pane:1 80x22+0+1']);
});

test('weights share the cells, and the total is exact', () => {
  expect(drawn(split('columns', [pane(1), pane(2), pane(3)]))).toEqual([
    'pane:1 27x22+0+1',
    'pane:2 26x22+27+1',
    'pane:3 27x22+53+1',
  ]);
  expect(drawn(split('rows', [pane(1), pane(2)], [3, 1]))).toEqual(['pane:1 80x17+0+1', 'pane:2 80x5+0+18']);
});

test('splits nest', () => {
  expect(drawn(split('columns', [split('rows', [pane(1), pane(2)]), pane(3)]))).toEqual([
    'pane:1 40x11+0+1',
    'pane:2 40x11+0+12',
    'pane:3 40x22+40+1',
  ]);
});

test('no weight makes a pane vanish while there is room, and without room the last ones go', () => {
  expect(drawn(split('columns', [pane(1), pane(2)], [1_000_000, 1]))).toEqual([
    'pane:1 76x22+0+1',
    'pane:2 4x22+76+1',
  ]);
  const crowd = split(
    'rows',
    Array.from({ length: 20 }, (_, n) => pane(n)),
  );
  const placed = placePanes(crowd, area);
  expect(placed.length).toBe(7);
  expect(placed.reduce((sum, { rect }) => sum + rect.rows, 0)).toBe(22);
});

const tree = fc.letrec<{ node: LayoutNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.nat(1_000).map(pane),
    fc
      .tuple(
        fc.constantFrom('columns' as const, 'rows' as const),
        fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
      )
      .map(([axis, children]) => split(axis, children)),
  ),
})).node;

test('panes lie in the area and never over each other', () => {
  fc.assert(
    fc.property(
      tree,
      fc.integer({ min: 4, max: 200 }),
      fc.integer({ min: 3, max: 80 }),
      (root, cols, rows) => {
        const whole = { x: 0, y: 1, cols, rows };
        const rects = placePanes(root, whole).map(({ rect }) => rect);
        rects.forEach((rect, index) => {
          expect(contains(whole, rect)).toBe(true);
          expect(inside(rect).cols).toBeGreaterThan(0);
          for (const other of rects.slice(index + 1)) expect(overlap(rect, other)).toBe(false);
        });
        expect(rects.length).toBeLessThanOrEqual(panesOf(root).length);
      },
    ),
    { seed: 20_261_130 },
  );
});

function contains(outer: Rect, rect: Rect): boolean {
  return (
    rect.x >= outer.x &&
    rect.y >= outer.y &&
    rect.x + rect.cols <= outer.x + outer.cols &&
    rect.y + rect.rows <= outer.y + outer.rows
  );
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.cols && b.x < a.x + a.cols && a.y < b.y + b.rows && b.y < a.y + a.rows;
}

test('neighbours are those that share the border most', () => {
  const placed = placePanes(
    split('columns', [pane(1), split('rows', [pane(2), pane(3), pane(4)], [1, 3, 1]), pane(5)]),
    area,
  );
  expect(neighbour(placed, 'pane:1', 'right')).toBe('pane:3');
  expect(neighbour(placed, 'pane:5', 'left')).toBe('pane:3');
  expect(neighbour(placed, 'pane:3', 'up')).toBe('pane:2');
  expect(neighbour(placed, 'pane:3', 'down')).toBe('pane:4');
  expect(neighbour(placed, 'pane:2', 'left')).toBe('pane:1');
  expect(neighbour(placed, 'pane:1', 'left')).toBeUndefined();
  expect(neighbour(placed, 'pane:9', 'left')).toBeUndefined();
  expect(paneAt(placed, 0, 1)?.pane).toBe('pane:1');
  expect(paneAt(placed, 0, 0)).toBeUndefined();
});
