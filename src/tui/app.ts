/**
 * The screen put together: stage, view, modes and the parts of the chrome, drawn from what they are now.
 * Wires only; what a key means or a line says is said elsewhere.
 */

import { visible } from '../cells/visible.ts';
import { stringColumns } from '../cells/widths.ts';
import { RpcError } from '../rpc/api/errors.ts';
import { operatorApi } from '../rpc/api/index.ts';
import type { Params } from '../rpc/api/message.ts';
import type { Client } from '../rpc/client.ts';
import { Ages } from './ages.ts';
import type { Clock } from './clock.ts';
import { CommandError } from './commands/command.ts';
import { runCommand } from './commands/index.ts';
import { CopyBuffer } from './copy/buffer.ts';
import { Scrollback } from './copy/scrollback.ts';
import { FirstClick } from './first-click.ts';
import { Inspector } from './inspector/inspector.ts';
import { keyFor } from './keymap.ts';
import { isBeside, keyOf } from './keys.ts';
import type { Mode } from './mode.ts';
import { MessageMode } from './modes/message-mode.ts';
import { PaneMode } from './modes/pane-mode.ts';
import { News } from './news.ts';
import { Outcomes } from './outcomes.ts';
import { Arranger } from './panes/arranger.ts';
import type { PlacedPane } from './panes/geometry.ts';
import { Grids } from './panes/grids.ts';
import { Router } from './router.ts';
import { Scene } from './scene.ts';
import type { Choices, TuiSettings } from './settings.ts';
import type { Stage, Token } from './stage/index.ts';
import type { Message } from './status-line.ts';
import type { Theme } from './theme.ts';
import { troubles } from './trouble.ts';
import type { TuiEnd, Ui } from './ui.ts';
import { ViewState } from './view-state.ts';

export interface AppOptions {
  readonly client: Client;
  readonly session: string;
  readonly mark: string;
  readonly stage: Stage;
  readonly clock: Clock;
  readonly settings: TuiSettings;
  /** Command lines of earlier views, newest last. */
  readonly history: readonly string[];
  remember(choices: Choices): void;
  /** What `views.attach` is told besides the size. */
  readonly attach: Omit<Params<typeof operatorApi.attach>, 'cols' | 'rows'>;
  /** The pane that has the focus at first; by default where the last view had it. */
  readonly pane?: string;
}

/** Modes whose keys need nothing on the screen. */
const alwaysHeard = new Set(['pane', 'prefix', 'hold', 'drag']);

export class App implements Ui {
  readonly client: Client;
  readonly stage: Stage;
  readonly clock: Clock;
  readonly view: ViewState;
  readonly news = new News();
  readonly grids: Grids;
  readonly scrollback: Scrollback;
  readonly buffer: CopyBuffer;
  readonly inspector: Inspector;
  readonly arranger: Arranger;
  readonly ages: Ages;
  readonly history: string[];
  readonly ended: Promise<TuiEnd>;
  settings: TuiSettings;
  previewed: Theme | undefined;
  inspectorShown: boolean;
  killing = false;
  readonly end: (end: TuiEnd) => void;
  #theme: Theme;
  readonly #router: Router;
  readonly #firstClick: FirstClick;
  readonly #scene: Scene;
  readonly #outcomes: Outcomes;
  readonly remember: (choices: Choices) => void;
  readonly #attach: AppOptions['attach'];
  readonly #firstPane: string | undefined;
  #message: Message | undefined;
  #bells: number | undefined;
  #due = false;
  #over = false;
  #cancelTimer: (() => void) | undefined;

