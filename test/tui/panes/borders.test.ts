/** Borders and what becomes of the tree: whatever is done, panes fill the area, and only the border that is meant moves. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { LayoutModel } from '../../../src/host/layout.ts';
import type { LayoutNode, PaneNode, SplitNode } from '../../../src/rpc/api/layout.ts';
import { arrangeBy, evened, namedLayouts, swapped } from '../../../src/tui/panes/arrange.ts';
import { type Border, borderOf, bordersAt, moveBorder, placeOf } from '../../../src/tui/panes/borders.ts';
import { type Axis, leastSize, panesOf, placePanes, type Rect } from '../../../src/tui/panes/geometry.ts';

const seed = 20_261_130;
const area: Rect = { x: 0, y: 1, cols: 80, rows: 24 };
const pane = (n: number): PaneNode => ({ type: 'pane', pane: `pane:${n}`, instance: `shell:${n}` });
const split = (axis: Axis, children: LayoutNode[], weights = children.map(() => 1)): SplitNode => ({
  type: 'split',
  axis,
  children,
  weights,
});
const drawn = (root: LayoutNode, within = area) =>
  placePanes(root, within).map(({ pane: id, rect }) => `${id} ${rect.cols}x${rect.rows}+${rect.x}+${rect.y}`);

// 1 | 2
//   |-----
//   | 3 | 4
const nested = split('columns', [pane(1), split('rows', [pane(2), split('columns', [pane(3), pane(4)])])]);

describe('the border that is meant', () => {
  it('is the one after the pane, or before the last one, of the innermost split with that axis', () => {
    const of = (n: number, axis: Axis) => {
      const border = borderOf(nested, area, `pane:${n}`, axis);
      return border && `${border.before} ${border.after}`;
    };
    expect(of(1, 'columns')).toBe('pane:1 pane:2');
    expect(of(2, 'columns')).toBe('pane:1 pane:2');
    expect(of(3, 'columns')).toBe('pane:3 pane:4');
    expect(of(4, 'columns')).toBe('pane:3 pane:4');
    expect(of(4, 'rows')).toBe('pane:2 pane:3');
    expect(of(1, 'rows')).toBeUndefined();
    expect(of(9, 'rows')).toBeUndefined();
    expect(borderOf(pane(1), area, 'pane:1', 'rows')).toBeUndefined();
  });

  it('is under the pointer, or two are where they meet', () => {
    const at = (x: number, y: number) =>
      bordersAt(nested, area, x, y).map(({ before, after }) => `${before} ${after}`);
    expect(at(39, 5)).toEqual(['pane:1 pane:2']);
    expect(at(40, 5)).toEqual(['pane:1 pane:2']);
    expect(at(41, 5)).toEqual([]);
    expect(at(38, 5)).toEqual([]);
    expect(at(50, 12)).toEqual(['pane:2 pane:3']);
    expect(at(50, 13)).toEqual(['pane:2 pane:3']);
    expect(at(60, 13)).toEqual(['pane:2 pane:3', 'pane:3 pane:4']);
    expect(at(40, 13)).toEqual(['pane:1 pane:2', 'pane:2 pane:3']);
    expect(at(39, 0)).toEqual([]);
    expect(at(0, 13)).toEqual([]);
  });

  it('is gone when its panes are no neighbours any more', () => {
    const border: Border = { axis: 'columns', before: 'pane:1', after: 'pane:2' };
    expect(placeOf(nested, area, border)).toBe(40);
    for (const other of [
      split('rows', [pane(1), pane(2)]),
      split('columns', [pane(1), pane(5), pane(2)]),
      split('columns', [pane(2), pane(1)]),
      split('columns', [pane(1), pane(3)]),
      pane(1),
    ]) {
      expect(placeOf(other, area, border)).toBeUndefined();
      expect(moveBorder(other, area, border, 3)).toBe(other);
    }
  });
});

it('moves as far as every pane behind it keeps its least size, then no more', () => {
  const border: Border = { axis: 'columns', before: 'pane:1', after: 'pane:2' };
  const right = moveBorder(nested, area, border, 1_000);
  expect(drawn(right)).toEqual([
    'pane:1 72x24+0+1',
    'pane:2 8x12+72+1',
    'pane:3 4x12+72+13',
    'pane:4 4x12+76+13',
  ]);
  expect(moveBorder(right, area, border, 1)).toBe(right);
  expect(drawn(moveBorder(right, area, border, -1_000))[0]).toBe('pane:1 4x24+0+1');
});

it('moves nothing where there was no room to begin with', () => {
  const narrow = { ...area, cols: 11 };
  const border: Border = { axis: 'columns', before: 'pane:1', after: 'pane:2' };
  expect(drawn(nested, narrow)).toEqual(['pane:1 6x24+0+1', 'pane:2 5x12+6+1', 'pane:3 5x12+6+13']);
  expect(drawn(moveBorder(nested, narrow, border, 1), narrow)).toEqual(drawn(nested, narrow));
});

it('keeps the sizes in proportion when the terminal has another one', () => {
  const border: Border = { axis: 'columns', before: 'pane:1', after: 'pane:2' };
  const moved = moveBorder(nested, area, border, 20);
  expect(drawn(moved, { ...area, cols: 160 })[0]).toBe('pane:1 120x24+0+1');
  expect(drawn(moved, { ...area, cols: 40 })[0]).toBe('pane:1 30x24+0+1');
  // Never so far that one of them goes.
  expect(drawn(moved, { ...area, cols: 16 })).toHaveLength(4);
  expect(drawn(moved)).toEqual(drawn(moveBorder(nested, area, border, 20)));
});

const tree = fc
  .letrec<{ node: LayoutNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constant(pane(0) as LayoutNode),
      fc
        .tuple(
          fc.constantFrom('columns' as const, 'rows' as const),
          fc.array(fc.tuple(tie('node'), fc.double({ min: 0.01, max: 100, noNaN: true })), {
            minLength: 2,
            maxLength: 4,
          }),
        )
        .map(([axis, parts]) =>
          split(
            axis,
            parts.map(([child]) => child),
            parts.map(([, weight]) => weight),
          ),
        ),
    ),
  }))
  .node.map(numbered);

/** The same tree with a number for each pane. */
function numbered(root: LayoutNode): LayoutNode {
  let next = 0;
  const number = (node: LayoutNode): LayoutNode =>
    node.type === 'pane' ? pane(++next) : { ...node, children: node.children.map(number) };
  return number(root);
}

