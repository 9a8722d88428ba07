/**
 * Input modes: objects on a stack, of which only the top one is asked. A mode says what its keys do
 * and what it puts on the status line or over the panes; it never paints.
 */
import type { CursorPlace, Token } from './stage/index.ts';
import type { Line } from './text.ts';

/** What a mode writes on the status line instead of the hints; the cursor is a column of it. */
export interface Prompt {
  readonly line: Line;
  readonly cursor?: number;
}

/** A box over the middle of the panes. */
export interface Popup {
  readonly title: string;
  readonly lines: readonly Line[];
  /** The line that is kept in sight. */
  readonly selected?: number;
}

export interface Mode {
  readonly name: string;
  /** Runs of typed characters come as they are, not one by one. */
  readonly wholeRuns?: boolean;
  /** Also comes what is no key pressed: keys let go of, modifiers by themselves, answers of the terminal. */
  readonly everyKey?: boolean;
  token(token: Token): void;
  /** Keys worth a hint, `[key, what it does]`; none: what the mode below it says. */
  hints?(): readonly (readonly [string, string])[];
  prompt?(columns: number): Prompt | undefined;
  popup?(columns: number, rows: number): Popup | undefined;
  /** What takes the inspector's place, at this size in cells, while the mode is on the stack. */
  side?(columns: number, rows: number): readonly Line[];
  /** Its `side` is part of the frame that goes to the terminal now; nothing lies over it. */
  rendered?(): void;
  /** Where the cursor stands while this mode is on top; none: hidden. */
  cursor?(): CursorPlace | undefined;
  /** What lay over it is gone; `by` is the token that took it away, if one did. */
  uncovered?(by: Token | undefined): void;
  /** It was taken off the stack. */
  left?(): void;
}
