/** Commands about the session and this view of it. */
import { operatorApi } from '../../rpc/api/index.ts';
import { callWords } from '../call-words.ts';
import { counted } from '../count.ts';
import { keyFor } from '../keymap.ts';
import { controlToken } from '../keys.ts';
import { CardMode } from '../modes/card-mode.ts';
import { CopyMode } from '../modes/copy-mode.ts';
import { HelpMode } from '../modes/help-mode.ts';
import { InspectorMode } from '../modes/inspector-mode.ts';
import { PaletteMode } from '../modes/palette-mode.ts';
import { QuestionMode } from '../modes/question-mode.ts';
import { typeToken } from '../type-token.ts';
import type { Ui } from '../ui.ts';
import { words } from './choices.ts';
import { type Command, CommandError } from './command.ts';

export const sessionCommands: readonly Command[] = [
  {
    name: 'approve',
    usage: '[CALL]',
    help: 'open the card of a waiting call, the oldest by default',
    choices: (ui) => ui.view.picture.waiting.map((call) => ({ word: call.call, detail: callWords(call) })),
    run(ui, [call = ui.view.picture.waiting[0]?.call]) {
      if (call === undefined) throw new CommandError('Nothing waits for approval.');
      if (!ui.view.call(call)) throw new CommandError(`There is no call "${call}".`);
      CardMode.open(ui, call);
    },
  },
  {
    name: 'panic',
    help: 'stop all dispatching of calls; again: let it go on',
    async run(ui) {
      const stopped = ui.view.picture.stopped === undefined;
      await ui.client.request(operatorApi.panic, { stopped });
      ui.say(
        stopped
          ? `All dispatching is stopped: ${keyFor(ui.keymap, 'panic')} lets it go on.`
          : 'Calls are dispatched again.',
        stopped ? 'error' : 'info',
      );
    },
  },
  {
    name: 'inspector',
    help: 'to the inspector; from there: hide it',
    run(ui) {
      if (ui.find('inspector')) {
        ui.home();
        showInspector(ui, false);
        return;
      }
      ui.home();
      showInspector(ui, true);
      ui.push(new InspectorMode(ui));
    },
  },
  {
    name: 'hide-inspector',
    help: 'hide the inspector',
    run: (ui) => showInspector(ui, false),
  },
  {
    name: 'copy-mode',
    help: 'scroll back in the focused pane, search and copy',
    run(ui) {
      ui.home();
      return CopyMode.enter(ui);
    },
  },
  {
    name: 'paste',
    help: 'paste what was copied last',
    run(ui) {
      const { text } = ui.buffer;
      if (text === '')
        throw new CommandError(`Nothing was copied yet: ${keyFor(ui.keymap, 'copy-mode')} does.`);
      ui.home();
      // A terminal sends carriage returns for the ends of lines.
      const data = Buffer.from(text.replaceAll('\n', '\r'));
      ui.replay([{ type: 'paste', data, bytes: data, first: true, last: true }]);
    },
  },
  { name: 'help', help: 'list the keys', run: (ui) => ui.push(new HelpMode(ui)) },
  { name: 'palette', help: 'this list', run: (ui) => ui.push(new PaletteMode(ui)) },
  {
    name: 'theme',
    usage: 'NAME',
    help: 'colours and glyphs; the screen shows the chosen one',
    choices: (ui) => words(...new Set(ui.settings.themes.map(({ name }) => name))),
    run(ui, [name = '']) {
      const { themes } = ui.settings;
      const theme = themes.findLast((one) => one.name === name);
      if (!theme) {
        throw new CommandError(
          `There is no theme "${name}": take one of ${themes.map((known) => known.name).join(', ')}.`,
        );
      }
      ui.theme = theme;
      ui.remember({ theme: name });
    },
  },
  { name: 'detach', help: 'detach; everything goes on', run: (ui) => ui.end({ reason: 'detached' }) },
  { name: 'suspend', help: 'suspend tickmux', run: (ui) => ui.stage.suspend() },
  { name: 'redraw', help: 'draw the screen again', run: (ui) => ui.stage.repaint() },
  {
    name: 'send-prefix',
    help: 'send the prefix key to the focused pane',
    run(ui) {
      const instance = ui.view.focusedPane?.instance;
      if (instance) typeToken(ui, instance, controlToken(ui.keymap.prefix));
    },
  },
  {
    name: 'kill-session',
    help: 'end every program and the host (asks first)',
    run(ui) {
      const { session, instances } = ui.view.picture;
      const running = instances.filter(({ status }) => status !== 'ended').length;
      ui.push(
        new QuestionMode(
          ui,
          `End session ${session} with ${counted(running, 'program', 'running')}?`,
          async () => {
            ui.killing = true;
            await ui.client.request(operatorApi.kill, {});
            ui.end({ reason: 'killed' });
          },
        ),
      );
    },
  },
];

function showInspector(ui: Ui, shown: boolean): void {
  ui.inspectorShown = shown;
  ui.remember({ inspector: shown ? 'shown' : 'hidden' });
}
