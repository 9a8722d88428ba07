/**
 * The bottom mode: what is typed goes to the program of the focused pane, but for the prefix key.
 * The mouse focuses panes and tabs, or goes to a program that asked for it.
 */
import { keyFor } from '../keymap.ts';
import { isBeside, isRepeat, keyOf, wheelRows } from '../keys.ts';
import type { Mode } from '../mode.ts';
import { contains, inside, paneAt, type Rect } from '../panes/geometry.ts';
import type { CursorPlace, MouseToken, Token } from '../stage/index.ts';
import { tabAt } from '../tab-line.ts';
import { typeToken } from '../type-token.ts';
import type { Ui } from '../ui.ts';
import { CopyMode } from './copy-mode.ts';
import { DragMode } from './drag-mode.ts';
import { PrefixMode } from './prefix-mode.ts';

export class PaneMode implements Mode {
  readonly name = 'pane';
  readonly wholeRuns = true;
  readonly everyKey = true;
  readonly #ui: Ui;
  /** A button went down in the focused pane and is still held. */
  #pressed = false;
  /** Keys that are down, by their number, and the program that was told so. */
  readonly #down = new Map<number, string>();
  /** Where it did, as long as a drag from there would select. */
  #from: { instance: string; x: number; y: number } | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
  }

  token(token: Token): void {
    if (keyOf(token) === this.#ui.keymap.prefix) {
      // Held down from the mode it opened, it opens that no second time.
      if (isRepeat(token)) return;
      this.#ui.push(new PrefixMode(this.#ui, this));
      return;
    }
    if (token.type === 'mouse') {
      this.#mouse(token);
      return;
    }
    const instance = this.#receiver(token);
    if (!instance) return;
    // Whoever types wants to see what comes of it.
    if (token.type !== 'focus' && !isBeside(token)) this.#ui.scrollback.close(instance);
    typeToken(this.#ui, instance, token);
  }

  /** A key that is held or let go of is the program's that was told of its press, and of nobody who was not. */
  #receiver(token: Token): string | undefined {
    const focused = this.#ui.view.focusedPane?.instance;
    if ((token.type !== 'key' && token.type !== 'text') || !token.kitty) return focused;
    const { code } = token.kitty;
    const told = this.#down.get(code);
    if (token.event === 'repeat') return told === focused ? focused : undefined;
    if (token.event === 'release') this.#down.delete(code);
    else if (focused !== undefined) this.#down.set(code, focused);
    return token.event === 'release' ? told : focused;
  }

  #mouse(token: MouseToken): void {
    const { view, inspector, regions } = this.#ui;
    if (token.action === 'wheel') {
      const { side } = regions ?? {};
      if (side && contains(side, token.x, token.y)) inspector.scroll(wheelRows(token));
      else this.#wheel(token);
      return;
    }
    if (DragMode.grab(this.#ui, this, token)) return;
    const pane = paneAt(this.#ui.placed, token.x, token.y);
    if (token.action === 'press' && token.button === 0) {
      if (token.y === 0) {
        const tab = tabAt(this.#ui, this.#ui.stage.size.cols, token.x);
        if (tab !== undefined) view.selectTab(tab);
      } else if (pane && pane.pane !== view.focusedPane?.pane) {
        // The first click only chooses the pane.
        view.focus(pane.pane);
        this.#ui.refresh();
        return;
      }
      this.#ui.refresh();
    }
    const focused = this.#ui.placed.find((placed) => placed.pane === view.focusedPane?.pane);
    const place = focused && inside(focused.rect);
    const isInside = place && contains(place, token.x, token.y);
    if (focused && place && this.#selects(focused.instance, token, place, isInside ?? false)) return;
    // What was pressed in a pane is released there, wherever the pointer went.
    const held = token.action === 'drag' || token.action === 'release';
    if (focused && (held ? this.#pressed : isInside)) typeToken(this.#ui, focused.instance, token, place);
    if (token.action === 'press' && isInside) this.#pressed = true;
    if (token.action === 'release') this.#pressed = false;
  }

  /** A drag selects where the program wants no mouse; true: it does. */
  #selects(instance: string, token: MouseToken, place: Rect, isInside: boolean): boolean {
    const mouse = this.#ui.grids.get(instance)?.modes.mouse ?? 'none';
    if (mouse !== 'none' || token.button !== 0) return false;
    if (token.action === 'press' && isInside)
      this.#from = { instance, x: token.x - place.x, y: token.y - place.y };
    if (token.action === 'release') this.#from = undefined;
    if (token.action !== 'drag' || this.#from?.instance !== instance) return false;
    const from = this.#from;
    this.#from = undefined;
    void CopyMode.drag(this.#ui, from, token);
    return true;
  }

  /** The wheel turns what is under the pointer, whatever has the focus. */
  #wheel(token: MouseToken): void {
    const pane = paneAt(this.#ui.placed, token.x, token.y);
    if (!pane) return;
    const { instance, rect } = pane;
    const modes = this.#ui.grids.get(instance)?.modes;
    const scrolled = this.#ui.scrollback.get(instance) !== undefined;
    if (!scrolled && (modes?.alternateScreen || (modes && modes.mouse !== 'none'))) {
      typeToken(this.#ui, instance, token, inside(rect));
    } else if (wheelRows(token) !== 0) void this.#ui.scrollback.scroll(instance, wheelRows(token));
  }

  hints() {
    const { view } = this.#ui;
    const ended = view.focusedInstance?.status === 'ended';
    const waiting = view.picture.waiting.length > 0;
    return [
      [keyFor(this.#ui.keymap, 'help'), 'keys'] as const,
      ...(ended ? this.#hint('restart') : []),
      ...(waiting ? this.#hint('approve') : []),
      ...this.#hint('inspector'),
      ...this.#hint('zoom'),
      ...this.#hint('detach'),
    ];
  }

  /** The key alone: the first hint says what goes before it. */
  #hint(action: string): (readonly [string, string])[] {
    const key = this.#ui.keymap.bindings.find((binding) => binding.action === action)?.keys[0];
    return key === undefined ? [] : [[key, action]];
  }

  cursor(): CursorPlace | undefined {
    const instance = this.#ui.view.focusedInstance;
    const grid = instance && this.#ui.grids.get(instance.instance);
    if (!instance || !grid?.cursor.visible || instance.status === 'ended') return undefined;
    if (this.#ui.scrollback.get(instance.instance)) return undefined;
    return { paneId: instance.instance, x: grid.cursor.x, y: grid.cursor.y };
  }
}
