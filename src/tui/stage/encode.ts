/**
 * A token as the program in a pane expects it: the bytes depend on the modes that program has set.
 * Never decides whether a token is meant for the pane.
 */

import type { ScreenModes } from '../../cells/frame.ts';
import { encodeKey, encodeText, type KeyboardModes } from './encode-key.ts';
import type { MouseToken, PasteToken, Token } from './token.ts';

/** The modes of a pane's terminal that change what keys, paste, mouse and focus look like. */
export type PaneModes = KeyboardModes &
  Pick<ScreenModes, 'alternateScreen' | 'bracketedPaste' | 'mouse' | 'mouseEncoding' | 'focusEvents'>;

/** Where the pane stands on the screen, and its size, in cells. */
export interface MousePlace {
  readonly x: number;
  readonly y: number;
  readonly cols: number;
  readonly rows: number;
  /** The cell of the program's screen in the pane's corner, where the screen is larger than the pane. */
  readonly offset?: { readonly x: number; readonly y: number };
}

/**
 * The bytes to write to the pane; undefined when its modes want nothing of this token.
 * Mouse events outside `place` are dropped, except drags and releases, which are held at its edge.
 */
export function encodeToken(token: Token, modes: PaneModes, place?: MousePlace): Uint8Array | undefined {
  switch (token.type) {
    case 'text':
      return encodeText(token, modes);
    case 'key':
      return encodeKey(token, modes);
    case 'paste':
      return encodePaste(token, modes);
    case 'mouse':
      return place && encodeMouse(token, modes, place);
    case 'focus':
      return modes.focusEvents ? Buffer.from(token.focused ? '\x1b[I' : '\x1b[O') : undefined;
    // The terminal answered a question of ours: the program never asked.
    case 'reply':
      return undefined;
  }
}

function encodePaste(token: PasteToken, modes: PaneModes): Uint8Array {
  // Bytes, not text: a paste may hold what is no UTF-8.
  let data = Buffer.from(token.data).toString('latin1');
  // An end bracket inside would let the rest pass as typed; removing one may join another together.
  while (endBracket.test(data)) data = data.replace(endBracket, '');
  if (!modes.bracketedPaste) return Buffer.from(data.replace(/\r?\n/g, '\r'), 'latin1');
  return Buffer.from(`${token.first ? '\x1b[200~' : ''}${data}${token.last ? '\x1b[201~' : ''}`, 'latin1');
}

/** With CSI as ESC [, and as the C1 control in UTF-8. */
const endBracket = /(?:\x1b\[|\xc2\x9b)20[01]~/;

function encodeMouse(token: MouseToken, modes: PaneModes, place: MousePlace): Uint8Array | undefined {
  const held = token.action === 'drag' || token.action === 'release';
  let x = token.x - place.x;
  let y = token.y - place.y;
  if (!held && (x < 0 || y < 0 || x >= place.cols || y >= place.rows)) return undefined;
  if (!wantsMouse(token, modes.mouse)) return encodeWheelAsKeys(token, modes);
  x = Math.min(Math.max(x, 0), place.cols - 1) + (place.offset?.x ?? 0) + 1;
  y = Math.min(Math.max(y, 0), place.rows - 1) + (place.offset?.y ?? 0) + 1;
  const modifiers =
    modes.mouse === 'x10' ? 0 : (token.shift ? 4 : 0) | (token.alt ? 8 : 0) | (token.ctrl ? 16 : 0);
  const motion = token.action === 'drag' || token.action === 'move' ? 32 : 0;
  const code = token.button | modifiers | motion;
  const release = token.action === 'release';
  // The older encodings cannot say which button was released.
  const oldCode = 32 + (release ? 3 | modifiers : code);
  switch (modes.mouseEncoding) {
    // Pixels are not known here: a program that set the mode without asking gets whole cells.
    case 'sgr':
    case 'sgr-pixels':
      return Buffer.from(`\x1b[<${code};${x};${y}${release ? 'm' : 'M'}`);
    case 'urxvt':
      return Buffer.from(`\x1b[${oldCode};${x};${y}M`);
    // Two bytes of UTF-8, and one byte, reach no further.
    case 'utf8':
      if (x > 2015 || y > 2015) return undefined;
      return Buffer.from(`\x1b[M${String.fromCharCode(oldCode, x + 32, y + 32)}`);
    case 'default':
      if (x > 223 || y > 223) return undefined;
      return Buffer.from([0x1b, 0x5b, 0x4d, oldCode, x + 32, y + 32]);
  }
}

/** Lines that a program which knows no mouse is moved by at a turn of the wheel. */
const wheelLines = 3;

/** A pager or an editor that did not ask for the mouse still scrolls by it, as in other terminals. */
function encodeWheelAsKeys({ action, button }: MouseToken, modes: PaneModes): Uint8Array | undefined {
  const final = action === 'wheel' && modes.mouse === 'none' && modes.alternateScreen && wheelFinals[button];
  if (!final) return undefined;
  return Buffer.from(cursorKey(final, modes).repeat(wheelLines));
}

const wheelFinals: Record<number, string | undefined> = { 64: 'A', 65: 'B' };

function cursorKey(final: string, { applicationCursor }: PaneModes): string {
  return `\x1b${applicationCursor ? 'O' : '['}${final}`;
}

function wantsMouse(token: MouseToken, mouse: PaneModes['mouse']): boolean {
  switch (mouse) {
    case 'none':
      return false;
    case 'x10':
      return token.action === 'press' && token.button <= 2;
    case 'normal':
      return token.action === 'press' || token.action === 'release' || token.action === 'wheel';
    case 'button':
      return token.action !== 'move';
    case 'any':
      return true;
  }
}
