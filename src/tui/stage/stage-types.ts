/**
 * What the stage offers to everything above it. Types only, so that panes, inspector and card can be
 * read and tested without a terminal.
 */

import type { Widgets } from 'blessed';
import type { Cursor } from '../../cells/frame.ts';
import type { Row } from '../../cells/row.ts';
import type { WantedInput } from './outer-input.ts';
import type { PaneArea } from './pane-area.ts';
import type { StyledBox, StyledBoxOptions } from './styled-box.ts';
import type { Terminal } from './terminal.ts';
import type { Token } from './token.ts';

/** In cells. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** In cells from the top left, from 0. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a pane's cells come from: a `Grid`, or anything else that answers by row. */
export interface PaneSource {
  /** The row at `y` of the source; undefined is drawn blank. The stage never writes to it. */
  row(y: number): Row | undefined;
}

/** A grid's own cursor fits. */
export type CursorShape = Pick<Cursor, 'shape' | 'blink'>;

/**
 * A cell of a pane's source (it follows the pane's offset; the cursor is hidden while that cell is outside
 * the area or under a popup), a cell of an element counted from its inside corner, or a cell of the terminal.
 */
export type CursorPlace =
  | { readonly paneId: string; readonly x: number; readonly y: number }
  | { readonly element: Widgets.BlessedElement; readonly x: number; readonly y: number }
  | { readonly screen: Point };

/** Where an element stands: blessed's own words, numbers of cells or '50%', '100%-3', 'center'. */
export interface AreaOptions {
  /** Default: the screen. */
  readonly parent?: Widgets.Node;
  readonly left?: number | string;
  readonly top?: number | string;
  readonly right?: number | string;
  readonly bottom?: number | string;
  readonly width?: number | string;
  readonly height?: number | string;
  readonly hidden?: boolean;
}

export interface StageOptions {
  readonly terminal: Terminal;
  /** Milliseconds after which a lone ESC is the Escape key. Default 25. */
  readonly escapeMs?: number;
  /** Least milliseconds between two paints of much output. Default 16. */
  readonly frameMs?: number;
}

export interface Stage {
  /** blessed's screen: parent, focus and stacking of the chrome. Its `render` does what `invalidateChrome` does. */
  readonly screen: Widgets.Screen;
  /** The terminal's size now. */
  readonly size: Size;

  /** An element that shows the cells of the pane `paneId`. Several may show one pane. Remove it by `destroy()`. */
  paneArea(paneId: string, options: AreaOptions): PaneArea;
  /** An element whose text is spans; with border, title and scrolling. Its setters invalidate the chrome. */
  styledBox(options: StyledBoxOptions): StyledBox;

  /**
   * What `paneId` shows, from which cell of the source on (default 0, 0: its top left). Undefined: blank.
   * Repaints the whole pane.
   */
  setPaneSource(paneId: string, source: PaneSource | undefined, offset?: Point): void;
  /**
   * Rows `y0` to `y1` (inclusive, counted in the source) of the pane changed. Urgent ones are painted
   * sooner than much output would be: what a person waits for.
   */
  invalidateRows(paneId: string, y0: number, y1: number, urgent?: boolean): void;
  /** An element was changed, moved, shown, hidden or removed: blessed renders again before the next paint. */
  invalidateChrome(): void;
  /** Undefined hides it. The shape stays until the next one given; until the first it is the terminal's own. */
  setCursor(place: CursorPlace | undefined, shape?: CursorShape): void;
  /** The terminal's window title. Control characters are dropped. */
  title(text: string): void;
  bell(): void;
  /** What the terminal, if it can, tells from now on because the focused program asked for it. */
  wantInput(wanted: WantedInput): void;
  /** Writes a string of ours between two frames, as OSC 52; the caller answers for its safety. */
  writeControl(sequence: string): void;

  /** Whole tokens from the terminal, in order. Returns the way to stop. */
  onToken(listener: (token: Token) => void): () => void;
  /** After the screen has its new size, before it is painted. Returns the way to stop. */
  onResize(listener: (size: Size) => void): () => void;
  /** Hands a token to blessed's focused widget as a keypress (or as a mouse event to the widget below it). */
  feedWidget(token: Token): void;

  /** How many frames the terminal has taken in full. */
  readonly paintedCount: number;
  /** After each frame that the terminal has taken in full. Returns the way to stop. */
  onPainted(listener: (count: number) => void): () => void;
  /**
   * True once everything changed before this call has been taken by the terminal (at once if nothing is due);
   * false if the stage ended first.
   */
  whenPainted(): Promise<boolean>;

  /** Paints everything again, as after someone else wrote to the terminal. */
  repaint(): void;
  /** Gives the terminal back, stops this process by SIGTSTP, and repaints all once it goes on. */
  suspend(): void;
  /** Gives the terminal back as it was found. */
  dispose(): void;
}
