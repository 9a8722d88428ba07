/**
 * A token as the program in a pane expects it: the bytes depend on the modes that program has set.
 * Never decides whether a token is meant for the pane.
 */

import type { Token } from './token.ts';

/** The modes of a pane's terminal that change what keys, paste, mouse and focus look like. */
export interface PaneModes {
  /** DECCKM: cursor keys are SS3 instead of CSI. */
  readonly applicationCursor: boolean;
  /** Mode 2004. */
  readonly bracketedPaste: boolean;
  /** Modes 9, 1000, 1002, 1003. */
  readonly mouse: 'none' | 'x10' | 'normal' | 'button' | 'any';
  /** Modes 1005, 1006, 1015. */
  readonly mouseEncoding: 'default' | 'utf8' | 'sgr' | 'urxvt';
  /** Mode 1004. */
  readonly focusEvents: boolean;
}

/** Where the pane's terminal stands on the screen, and its size, in cells. */
export interface MousePlace {
  readonly x: number;
  readonly y: number;
  readonly cols: number;
  readonly rows: number;
}

/** The bytes to write to the pane; undefined when its modes want nothing of this token. */
export declare function encodeToken(
  token: Token,
  modes: PaneModes,
  place?: MousePlace,
): Uint8Array | undefined;
