/**
 * An element of the chrome that writes its own cells from spans: colours in full, wide and joined
 * characters whole, clipped by columns. blessed gives it place, focus, keys and stacking.
 */

import type { Widgets } from 'blessed';
import type { Span, Style } from './span.ts';
import type { AreaOptions } from './stage-types.ts';

/** A single line around the box. */
export interface Border {
  /** Which sides have a line. Default: all four. */
  readonly sides?: {
    readonly top?: boolean;
    readonly right?: boolean;
    readonly bottom?: boolean;
    readonly left?: boolean;
  };
  readonly style?: Style;
  /** Stands in the top line from its third column on; clipped before the corner. */
  readonly title?: readonly Span[];
  /** At the right end of the top line; goes first when there is no room for both. */
  readonly note?: readonly Span[];
}

export interface StyledBoxOptions extends AreaOptions {
  readonly border?: Border;
  /** Fills the box and is the default of every span. */
  readonly style?: Style;
}

/** A blessed element (focus, `key`, `on('click')`, `show`, `hide`, `setFront`, `destroy`) that shows lines of spans. */
export interface StyledBox extends Widgets.BoxElement {
  /** One array of spans for each line; no wrapping. A newline inside a span is drawn as U+FFFD. */
  setLines(lines: readonly (readonly Span[])[]): void;
  /** The first line (and column) shown; kept within the lines there are. */
  setScroll(y: number, x?: number): void;
  readonly scrollY: number;
  readonly lineCount: number;
  /** The size inside the border as last rendered; 0 x 0 before. */
  readonly inner: { readonly cols: number; readonly rows: number };
  setBorder(border: Border): void;
  setStyle(style: Style): void;
}
