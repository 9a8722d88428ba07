/** Commands about where the panes of a tab stand and how large they are. All of them show the whole tab again. */
import { operatorApi } from '../../rpc/api/index.ts';
import type { LayoutNode, Tab } from '../../rpc/api/layout.ts';
import { HoldMode } from '../modes/hold-mode.ts';
import { ResizeMode } from '../modes/resize-mode.ts';
import { arrangeBy, evened, namedLayouts, swapped } from '../panes/arrange.ts';
import { borderOf, moveBorder } from '../panes/borders.ts';
import {
  type Axis,
  type Direction,
  directions,
  isDirection,
  neighbour,
  panesOf,
  placePanes,
} from '../panes/geometry.ts';
import type { Ui } from '../ui.ts';
import { tabs, words } from './choices.ts';
import { type Command, CommandError } from './command.ts';

export const arrangeCommands: readonly Command[] = [
  {
    name: 'resize',
    usage: '[left|right|up|down [CELLS]]',
    help: 'move the border of the focused pane; by keys when nothing follows',
    choices: () => words(...directions),
    run(ui, [where, cells = '1']) {
      if (where === undefined) {
        if (panesOf(currentTab(ui).root).length < 2) {
          throw new CommandError('The pane is alone in its tab: there is no border to move.');
        }
        ui.home();
        ui.view.unzoom();
        ui.push(new ResizeMode(ui));
        return;
      }
      if (!isDirection(where) || !/^[1-9]\d{0,3}$/.test(cells)) {
        throw new CommandError('Say resize left, right, up or down, and by how many cells.');
      }
      moveBorderOf(ui, where, Number(cells));
    },
  },
  {
    name: 'even',
    help: 'make the panes of the tab equal in size',
    run: (ui) => rearrange(ui, evened),
  },
  {
    name: 'swap',
    usage: directions.join('|'),
    help: 'the focused pane and the one beside it change places',
    choices: () => words(...directions),
    run(ui, [where]) {
      if (where === undefined || !isDirection(where)) {
        throw new CommandError('Say swap left, right, up or down.');
      }
      swapTowards(ui, where);
    },
  },
  {
    name: 'layout',
    usage: 'NAME',
    help: 'arrange the panes of the tab by a layout: your own, or one of those tmux has',
    choices: (ui) => words(...layoutNames(ui)),
    run(ui, typed) {
      const name = typed.join(' ');
      const saved = ui.settings.layouts.get(name);
      const named = namedLayouts.get(name);
      if (!saved && !named) {
        throw new CommandError(`There is no layout "${name}": take one of ${layoutNames(ui).join(', ')}.`);
      }
      rearrange(ui, (root) => {
        const panes = panesOf(root);
        return arrangeBy(saved ?? named?.(panes.length) ?? {}, panes);
      });
    },
  },
  {
    name: 'move-pane',
    usage: 'TAB|new',
    help: 'move the focused pane to the tab with that number, or to a new one',
    choices: (ui) => [...tabs(ui), ...words('new')],
    run: (ui, [where = '']) => movePane(ui, where),
  },
];

/** Of the configuration, then those that are always there. */
function layoutNames(ui: Ui): string[] {
  return [...new Set([...ui.settings.layouts.keys(), ...namedLayouts.keys()])];
}

function currentTab(ui: Ui): Tab {
  const { tab } = ui.view;
  if (!tab) throw new CommandError('There is no tab to arrange.');
  return tab;
}

/** Asks for what `arranged` makes of the tree of the current tab, if that is another one. */
function rearrange(ui: Ui, arranged: (root: LayoutNode) => LayoutNode): void {
  const tab = currentTab(ui);
  ui.view.unzoom();
  const before = ui.arranger.rootOf(tab);
  const after = arranged(before);
  if (after !== before) ui.arranger.arrange(tab.tab, after);
}

/** As tmux does: the border after the pane, or before it when there is none after it. */
function moveBorderOf(ui: Ui, direction: Direction, cells: number): void {
  const pane = ui.view.focusedPane?.pane;
  const area = ui.regions?.panes;
  if (pane === undefined || !area) return;
  const axis: Axis = direction === 'left' || direction === 'right' ? 'columns' : 'rows';
  const by = direction === 'left' || direction === 'up' ? -cells : cells;
  rearrange(ui, (root) => {
    const border = borderOf(root, area, pane, axis);
    return border ? moveBorder(root, area, border, by) : root;
  });
}

function swapTowards(ui: Ui, direction: Direction): void {
  const pane = ui.view.focusedPane;
  const area = ui.regions?.panes;
  if (!pane || !area) return;
  ui.home();
  // The focus was perhaps given to it only because it was the first.
  ui.view.focus(pane.pane);
  rearrange(ui, (root) => {
    const placed = placePanes(root, area);
    const beside = neighbour(placed, pane.pane, direction);
    const other = panesOf(root).find((node) => node.pane === beside);
    return other ? swapped(root, pane, other) : root;
  });
}

async function movePane(ui: Ui, where: string): Promise<void> {
  const { view } = ui;
  const pane = view.focusedPane;
  if (!pane || !view.tab) throw new CommandError('There is no pane to move.');
  const target = where === 'new' ? undefined : /^[1-9]\d*$/.test(where) ? view.tabs[Number(where) - 1] : null;
  if (target === null || (where !== 'new' && !target)) {
    throw new CommandError(
      `There is no tab "${where}": name one by its number, 1 to ${view.tabs.length}, or say new.`,
    );
  }
  if (target === view.tab) throw new CommandError(`The pane is in tab ${where} already.`);
  if (!target && panesOf(view.tab.root).length === 1) {
    throw new CommandError('The pane is alone in its tab already.');
  }
  ui.home();
  view.unzoom();
  // It keeps the focus on its way: what is typed meanwhile is for no other pane.
  const hold = new HoldMode(ui);
  ui.push(hold);
  try {
    const beside = target && view.focusedIn(target)?.pane;
    const { tab } = await ui.client.request(operatorApi.movePane, {
      pane: pane.pane,
      ...(beside === undefined ? {} : { beside }),
    });
    view.focus(pane.pane, () => hold.release(), tab);
  } catch (error) {
    hold.release();
    throw error;
  }
}
