/** The layout as bookkeeping: what opening, splitting and removing panes make of the tabs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LayoutModel, panesOf } from '../../src/host/layout.ts';
import { RpcError } from '../../src/rpc/api/errors.ts';
import type { LayoutNode } from '../../src/rpc/api/layout.ts';

function model() {
  let changes = 0;
  const layout = new LayoutModel(() => changes++);
  const tab = (instance: string, name = '') => layout.place(instance, { in: 'tab', name }, instance);
  const split = (instance: string, pane: string, direction: 'right' | 'down') =>
    layout.place(instance, { in: 'split', pane, direction }, instance);
  return { layout, tab, split, changes: () => changes };
}

/** A layout in one line: `|` between what is beside each other, `-` between what is one above the other. */
function drawn(node: LayoutNode): string {
  if (node.type === 'pane') return node.instance;
  const parts = node.children.map((child, index) => `${drawn(child)}:${node.weights[index]}`);
  return `(${parts.join(node.axis === 'columns' ? '|' : '-')})`;
}

describe('placing', () => {
  test('makes tabs, named or by what they show, and splits', () => {
    const { layout, tab, split } = model();
    const a = tab('a');
    expect(a).toEqual({ pane: 'pane:1', tab: 'tab:1' });
    expect(tab('b', 'mine')).toEqual({ pane: 'pane:2', tab: 'tab:2' });
    expect(split('c', a.pane, 'right')).toEqual({ pane: 'pane:3', tab: 'tab:1' });
    expect(split('d', 'pane:3', 'down').tab).toBe('tab:1');
    expect(layout.tabs.map((one) => [one.name, drawn(one.root)])).toEqual([
      ['a', '(a:1|(c:1-d:1):1)'],
      ['mine', 'b'],
    ]);
  });

  test('in the same direction takes half of the neighbour alone', () => {
    const { layout, tab, split } = model();
    const a = tab('a');
    const b = split('b', a.pane, 'right');
    split('c', b.pane, 'right');
    split('d', a.pane, 'right');
    expect(drawn(layout.tabs[0]!.root)).toBe('(a:0.5|d:0.5|b:0.5|c:0.5)');
  });

  test('beside a pane that is not there is refused, and beyond the most panes', () => {
    const { layout, tab, split, changes } = model();
    expect(() => split('a', 'pane:1', 'right')).toThrow(RpcError);
    expect(() => layout.pane('pane:1')).toThrow('There is no pane:1');
    expect(changes()).toBe(0);
    for (let n = 0; n < 256; n++) tab('a');
    expect(() => tab('a')).toThrow('256 panes');
  });
});

describe('removing', () => {
  test.each([
    ['a', '(d:1|b:0.5|c:0.5)'],
    ['d', '(a:1|b:0.5|c:0.5)'],
    ['b', '(a:0.5|d:1|c:0.5)'],
    ['c', '(a:0.5|d:0.5|b:1)'],
  ])('%s gives its room to the one before it, or behind the first', (gone, left) => {
    const { layout, tab, split } = model();
    const a = tab('a');
    const b = split('b', a.pane, 'right');
    split('c', b.pane, 'right');
    split('d', a.pane, 'right');
    layout.removeInstance(gone);
    expect(drawn(layout.tabs[0]!.root)).toBe(left);
  });

  test('a pane takes its tab along when it is the last, and its split when one is left', () => {
    const { layout, tab, split } = model();
    const a = tab('a');
    const b = split('b', a.pane, 'right');
    split('c', b.pane, 'down');
    layout.removePane(b.pane);
    expect(drawn(layout.tabs[0]!.root)).toBe('(a:1|c:1)');
    layout.removePane(a.pane);
    expect(drawn(layout.tabs[0]!.root)).toBe('c');
    layout.removePane('pane:3');
    expect(layout.tabs).toEqual([]);
    expect(() => layout.removePane('pane:3')).toThrow('There is no pane:3');
    expect(tab('d')).toEqual({ pane: 'pane:4', tab: 'tab:2' });
  });

  test('an instance removes all its panes, in every tab', () => {
    const { layout, tab, split } = model();
    const a = tab('a');
    split('b', a.pane, 'right');
    tab('a');
    expect(layout.removeInstance('a')).toBe(2);
    expect(layout.tabs.map(({ root }) => drawn(root))).toEqual(['b']);
    expect(layout.shows('a')).toBe(false);
    expect(layout.removeInstance('a')).toBe(0);
  });
});

