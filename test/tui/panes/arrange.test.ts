import { expect, it } from 'vitest';
import type { LayoutNode, PaneNode } from '../../../src/rpc/api/layout.ts';
import { arrangeBy, evened, namedLayouts, swapped } from '../../../src/tui/panes/arrange.ts';

const tree = { columns: [{ weight: 2 }, { rows: [{}, { weight: 3 }] }] };
const pane = (name: string): PaneNode => ({ type: 'pane', pane: name, instance: `shell:${name}` });
const words = (node: LayoutNode): string =>
  node.type === 'pane'
    ? node.pane
    : `${node.axis}(${node.children.map((child, index) => `${node.weights[index]}:${words(child)}`).join(' ')})`;

it.each([
  ['as many as there are places', 'abc', 'columns(2:a 1:rows(1:b 3:c))'],
  ['fewer', 'ab', 'columns(2:a 1:b)'],
  ['one alone', 'a', 'a'],
  ['more', 'abcd', 'columns(2:a 1:rows(1:b 3:rows(1:c 1:d)))'],
])('gives panes their places: %s', (_, panes, arranged) => {
  expect(words(arrangeBy(tree, [...panes].map(pane)))).toBe(arranged);
});

it('stacks them where a layout is one place only', () => {
  expect(words(arrangeBy({}, ['a', 'b'].map(pane)))).toBe('rows(1:a 1:b)');
});

it.each([
  ['even-horizontal', 'abc', 'columns(1:a 1:b 1:c)'],
  ['even-vertical', 'abc', 'rows(1:a 1:b 1:c)'],
  ['main-horizontal', 'abc', 'rows(2:a 1:columns(1:b 1:c))'],
  ['main-vertical', 'abc', 'columns(2:a 1:rows(1:b 1:c))'],
  ['main-vertical', 'ab', 'columns(2:a 1:b)'],
  ['tiled', 'ab', 'rows(1:a 1:b)'],
  ['tiled', 'abc', 'rows(1:columns(1:a 1:b) 1:c)'],
  ['tiled', 'abcdefg', 'rows(1:columns(1:a 1:b 1:c) 1:columns(1:d 1:e 1:f) 1:g)'],
])('knows %s, here of %s', (name, panes, arranged) => {
  const of = namedLayouts.get(name);
  expect(words(arrangeBy(of?.(panes.length) ?? {}, [...panes].map(pane)))).toBe(arranged);
  expect(words(arrangeBy(of?.(1) ?? {}, [pane('a')]))).toBe('a');
});

it('evens by the panes that stand in a line', () => {
  const nested = arrangeBy({ columns: [{}, { weight: 9, rows: [{ columns: [{}, { weight: 7 }] }, {}] }] }, [
    ...[...'abcd'].map(pane),
  ]);
  expect(words(evened(nested))).toBe('columns(1:a 2:rows(1:columns(1:b 1:c) 1:d))');
});

it('swaps two panes, with what they show, and nothing else', () => {
  const before = arrangeBy(tree, [...'abc'].map(pane));
  expect(swapped(before, pane('a'), pane('c'))).toEqual(arrangeBy(tree, [...'cba'].map(pane)));
});