  constructor({
    client,
    session,
    mark,
    stage,
    clock,
    settings,
    history,
    remember,
    attach,
    pane,
  }: AppOptions) {
    this.client = client;
    this.stage = stage;
    this.clock = clock;
    this.settings = settings;
    this.#theme = settings.theme;
    this.inspectorShown = settings.inspector;
    this.history = [...history];
    this.remember = remember;
    this.#attach = attach;
    this.#firstPane = pane;
    this.ages = new Ages(() => clock.now());
    this.view = new ViewState(session, mark);
    const refresh = () => this.refresh();
    this.scrollback = new Scrollback(this);
    this.buffer = new CopyBuffer(stage, (text) => this.say(text));
    this.grids = new Grids(client, stage, () => this.#scene.followProgram());
    this.inspector = new Inspector(client, this.view, refresh, (error) => this.say(wordsOf(error), 'error'));
    this.arranger = new Arranger(client, (error) => this.complain(error));
    this.#outcomes = new Outcomes((text, level) => this.say(text, level));
    this.#firstClick = new FirstClick(clock);
    this.#router = new Router(new PaneMode(this), refresh);
    this.#scene = new Scene(this, this.#router);
    let end: (end: TuiEnd) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.end = end;
    void this.ended.then(() => this.#stop());
  }

  /** Attaches and shows the session; rejects when the host refuses. */
  async start(): Promise<void> {
    const { cols, rows } = this.stage.size;
    this.client.on(operatorApi.changed, (picture) => {
      this.#outcomes.compare(picture, this.view.picture);
      this.view.accept(picture);
      this.news.accept(picture);
      this.arranger.pictured();
      this.#ring();
      this.refresh();
    });
    this.client.on(operatorApi.active, ({ instances }) => {
      this.news.changed(instances);
      this.refresh();
    });
    this.client.on(operatorApi.copied, ({ instance, text }) => {
      // The focus may have moved meanwhile: what a person does not look at copies nothing.
      if (this.settings.clipboard && this.view.focusedInstance?.instance === instance)
        this.buffer.copy(text, instance);
    });
    let endedBy: string | undefined;
    this.client.on(operatorApi.ended, ({ by }) => {
      if (this.killing) return;
      endedBy = visible(by);
      this.say(`The session is being ended by ${by}.`, 'warning');
    });
    void this.client.closed.then(() => {
      const message = 'The host of this session ended, or the connection to it broke.';
      if (endedBy !== undefined)
        this.end({
          reason: 'killed',
          message: `Session ${this.view.picture.session} was ended by ${endedBy}.`,
        });
      else this.end(this.killing ? { reason: 'killed' } : { reason: 'host-gone', message });
    });
    this.stage.onToken((token) => this.#receive(token));
    this.stage.onResize(() => this.refresh());
    const { pane } = await this.client.request(operatorApi.attach, { cols, rows, ...this.#attach });
    const first = this.#firstPane ?? pane;
    if (first !== undefined) this.view.focus(first);
    this.refresh();
  }

  get theme(): Theme {
    return this.previewed ?? this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
  }

  get keymap() {
    return this.settings.keymap;
  }

  /** Takes newer settings. What was chosen here since stays, unless that very setting changed. */
  configure(settings: TuiSettings): void {
    const { theme, inspector } = this.settings;
    this.settings = settings;
    if (JSON.stringify(settings.theme) !== JSON.stringify(theme)) this.theme = settings.theme;
    if (settings.inspector !== inspector) this.inspectorShown = settings.inspector;
    this.refresh();
  }

  get placed(): readonly PlacedPane[] {
    return this.#scene.placed;
  }

  get regions() {
    return this.#scene.regions;
  }

  push(mode: Mode): void {
    this.#router.push(mode);
  }

  pop(mode: Mode): void {
    this.#router.pop(mode);
  }

  find(name: string): Mode | undefined {
    return this.#router.modes.findLast((mode) => mode.name === name);
  }

  home(): void {
    const [, above] = this.#router.modes;
    if (above) this.#router.pop(above);
  }

  say(text: string, level: Message['level'] = 'info'): () => void {
    const message = { text: visible(text), level };
    this.#message = message;
    this.refresh();
    return () => {
      if (this.#message !== message) return;
      this.#message = undefined;
      this.refresh();
    };
  }

  complain(error: unknown): void {
    const text = wordsOf(error);
    this.say(text, 'error');
    const room = this.stage.size.cols - 2;
    if (!text.includes('\n') && stringColumns(visible(text)) <= room) return;
    const last = this.find('message');
    if (last) this.pop(last);
    this.push(new MessageMode(this, titleOfError(error), text));
  }

  run(line: string): void {
    void runCommand(this, line).finally(() => this.refresh());
  }

  replay(tokens: readonly Token[]): void {
    for (const token of tokens) this.#router.route(token);
  }

  get message(): Message | undefined {
    if (this.#message) return this.#message;
    const [trouble] = troubles(this.view.picture);
    if (trouble === undefined) return undefined;
    const way = this.view.picture.stopped ? `: ${keyFor(this.keymap, 'panic')} lets it go on` : '';
    return { text: `${trouble}${way}.`, level: 'error' };
  }

  refresh(): void {
    if (this.#due || this.#over) return;
    this.#due = true;
    queueMicrotask(() => this.#draw());
  }

  #draw(): void {
    this.#due = false;
    if (this.#over) return;
    this.#scene.draw();
    this.#cancelTimer?.();
    const next = this.ages.takeNext();
    this.#cancelTimer =
      next === undefined ? undefined : this.clock.delay(() => this.refresh(), Math.max(1_000, next));
  }

  #receive(token: Token): void {
    if (this.#firstClick.takes(token)) return;
    // What was said stays until somebody goes on.
    if (this.#message && (token.type === 'key' || token.type === 'text') && !isBeside(token)) {
      this.#message = undefined;
      this.refresh();
    }
    // Nobody answers a card or a question that cannot be seen.
    const hidden = !this.#scene.regions && !alwaysHeard.has(this.#router.top.name);
    if (!hidden || keyOf(token) === this.keymap.prefix) this.#router.route(token);
  }

  #ring(): void {
    const bells = this.view.picture.instances.reduce((sum, instance) => sum + instance.bells, 0);
    if (this.#bells !== undefined && bells > this.#bells) this.stage.bell();
    this.#bells = bells;
  }

  #stop(): void {
    this.#over = true;
    this.#cancelTimer?.();
    this.stage.dispose();
    this.client.close();
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function titleOfError(error: unknown): string {
  if (error instanceof RpcError) return 'The host refused this';
  return error instanceof CommandError ? 'This command cannot be run' : 'This did not work';
}
