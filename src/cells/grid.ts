/**
 * A view's copy of a screen, kept up to date by frames.
 * Never asks for frames and never draws.
 */
import { type Cursor, decodeFrame, type ScreenModes } from './frame.ts';
import { blankRow, type Row } from './row.ts';

export class Grid {
  cols = 0;
  rows = 0;
  /** What to ask for next: pass it as `since`. 0 before the first frame. */
  generation = 0;
  cursor: Cursor = { x: 0, y: 0, visible: false, shape: 'block', blink: false };
  modes: ScreenModes = {
    applicationCursor: false,
    applicationKeypad: false,
    bracketedPaste: false,
    focusEvents: false,
    mouse: 'none',
    mouseEncoding: 'default',
    alternateScreen: false,
    kittyKeyboard: 0,
    modifyOtherKeys: 0,
  };
  title = '';
  #rows: Row[] = [];

  /**
   * Takes over a received frame and returns the numbers of the rows it replaced, rising; after a change
   * of size that is all of them. Returns 'gap' and changes nothing when the frame builds upon a state
   * this grid does not have, or upon another size: ask again with `since: 0`.
   * Throws `MalformedWireError`, changing nothing, for what is not a frame.
   */
  applyFrame(wire: unknown): number[] | 'gap' {
    const frame = decodeFrame(wire);
    if (frame.full) {
      this.#rows = frame.changed.map(([, row]) => row);
      this.cols = frame.cols;
      this.rows = frame.rows;
    } else {
      // A frame may start earlier than this grid stands (its rows are newer all the same), never later.
      const behind = frame.since > this.generation || frame.generation < this.generation;
      if (behind || frame.cols !== this.cols || frame.rows !== this.rows) return 'gap';
      for (const [y, row] of frame.changed) this.#rows[y] = row;
    }
    this.generation = frame.generation;
    this.cursor = frame.cursor;
    this.modes = frame.modes;
    this.title = frame.title;
    return frame.changed.map(([y]) => y);
  }

  /** The row `y` from the top; blank outside the screen. */
  row(y: number): Row {
    return this.#rows[y] ?? blankRow(this.cols);
  }
}
