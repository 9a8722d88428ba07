/** Commands about programs: open, end, start again, forget, share. */
import { basename } from 'node:path';
import { operatorApi } from '../../rpc/api/index.ts';
import type { Placement } from '../../rpc/api/instances.ts';
import { keyFor } from '../keymap.ts';
import { HoldMode } from '../modes/hold-mode.ts';
import { InstanceList } from '../modes/instance-list.ts';
import { QuestionMode } from '../modes/question-mode.ts';
import type { Ui } from '../ui.ts';
import { instances, words } from './choices.ts';
import { type Command, CommandError } from './command.ts';

export const instanceCommands: readonly Command[] = [
  {
    name: 'open',
    usage: '[--shell] [--name NAME] [--right|--down|--tab] [--] PROGRAM [ARGUMENT...]',
    help: 'open a Tick (--shell: an ordinary program) beside the focused pane',
    async run(ui, typed) {
      await open(ui, readOpen(typed));
    },
  },
  {
    name: 'split',
    usage: 'right|down',
    help: 'open a shell beside the focused pane',
    choices: () => words('right', 'down'),
    async run(ui, [direction = 'right']) {
      if (direction !== 'right' && direction !== 'down') {
        throw new CommandError('Say "split right" or "split down".');
      }
      await open(ui, { command: [], shell: true, name: undefined, where: direction });
    },
  },
  {
    name: 'new-tab',
    usage: '[NAME]',
    help: 'open a shell in a new tab',
    async run(ui, name) {
      const tab = name.join(' ');
      await open(ui, { command: [], shell: true, name: undefined, where: 'tab', ...(tab ? { tab } : {}) });
    },
  },
  {
    name: 'close',
    usage: '[INSTANCE]',
    help: 'end a program (asks first); its pane keeps the last screen',
    choices: (ui) => instances(ui, ({ status }) => status !== 'ended'),
    run: (ui, [id]) => askToClose(ui, chosen(ui, id)),
  },
  {
    name: 'restart',
    usage: '[INSTANCE]',
    help: 'start an ended program again',
    choices: (ui) => instances(ui, ({ status }) => status === 'ended'),
    async run(ui, [id]) {
      await ui.client.request(operatorApi.restart, { instance: chosen(ui, id) });
    },
  },
  {
    name: 'forget',
    usage: '[INSTANCE]',
    help: 'remove an ended program, with its panes',
    choices: (ui) => instances(ui, ({ status }) => status === 'ended'),
    async run(ui, [id]) {
      await ui.client.request(operatorApi.forget, { instance: chosen(ui, id) });
    },
  },
  {
    name: 'share',
    usage: '[INSTANCE]',
    help: 'let every agent see the screen',
    choices: (ui) => instances(ui, ({ shared }) => !shared),
    run: (ui, [id]) => share(ui, chosen(ui, id), true),
  },
  {
    name: 'unshare',
    usage: '[INSTANCE]',
    help: 'agents no longer see the screen',
    choices: (ui) => instances(ui, ({ shared }) => shared),
    run: (ui, [id]) => share(ui, chosen(ui, id), false),
  },
  {
    name: 'instances',
    help: 'list all instances',
    run: (ui) => ui.push(new InstanceList(ui)),
  },
];

/** The named instance, or the focused one. */
function chosen(ui: Ui, id: string | undefined): string {
  const instance = id === undefined ? ui.view.focusedInstance : ui.view.instance(id);
  if (instance) return instance.instance;
  throw new CommandError(
    id === undefined
      ? 'No pane has the focus: name an instance.'
      : `There is no instance "${id}": ${keyFor(ui.keymap, 'instances')} lists them.`,
  );
}

/** Ends a program once the person said yes. */
export function askToClose(ui: Ui, id: string): void {
  const instance = ui.view.instance(id);
  if (instance?.status === 'ended') {
    throw new CommandError(
      `${id} has ended already: ${keyFor(ui.keymap, 'restart')} starts it again, ${keyFor(ui.keymap, 'remove-pane')} removes its pane.`,
    );
  }
  ui.push(
    new QuestionMode(ui, `End ${id} ${instance?.title ?? ''}?`, async () => {
      await ui.client.request(operatorApi.close, { instance: id });
    }),
  );
}

async function share(ui: Ui, instance: string, shared: boolean): Promise<void> {
  await ui.client.request(operatorApi.share, { instance, shared });
  ui.say(shared ? `Agents may see the screen of ${instance}.` : `Agents no longer see ${instance}.`);
}

interface Opening {
  readonly command: readonly string[];
  readonly shell: boolean;
  readonly name: string | undefined;
  readonly where: 'right' | 'down' | 'tab';
  /** Name of the new tab. */
  readonly tab?: string;
}

function readOpen(words: readonly string[]): Opening {
  let shell = false;
  let where: Opening['where'] = 'right';
  let name: string | undefined;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--shell') shell = true;
    else if (word === '--right' || word === '--down' || word === '--tab')
      where = word.slice(2) as typeof where;
    else if (word === '--name') name = words[++at];
    else if (word === '--') {
      at++;
      break;
    } else if (word.startsWith('-')) throw new CommandError(`open knows no "${word}".`);
    else break;
  }
  const command = words.slice(at);
  if (command.length === 0 && !shell) {
    throw new CommandError('Which program? For example: open -- counter, or open --shell -- htop');
  }
  return { command, shell, name, where };
}

/** Asks the host, holds what is typed meanwhile, and focuses the new pane. */
async function open(ui: Ui, { command, shell, name, where, tab }: Opening): Promise<void> {
  const beside = ui.view.focusedPane;
  const place: Placement =
    where === 'tab' || !beside
      ? { in: 'tab', ...(tab === undefined ? {} : { name: tab }) }
      : { in: 'split', pane: beside.pane, direction: where };
  // Whoever asks for a pane types on for that pane, not for the one that has the focus until it is there.
  ui.home();
  const hold = new HoldMode(ui);
  ui.push(hold);
  const unsay = ui.say(`Opening ${name ?? basename(command[0] ?? 'a shell')} …`);
  try {
    const opened = await ui.client.request(operatorApi.open, {
      ...(command.length > 0 ? { command: [...command] } : {}),
      ...(shell ? { shell } : {}),
      ...(name === undefined ? {} : { name }),
      ...(beside ? { cwd_of: beside.instance } : {}),
      place,
    });
    if (opened.pane === undefined) hold.release();
    else ui.view.focus(opened.pane, () => hold.release());
    unsay();
  } catch (error) {
    hold.release();
    throw error;
  }
}
