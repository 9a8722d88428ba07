/**
 * Attached views: which instances each one shows, the frames it is sent, and the size it gives their
 * terminals. A view that does not acknowledge is sent nothing new and holds nobody up.
 */
import { encodeFrame } from '../cells/frame.ts';
import type { Outlet } from '../rpc/api/connection.ts';
import * as api from '../rpc/api/views.ts';
import { Activity } from './activity.ts';
import { Clipboard } from './clipboard.ts';
import type { Instance } from './instance.ts';
import type { Instances } from './instances.ts';

/** Bulk output is sent to a view at most this often, in milliseconds. */
const frameEveryMs = 16;

/** More bytes since the last frame than anybody reads: half as many frames leave the time to the other panes. */
const floodBytes = 32 * 1_024;
const floodFrameEveryMs = 33;

/** So few bytes of output since the last frame are an echo, which is sent at once. */
const echoBytes = 1_024;

/** A screen held back by its program (mode 2026) is looked at again after this time. */
const heldPollMs = 50;

interface Shown {
  cols: number;
  rows: number;
  /** Generation the view has acknowledged; 0 for nothing. */
  acknowledged: number;
  /** A frame is on its way to the view. */
  underWay: boolean;
  lastSentAt: number;
  /** `outputBytes` of the instance when the last frame was sent. */
  outputSent: number;
  timer: NodeJS.Timeout | undefined;
  /** The screen object the generations belong to: a restart brings another. */
  screen: Instance['screen'];
}

export class View {
  readonly id: string;
  readonly outlet: Outlet;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly shown = new Map<string, Shown>();
  /** What it is told of screens it does not show. */
  readonly activity: Activity;
  readonly clipboard: Clipboard;
  focused: string | undefined;

  constructor(id: string, outlet: Outlet, cwd: string, env: Readonly<Record<string, string>>) {
    this.id = id;
    this.outlet = outlet;
    this.cwd = cwd;
    this.env = env;
    this.activity = new Activity((instances) => outlet.notify(api.active, { instances }));
    this.clipboard = new Clipboard((copied) => outlet.notify(api.copied, copied));
  }
}

export class Views {
  readonly #instances: Instances;
  readonly #changed: () => void;
  readonly #views = new Set<View>();
  /** The view that last typed into an instance: it sets the size of the terminal. */
  readonly #owners = new Map<string, View>();
  /** The instance that had the focus last in any view: where the next one begins. */
  lastFocused: string | undefined;
  #next = 1;

  constructor(instances: Instances, changed: () => void) {
    this.#instances = instances;
    this.#changed = changed;
  }

  get count(): number {
    return this.#views.size;
  }

  all(): View[] {
    return [...this.#views];
  }

  attach(outlet: Outlet, cwd: string, env: Readonly<Record<string, string>>): View {
    const view = new View(`view:${this.#next++}`, outlet, cwd, env);
    this.#views.add(view);
    this.#changed();
    return view;
  }

  detach(view: View): void {
    for (const shown of view.shown.values()) clearTimeout(shown.timer);
    view.activity.close();
    view.clipboard.close();
    this.#views.delete(view);
    for (const [id, owner] of this.#owners) if (owner === view) this.#owners.delete(id);
    for (const id of view.shown.keys()) this.#fit(id);
    this.#changed();
  }

  /** The view shows exactly these instances from now on. */
  show(
    view: View,
    panes: readonly { instance: string; cols: number; rows: number }[],
    focused: string | null,
  ): void {
    view.focused = focused ?? undefined;
    this.lastFocused = view.focused ?? this.lastFocused;
    const wanted = new Map(panes.map((pane) => [pane.instance, pane]));
    for (const [id, shown] of view.shown) {
      if (wanted.has(id)) continue;
      clearTimeout(shown.timer);
      view.shown.delete(id);
      view.activity.hidden(id, shown.screen, shown.acknowledged);
      this.#fit(id);
    }
    for (const [id, { cols, rows }] of wanted) {
      const instance = this.#instances.find(id);
      if (!instance) continue;
      view.activity.shown(id);
      const shown = view.shown.get(id);
      if (shown) Object.assign(shown, { cols, rows });
      else {
        view.shown.set(id, {
          cols,
          rows,
          acknowledged: 0,
          underWay: false,
          lastSentAt: 0,
          outputSent: 0,
          timer: undefined,
          screen: instance.screen,
        });
      }
      this.#fit(id);
      this.#offer(view, instance);
    }
  }

  /** The operator typed into an instance from this view: its size counts from now on. */
  typed(view: View, instance: Instance): void {
    if (this.#owners.get(instance.id) === view) return;
    this.#owners.set(instance.id, view);
    this.#fit(instance.id);
  }

  acknowledge(view: View, id: string, generation: number): void {
    const shown = view.shown.get(id);
    const instance = this.#instances.find(id);
    if (!shown || !instance) return;
    shown.underWay = false;
    if (shown.screen === instance.screen) shown.acknowledged = generation;
    this.#offer(view, instance);
  }

  /** The screen of an instance shows something else. */
  drawn(instance: Instance): void {
    for (const view of this.#views) {
      if (view.shown.has(instance.id)) this.#offer(view, instance);
      else view.activity.drawn(instance);
    }
  }

  /** The program of an instance put a text on the clipboard: that of whoever looks at it. */
  copied(instance: Instance, text: string): void {
    for (const view of this.#views) {
      if (view.focused === instance.id) view.clipboard.copied(instance.id, text);
    }
  }

  forgotten(instance: Instance): void {
    this.#owners.delete(instance.id);
    for (const view of this.#views) {
      view.activity.shown(instance.id);
      clearTimeout(view.shown.get(instance.id)?.timer);
      view.shown.delete(instance.id);
    }
  }

  /** Sends a frame if there is something new and it is this view's time. */
  #offer(view: View, instance: Instance): void {
    const shown = view.shown.get(instance.id);
    if (!shown || shown.underWay) return;
    const unsent = instance.outputBytes - shown.outputSent;
    const echo = unsent <= echoBytes;
    if (shown.timer && !echo) return;
    clearTimeout(shown.timer);
    shown.timer = undefined;
    if (shown.screen !== instance.screen) {
      shown.screen = instance.screen;
      shown.acknowledged = 0;
    }
    const { screen } = instance;
    if (screen.held) {
      this.#later(view, instance, shown, heldPollMs);
      return;
    }
    if (screen.generation === shown.acknowledged) return;
    const everyMs = unsent > floodBytes ? floodFrameEveryMs : frameEveryMs;
    const wait = shown.lastSentAt + everyMs - performance.now();
    if (wait > 0 && !echo) {
      this.#later(view, instance, shown, wait);
      return;
    }
    shown.lastSentAt = performance.now();
    shown.outputSent = instance.outputBytes;
    shown.underWay = true;
    view.outlet.notify(api.frame, {
      instance: instance.id,
      frame: encodeFrame(screen.frame(shown.acknowledged)),
    });
  }

  #later(view: View, instance: Instance, shown: Shown, ms: number): void {
    shown.timer = setTimeout(() => {
      shown.timer = undefined;
      this.#offer(view, instance);
    }, ms);
  }

  /** The terminal takes the size its owner gives it, else that of the view that shows it and came last. */
  #fit(id: string): void {
    const instance = this.#instances.find(id);
    if (!instance) return;
    const owner = this.#owners.get(id);
    const shown =
      owner?.shown.get(id) ??
      [...this.#views]
        .reverse()
        .find((view) => view.shown.has(id))
        ?.shown.get(id);
    if (shown) instance.resize(Math.max(2, shown.cols), Math.max(1, shown.rows));
  }
}
