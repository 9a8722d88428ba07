/**
 * The door to blessed: its screen for layout, focus and stacking, cut off from the terminal. Nothing it
 * writes gets out, nothing the operator types gets in but what is fed, and it handles no signal and no exit.
 */

import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Widgets } from 'blessed';

/** One cell of blessed's drawing: its attribute word and the characters. */
export type BlessedCell = [attribute: number, characters: string];

/** What of blessed's screen has no public type. */
export interface ScreenInternals {
  lines: BlessedCell[][];
  dattr: number;
  _ci: number;
}

interface BlessedKey {
  name: string | undefined;
  ctrl: boolean;
  meta: boolean;
  shift: boolean;
  sequence: string;
}

export interface BlessedScreen {
  readonly screen: Widgets.Screen & ScreenInternals;
  box(options: Widgets.BoxOptions): Widgets.BoxElement;
  /** Lays out and draws all elements into `screen.lines`. */
  render(): void;
  resize(cols: number, rows: number): void;
  /** `characters` is what was typed, if the key stands for any. */
  key(characters: string | undefined, key: BlessedKey): void;
  mouse(event: object): void;
  destroy(): void;
}

/** blessed's constructors with the members that are patched or read. */
interface BlessedModule {
  Program: Registry & { new (options: object): object };
  Screen: Registry & (new (options: object) => Widgets.Screen & ScreenInternals);
  Tput: { prototype: { _prefix: unknown; _compile: unknown } };
  box(options: Widgets.BoxOptions): Widgets.BoxElement;
}
type Registry = Record<string, unknown> & { prototype: { render(): void } };

/** `requestRender` is called where blessed would have drawn by itself. */
export function openBlessedScreen(cols: number, rows: number, requestRender: () => void): BlessedScreen {
  const blessed = loadBlessed();
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    isRaw: true,
    setRawMode: () => input,
    resume: () => input,
    pause: () => input,
  });
  const output = Object.assign(new EventEmitter(), { isTTY: true, columns: cols, rows, write: () => true });
  const program = withoutTmux(
    () => new blessed.Program({ input, output, terminal: 'xterm-256color', forceUnicode: true }),
  ) as EventEmitter;
  const screen = new blessed.Screen({ program, fullUnicode: true });
  screen.draw = () => {};
  screen.render = requestRender;
  return {
    screen,
    box: (options) => blessed.box(options),
    render() {
      clearLines(screen);
      blessed.Screen.prototype.render.call(screen);
    },
    resize(newCols, newRows) {
      output.columns = newCols;
      output.rows = newRows;
      output.emit('resize');
    },
    key: (characters, key) => input.emit('keypress', characters, key),
    mouse: (event) => program.emit('mouse', event),
    destroy: () => screen.destroy(),
  };
}

/** An element that moved or went away leaves nothing behind, however it was changed. */
function clearLines({ lines, dattr }: ScreenInternals): void {
  for (const line of lines) {
    for (const cell of line) {
      cell[0] = dattr;
      cell[1] = ' ';
    }
  }
}

function loadBlessed(): BlessedModule {
  // Not an import: blessed loads its parts by names it builds, so it is never bundled, and only a TUI needs it.
  const require = createRequire(import.meta.url);
  const blessed = require('blessed') as BlessedModule;
  // Nothing blessed writes reaches a terminal, so no capability needs compiling: that saves 20 ms and the
  // warnings about capabilities it cannot read.
  blessed.Tput.prototype._prefix = () => require.resolve('blessed/usr/xterm-256color');
  blessed.Tput.prototype._compile = (_info: unknown, _key: string, value: unknown) =>
    typeof value === 'string' ? () => '' : value;
  // Leaving the terminal is ours: "bound" keeps blessed from listening to signals, exits and crashes. On
  // destroy it removes these listeners, which it would have added, and forgets that it was bound.
  for (const registry of [blessed.Program, blessed.Screen] as Registry[]) {
    registry._bound = true;
    for (const name of ['exception', 'sigterm', 'sigint', 'sigquit', 'exit'])
      registry[`_${name}Handler`] = () => {};
  }
  return blessed;
}

/** Inside tmux blessed would run `tmux -V` and wait for it. */
function withoutTmux<T>(create: () => T): T {
  const { TMUX } = process.env;
  delete process.env.TMUX;
  try {
    return create();
  } finally {
    if (TMUX !== undefined) process.env.TMUX = TMUX;
  }
}