/** An area that has room for all panes of the tree. */
const roomy = (root: LayoutNode) =>
  fc.record({
    x: fc.constant(3),
    y: fc.constant(1),
    cols: fc.integer({ min: leastSize(root, 'columns'), max: leastSize(root, 'columns') + 90 }),
    rows: fc.integer({ min: leastSize(root, 'rows'), max: leastSize(root, 'rows') + 60 }),
  });

function everyBorder(root: LayoutNode, within: Rect): Border[] {
  const all = panesOf(root).flatMap(({ pane: id }) =>
    (['columns', 'rows'] as const).flatMap((axis) => borderOf(root, within, id, axis) ?? []),
  );
  return [...new Map(all.map((border) => [`${border.before} ${border.after}`, border])).values()];
}

test('a border moves by exactly so many cells as there is room for, and only what is beside it changes', () => {
  const cases = tree.chain((root) =>
    fc.tuple(fc.constant(root), roomy(root), fc.nat(), fc.integer({ min: -30, max: 30 })),
  );
  fc.assert(
    fc.property(cases, ([root, within, pick, by]) => {
      const borders = everyBorder(root, within);
      const border = borders[pick % Math.max(1, borders.length)];
      if (!border) return;
      const moved = moveBorder(root, within, border, by);
      const [from, to] = [placeOf(root, within, border)!, placeOf(moved, within, border)!];
      expect(Math.abs(to - from)).toBeLessThanOrEqual(Math.abs(by));
      expect(Math.sign(to - from)).toBe(to === from ? 0 : Math.sign(by));
      tiles(moved, within);
      // It stopped only where there is no room.
      if (to - from !== by) expect(moveBorder(moved, within, border, by)).toBe(moved);
      // And there is room exactly as long as the two sides can be smaller.
      const [before, after] = sides(root, border);
      const axis = border.axis;
      const size = (side: LayoutNode) => span(root, within, side, axis);
      const room = by < 0 ? size(before) - leastSize(before, axis) : size(after) - leastSize(after, axis);
      expect(Math.abs(to - from)).toBe(Math.min(Math.abs(by), room));
      const beside = new Set([...panesOf(before), ...panesOf(after)].map((node) => node.pane));
      const elsewhere = (node: LayoutNode) => placePanes(node, within).filter((one) => !beside.has(one.pane));
      expect(elsewhere(moved)).toEqual(elsewhere(root));
      // Across the axis nothing moves at all.
      const across = (node: LayoutNode) =>
        placePanes(node, within).map(({ rect }) =>
          axis === 'columns' ? [rect.y, rect.rows] : [rect.x, rect.cols],
        );
      expect(across(moved)).toEqual(across(root));
      // Back again, and all is as it was drawn, but for what gave way inside the two sides.
      expect(placeOf(moveBorder(moved, within, border, from - to), within, border)).toBe(from);
    }),
    { seed, numRuns: 300 },
  );
});

/** The two children that the border divides. */
function sides(node: LayoutNode, border: Border): [LayoutNode, LayoutNode] {
  const { children } = node as SplitNode;
  const holding = (id: string) =>
    children.find((child) => panesOf(child).some((one) => one.pane === id)) as LayoutNode;
  const [before, after] = [holding(border.before), holding(border.after)];
  return before === after ? sides(before, border) : [before, after];
}

