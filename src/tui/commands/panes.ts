/** Commands about tabs, panes, focus and zoom. What moves the focus also leaves card and inspector: keys go where it is. */
import { operatorApi } from '../../rpc/api/index.ts';
import { keyFor } from '../keymap.ts';
import { LineMode } from '../modes/line-mode.ts';
import { directions, isDirection, neighbour, panesOf } from '../panes/geometry.ts';
import type { Ui } from '../ui.ts';
import { instances, tabs, words } from './choices.ts';
import { type Command, CommandError } from './command.ts';

export const paneCommands: readonly Command[] = [
  {
    name: 'focus',
    usage: 'left|right|up|down|next',
    help: 'focus a pane',
    choices: () => words(...directions, 'next'),
    run(ui, [where = 'next']) {
      const pane = where === 'next' ? nextPane(ui) : paneTowards(ui, where);
      ui.home();
      if (pane !== undefined) ui.view.focus(pane);
    },
  },
  {
    name: 'zoom',
    help: 'show the focused pane alone, or all again',
    run(ui) {
      ui.home();
      ui.view.toggleZoom();
    },
  },
  {
    name: 'remove-pane',
    help: 'remove the focused pane; a program that runs goes on',
    async run(ui) {
      const pane = ui.view.focusedPane;
      if (!pane) throw new CommandError('There is no pane to remove.');
      const panes = ui.view.tabs.flatMap(({ root }) => panesOf(root));
      const shownElsewhere = panes.some(
        (other) => other.instance === pane.instance && other.pane !== pane.pane,
      );
      if (ui.view.focusedInstance?.status === 'ended' && !shownElsewhere) {
        await ui.client.request(operatorApi.forget, { instance: pane.instance });
        return;
      }
      await ui.client.request(operatorApi.removePane, { pane: pane.pane });
      ui.say(`${pane.instance} goes on without a pane: ${keyFor(ui.keymap, 'instances')} shows it again.`);
    },
  },
  {
    name: 'show',
    usage: 'INSTANCE',
    help: 'focus the pane of an instance, or give it one',
    choices: (ui) => instances(ui),
    async run(ui, [id]) {
      if (id === undefined || !ui.view.instance(id)) {
        throw new CommandError(`Which instance? ${keyFor(ui.keymap, 'instances')} lists them.`);
      }
      await showInstance(ui, id);
    },
  },
  {
    name: 'rename',
    usage: '[NAME]',
    help: 'name the current tab',
    run(ui, typed) {
      const { tab } = ui.view;
      if (!tab) throw new CommandError('There is no tab to name.');
      const rename = async (name: string) => {
        if (name.trim() !== '')
          await ui.client.request(operatorApi.renameTab, { tab: tab.tab, name: name.trim() });
      };
      if (typed.length > 0) return rename(typed.join(' '));
      ui.push(new LineMode(ui, { label: 'Name of the tab: ', text: tab.name, done: rename }));
    },
  },
  { name: 'next-tab', help: 'the next tab', run: (ui) => turn(ui, 1) },
  { name: 'previous-tab', help: 'the previous tab', run: (ui) => turn(ui, -1) },
  {
    name: 'tab',
    usage: 'NUMBER',
    help: 'the tab with that number',
    choices: tabs,
    run(ui, [number]) {
      if (!ui.view.selectTab(Number(number) - 1)) throw new CommandError(`There is no tab ${number ?? ''}.`);
      ui.home();
    },
  },
];

/** Focuses a pane of the instance, or gives it one beside the focused pane. */
export async function showInstance(ui: Ui, instance: string): Promise<void> {
  ui.home();
  const pane = ui.view.paneOf(instance);
  if (pane !== undefined) {
    ui.view.focus(pane);
    ui.refresh();
    return;
  }
  const beside = ui.view.focusedPane?.pane;
  const shown = await ui.client.request(operatorApi.showInstance, {
    instance,
    ...(beside === undefined ? {} : { beside, direction: 'right' as const }),
  });
  ui.view.focus(shown.pane);
  ui.refresh();
}

function turn(ui: Ui, by: number): void {
  ui.home();
  const count = ui.view.tabs.length;
  if (count > 0) ui.view.selectTab((ui.view.tabIndex + by + count) % count);
}

function nextPane(ui: Ui): string | undefined {
  if (!ui.view.tab) return undefined;
  const panes = panesOf(ui.view.tab.root);
  const at = panes.findIndex(({ pane }) => pane === ui.view.focusedPane?.pane);
  return panes[(at + 1) % panes.length]?.pane;
}

function paneTowards(ui: Ui, where: string): string | undefined {
  if (!isDirection(where)) throw new CommandError('Say focus left, right, up, down or next.');
  const from = ui.view.focusedPane?.pane;
  return from === undefined ? undefined : neighbour(ui.placed, from, where);
}