describe('moving a pane', () => {
  test('puts it beside another one, or in a new tab, with what it shows; an empty tab goes', () => {
    const { layout, tab, split, changes } = model();
    const a = tab('a');
    const b = split('b', a.pane, 'right');
    const c = tab('c');
    const before = changes();
    expect(layout.movePane(b.pane, { in: 'split', pane: c.pane, direction: 'down' }, 'x')).toEqual({
      tab: c.tab,
    });
    expect(layout.tabs.map(({ root }) => drawn(root))).toEqual(['a', '(c:1-b:1)']);
    expect(layout.pane(b.pane)).toEqual({ type: 'pane', pane: b.pane, instance: 'b' });
    expect(layout.movePane(a.pane, { in: 'split', pane: c.pane, direction: 'right' }, 'x').tab).toBe(c.tab);
    expect(layout.tabs.map(({ root }) => drawn(root))).toEqual(['((c:1|a:1):1-b:1)']);
    expect(layout.movePane(c.pane, { in: 'tab' }, 'c again')).toEqual({ tab: 'tab:3' });
    expect(layout.tabs.map(({ name, root }) => [name, drawn(root)])).toEqual([
      ['c', '(a:1-b:1)'],
      ['c again', 'c'],
    ]);
    expect(layout.movePane(b.pane, { in: 'split', pane: a.pane, direction: 'right' }, 'x').tab).toBe(c.tab);
    expect(drawn(layout.tabs[0]!.root)).toBe('(a:1|b:1)');
    expect(changes()).toBe(before + 4);
  });

  test('beside itself or nobody is refused, and changes nothing', () => {
    const { layout, tab, split, changes } = model();
    const a = tab('a');
    split('b', a.pane, 'right');
    const before = [changes(), structuredClone(layout.tabs)];
    const move = (pane: string, beside: string) => () =>
      layout.movePane(pane, { in: 'split', pane: beside, direction: 'right' }, 'x');
    expect(move(a.pane, a.pane)).toThrow('pane:1 cannot stand beside itself: name another pane.');
    expect(move(a.pane, 'pane:9')).toThrow('There is no pane:9');
    expect(move('pane:9', a.pane)).toThrow('There is no pane:9');
    expect([changes(), layout.tabs]).toEqual(before);
  });
});

test('a tab is renamed', () => {
  const { layout, tab } = model();
  layout.renameTab(tab('a').tab, 'x');
  expect(layout.tabs[0]?.name).toBe('x');
  expect(() => layout.renameTab('tab:9', 'x')).toThrow('There is no tab:9');
});

test('whatever is done, each pane is there once, no split is idle, and every weight counts', () => {
  const step = fc.record({
    what: fc.constantFrom('tab', 'right', 'down', 'remove', 'forget'),
    pick: fc.nat(),
    instance: fc.constantFrom('a', 'b', 'c'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { layout, tab, split } = model();
      let count = 0;
      const all = () => layout.tabs.flatMap(({ root }) => panesOf(root));
      for (const { what, pick, instance } of steps) {
        const panes = all();
        const chosen = panes[pick % Math.max(1, panes.length)]?.pane;
        if (what === 'forget') count -= layout.removeInstance(instance);
        else if (chosen === undefined || what === 'tab') {
          tab(instance);
          count++;
        } else if (what === 'remove') {
          layout.removePane(chosen);
          count--;
        } else {
          split(instance, chosen, what as 'right' | 'down');
          count++;
        }
        expect(new Set(all().map(({ pane }) => pane)).size).toBe(count);
        expect(all()).toHaveLength(count);
        for (const { root } of layout.tabs) checkSplits(root);
      }
    }),
    { seed: 20_261_130, numRuns: 200 },
  );
});

function checkSplits(node: LayoutNode): void {
  if (node.type === 'pane') return;
  expect(node.children.length).toBeGreaterThan(1);
  expect(node.weights).toHaveLength(node.children.length);
  for (const weight of node.weights) expect(weight).toBeGreaterThan(0);
  for (const child of node.children) checkSplits(child);
}
