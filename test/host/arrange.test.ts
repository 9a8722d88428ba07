/** Arranging the panes of a tab: exactly those that are there, or not at all. */
import { expect, it, vi } from 'vitest';
import { LayoutModel } from '../../src/host/layout.ts';
import type { Arrangement } from '../../src/rpc/api/layout.ts';

function threePanes() {
  const changed = vi.fn();
  const layout = new LayoutModel(changed);
  const { pane, tab } = layout.place('shell:1', { in: 'tab' }, 'one');
  layout.place('shell:2', { in: 'split', pane, direction: 'right' }, '');
  layout.place('shell:3', { in: 'split', pane, direction: 'right' }, '');
  layout.place('shell:4', { in: 'tab' }, 'two');
  changed.mockClear();
  return { layout, tab, changed };
}
const pane = (number: number): Arrangement => ({ type: 'pane', pane: `pane:${number}` });
const split = (axis: 'columns' | 'rows', children: Arrangement[], weights: number[]): Arrangement => ({
  type: 'split',
  axis,
  children,
  weights,
});

it('puts each pane where it is told, with its instance', () => {
  const { layout, tab, changed } = threePanes();
  layout.arrange(tab, split('columns', [pane(3), split('rows', [pane(1), pane(2)], [1, 3])], [2, 1]));
  expect(layout.tabs[0]?.root).toEqual({
    type: 'split',
    axis: 'columns',
    weights: [2, 1],
    children: [
      { type: 'pane', pane: 'pane:3', instance: 'shell:3' },
      {
        type: 'split',
        axis: 'rows',
        weights: [1, 3],
        children: [
          { type: 'pane', pane: 'pane:1', instance: 'shell:1' },
          { type: 'pane', pane: 'pane:2', instance: 'shell:2' },
        ],
      },
    ],
  });
  expect(changed).toHaveBeenCalledOnce();
});

const deep = (levels: number): Arrangement =>
  levels === 0 ? pane(1) : split('rows', [deep(levels - 1), pane(2)], [1, 1]);

it.each<[string, unknown, RegExp]>([
  ['leaves one out', split('rows', [pane(1), pane(2)], [1, 1]), /pane:3 of tab:1 has no place/],
  ['names one twice', split('rows', [pane(1), pane(2), pane(2)], [1, 1, 1]), /pane:2 .* twice/],
  ['names one of another tab', split('rows', [pane(1), pane(4)], [1, 1]), /pane:4 is not in that tab/],
  ['has a weight of nothing', split('rows', [pane(1), pane(2)], [1, 0]), /weight above 0/],
  ['has a weight that is no number', split('rows', [pane(1), pane(2)], [1, '2' as never]), /weight above 0/],
  ['has a weight beyond reason', split('rows', [pane(1), pane(2)], [1, 1e308]), /up to 1000000/],
  ['lacks a weight', split('rows', [pane(1), pane(2)], [1]), /one weight/],
  ['splits one', split('rows', [pane(1)], [1]), /less than two/],
  ['knows no axis', { type: 'split', axis: 'x', children: [pane(1), pane(2)], weights: [1, 1] }, /neither/],
  ['is nothing', null, /neither/],
  ['is nested without end', deep(1_000), /too deeply/],
])('refuses an arrangement that %s, and changes nothing', (_, root, words) => {
  const { layout, tab, changed } = threePanes();
  const before = structuredClone(layout.tabs);
  expect(() => layout.arrange(tab, root as Arrangement)).toThrow(words);
  expect(layout.tabs).toEqual(before);
  expect(changed).not.toHaveBeenCalled();
});
