/**
 * How the terminal is divided: tab line, panes, side (inspector or card), status line.
 * Pure arithmetic in cells; says nothing about what stands in a region.
 */
import type { Rect } from './panes/geometry.ts';

/** Below this the screen only says that it is too small. */
export const leastScreen = { cols: 60, rows: 16 };

/** From this width on the inspector stands beside the panes instead of over them. */
export const wideCols = 120;

export interface Regions {
  readonly tabLine: Rect;
  readonly panes: Rect;
  readonly side: Rect | undefined;
  /** The side lies over the panes, which keep their sizes. */
  readonly sideCovers: boolean;
  readonly statusLine: Rect;
}

/** Undefined: too small to show anything. */
export function divide(cols: number, rows: number, sideShown: boolean): Regions | undefined {
  if (cols < leastScreen.cols || rows < leastScreen.rows) return undefined;
  const tabLine = { x: 0, y: 0, cols, rows: 1 };
  const statusLine = { x: 0, y: rows - 1, cols, rows: 1 };
  const all = { x: 0, y: 1, cols, rows: rows - 2 };
  if (!sideShown) return { tabLine, panes: all, side: undefined, sideCovers: false, statusLine };
  const sideCols = sideWidth(cols);
  const side = { ...all, x: cols - sideCols, cols: sideCols };
  if (cols < wideCols) return { tabLine, panes: all, side, sideCovers: true, statusLine };
  return { tabLine, panes: { ...all, cols: cols - sideCols }, side, sideCovers: false, statusLine };
}

function sideWidth(cols: number): number {
  if (cols >= wideCols) return Math.min(72, Math.max(44, Math.round(cols * 0.36)));
  return cols >= 80 ? Math.floor(cols / 2) : cols;
}
