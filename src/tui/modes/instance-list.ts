/** All instances, those without a pane too: to show, end or start again. */

import { visible } from '../../cells/visible.ts';
import { stringColumns } from '../../cells/widths.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import type { Instance } from '../../rpc/api/instances.ts';
import { askToClose } from '../commands/instances.ts';
import { showInstance } from '../commands/panes.ts';
import { actionOf, keyFor, type ListAction, listKeys, stepOf } from '../keymap.ts';
import { keyOf } from '../keys.ts';
import type { Mode, Popup } from '../mode.ts';
import type { Token } from '../stage/index.ts';
import { type Line, padEnd, span } from '../text.ts';
import type { Ui } from '../ui.ts';

export class InstanceList implements Mode {
  readonly name = 'instances';
  readonly #ui: Ui;
  /** The chosen one: by id, since the list may change under the cursor. */
  #chosen: string | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#chosen = ui.view.focusedPane?.instance;
  }

  get #instances(): readonly Instance[] {
    return this.#ui.view.picture.instances;
  }

  get #index(): number {
    return Math.max(
      0,
      this.#instances.findIndex(({ instance }) => instance === this.#chosen),
    );
  }

  token(token: Token): void {
    const action = actionOf(listKeys, keyOf(token));
    if (action === undefined) return;
    try {
      void this.#act(action)?.catch((error: unknown) => this.#ui.complain(error));
    } catch (error) {
      this.#ui.complain(error);
    }
    this.#ui.refresh();
  }

  #act(action: ListAction): Promise<unknown> | undefined {
    const instance = this.#instances[this.#index];
    const step = stepOf(action, 10);
    if (step !== undefined) this.#move(this.#index + step);
    if (action === 'leave') this.#ui.pop(this);
    if (!instance) return;
    if (action === 'close') askToClose(this.#ui, instance.instance);
    if (action === 'restart') {
      return this.#ui.client.request(operatorApi.restart, { instance: instance.instance });
    }
    if (action === 'show') {
      this.#ui.pop(this);
      return showInstance(this.#ui, instance.instance);
    }
    return;
  }

  #move(index: number): void {
    const at = Math.max(0, Math.min(this.#instances.length - 1, index));
    this.#chosen = this.#instances[at]?.instance;
  }

  hints() {
    return [
      ['↑ ↓', 'choose'],
      ['Enter', 'show'],
      ['x', 'end'],
      ['R', 'restart'],
      ['Esc', 'back'],
    ] as const;
  }

  popup(): Popup {
    const { keymap } = this.#ui;
    const { styles } = this.#ui.theme;
    const names = this.#instances.map(({ instance, title }) => `${instance} ${visible(title)}`);
    const width = Math.min(40, Math.max(10, ...names.map(stringColumns)));
    const lines: Line[] = this.#instances.map((instance, index) => {
      const chosen = index === this.#index;
      const style = chosen ? styles.selection : instance.status === 'ended' ? styles.dim : styles.text;
      return [span(` ${padEnd(names[index] as string, width)}   ${this.#standing(instance)} `, style)];
    });
    if (lines.length === 0)
      lines.push([
        span(
          ` None yet: ${keyFor(keymap, 'new-tab')} opens a shell, ${keyFor(keymap, 'palette')} open a Tick.`,
          styles.dim,
        ),
      ]);
    return { title: 'Instances', lines, selected: this.#index };
  }

  #standing(instance: Instance): string {
    const { status, ended, waiting, silently_changed } = instance;
    const pane = this.#ui.view.paneOf(instance.instance) === undefined ? '   no pane' : '';
    const broken = silently_changed === undefined ? '' : '   changed a tool silently: see Tools';
    const asks = waiting > 0 ? `   ${waiting} waiting` : '';
    return `${status === 'ended' ? visible(ended ?? 'ended') : status}${asks}${broken}${pane}${this.#news(instance.instance)}`;
  }

  #news(id: string): string {
    const { news, settings } = this.#ui;
    const heard = news.of([id]);
    if (heard === 'bell') return '   bell';
    return heard === 'activity' && settings.activity ? '   new output' : '';
  }
}
