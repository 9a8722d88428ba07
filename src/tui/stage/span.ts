/**
 * Text of the chrome with its colours, and how it becomes packed cells: controls become visible
 * characters, and no wide or joined character is ever torn. Knows nothing of widgets.
 */

/** A palette index (0 to 15 follow the terminal's theme, 16 to 255 are fixed), '#rrggbb', or the terminal's own. */
export type Colour = number | `#${string}` | 'default';

export interface Style {
  readonly fg?: Colour;
  readonly bg?: Colour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly strikethrough?: boolean;
}

/** A run of text in one style. Control characters in `text` are drawn as U+FFFD: escape them before. */
export interface Span extends Style {
  readonly text: string;
}
