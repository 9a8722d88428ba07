import { expect, it } from 'vitest';
import type { Arrangement } from '../../../src/rpc/api/layout.ts';
import { arrangeBy } from '../../../src/tui/panes/arrange.ts';

const tree = { columns: [{ weight: 2 }, { rows: [{}, { weight: 3 }] }] };
const words = (node: Arrangement): string =>
  node.type === 'pane'
    ? node.pane
    : `${node.axis}(${node.children.map((child, index) => `${node.weights[index]}:${words(child)}`).join(' ')})`;

it.each([
  ['as many as there are places', ['a', 'b', 'c'], 'columns(2:a 1:rows(1:b 3:c))'],
  ['fewer', ['a', 'b'], 'columns(2:a 1:b)'],
  ['one alone', ['a'], 'a'],
  ['more', ['a', 'b', 'c', 'd'], 'columns(2:a 1:rows(1:b 3:rows(1:c 1:d)))'],
])('gives panes their places: %s', (_, panes, arranged) => {
  expect(words(arrangeBy(tree, panes))).toBe(arranged);
});

it('stacks them where a layout is one place only', () => {
  expect(words(arrangeBy({}, ['a', 'b']))).toBe('rows(1:a 1:b)');
});