/** How many cells the panes of a part take along the axis. */
function span(root: LayoutNode, within: Rect, partOf: LayoutNode, axis: Axis): number {
  const own = new Set(panesOf(partOf).map((node) => node.pane));
  const ranges = placePanes(root, within)
    .filter((one) => own.has(one.pane))
    .map(({ rect }) => (axis === 'columns' ? [rect.x, rect.x + rect.cols] : [rect.y, rect.y + rect.rows]));
  return Math.max(...ranges.map(([, end]) => end!)) - Math.min(...ranges.map(([start]) => start!));
}

/** All panes are there, and take every cell of the area exactly once. */
function tiles(root: LayoutNode, within: Rect): void {
  const placed = placePanes(root, within);
  expect(placed.map((one) => one.pane)).toEqual(panesOf(root).map((one) => one.pane));
  const cells = new Uint8Array(within.cols * within.rows);
  for (const { rect } of placed) {
    for (let y = rect.y; y < rect.y + rect.rows; y++) {
      for (let x = rect.x; x < rect.x + rect.cols; x++) cells[(y - within.y) * within.cols + x - within.x]!++;
    }
  }
  expect(cells.every((count) => count === 1)).toBe(true);
}

test('whatever is done to a session, its trees are whole and its panes fill the screen', () => {
  const names = [...namedLayouts.keys()];
  const step = fc.record({
    what: fc.constantFrom(
      'tab',
      'right',
      'down',
      'resize',
      'swap',
      'even',
      'layout',
      'move',
      'break',
      'remove',
    ),
    pick: fc.nat(),
    other: fc.nat(),
    by: fc.integer({ min: -20, max: 20 }),
  });
  // Room for as many panes as there can be.
  const within = { x: 0, y: 1, cols: 4 * 40, rows: 3 * 40 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const layout = new LayoutModel(() => {});
      const shown = new Map<string, string>();
      let opened = 0;
      for (const { what, pick, other, by } of steps) {
        const panes = layout.tabs.flatMap(({ root }) => panesOf(root));
        const chosen = panes[pick % Math.max(1, panes.length)];
        const second = panes[other % Math.max(1, panes.length)];
        const tab = layout.tabs.find(({ root }) => chosen && panesOf(root).includes(chosen));
        if (!chosen || !second || !tab || what === 'tab' || what === 'right' || what === 'down') {
          const instance = `shell:${++opened}`;
          const direction = what === 'down' ? 'down' : 'right';
          const { pane: id } = layout.place(
            instance,
            what === 'tab' || !chosen ? { in: 'tab' } : { in: 'split', pane: chosen.pane, direction },
            'x',
          );
          shown.set(id, instance);
        } else if (what === 'remove') {
          layout.removePane(chosen.pane);
          shown.delete(chosen.pane);
        } else if (what === 'break') layout.movePane(chosen.pane, { in: 'tab' }, 'x');
        else if (what === 'move') {
          const move = () =>
            layout.movePane(chosen.pane, { in: 'split', pane: second.pane, direction: 'down' }, 'x');
          if (chosen === second) expect(move).toThrow('beside itself');
          else {
            const { tab: to } = move();
            expect(panesOf(layout.tabs.find((one) => one.tab === to)!.root)).toContain(second);
          }
        } else layout.arrange(tab.tab, arranged(tab.root, chosen, second, what, other, by));
        const all = layout.tabs.flatMap(({ root }) => panesOf(root));
        expect(new Map(all.map((node) => [node.pane, node.instance]))).toEqual(shown);
        expect(all).toHaveLength(shown.size);
        for (const { root } of layout.tabs) {
          whole(root);
          tiles(root, within);
        }
      }
    }),
    { seed, numRuns: 60 },
  );

  function arranged(
    root: LayoutNode,
    chosen: PaneNode,
    second: PaneNode,
    what: string,
    other: number,
    by: number,
  ): LayoutNode {
    if (what === 'even') return evened(root);
    if (what === 'layout') {
      const panes = panesOf(root);
      return arrangeBy(namedLayouts.get(names[other % names.length]!)!(panes.length), panes);
    }
    if (what === 'swap') return panesOf(root).includes(second) ? swapped(root, chosen, second) : root;
    const border = borderOf(root, within, chosen.pane, other % 2 === 0 ? 'columns' : 'rows');
    return border ? moveBorder(root, within, border, by) : root;
  }
});

function whole(node: LayoutNode): void {
  if (node.type === 'pane') return;
  expect(node.children.length).toBeGreaterThan(1);
  expect(node.weights).toHaveLength(node.children.length);
  for (const weight of node.weights) expect(weight).toBeGreaterThan(0);
  for (const child of node.children) whole(child);
}
