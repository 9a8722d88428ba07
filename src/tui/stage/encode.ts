/**
 * A token as the program in a pane expects it: the bytes depend on the modes that program has set.
 * Never decides whether a token is meant for the pane.
 */

import type { ScreenModes } from '../../cells/frame.ts';
import type { KeyToken, MouseToken, PasteToken, Token } from './token.ts';

/** The modes of a pane's terminal that change what keys, paste, mouse and focus look like. */
export type PaneModes = Pick<
  ScreenModes,
  'applicationCursor' | 'alternateScreen' | 'bracketedPaste' | 'mouse' | 'mouseEncoding' | 'focusEvents'
>;

/** Where the pane's terminal stands on the screen, and its size, in cells. */
export interface MousePlace {
  readonly x: number;
  readonly y: number;
  readonly cols: number;
  readonly rows: number;
}

/**
 * The bytes to write to the pane; undefined when its modes want nothing of this token.
 * Mouse events outside `place` are dropped, except drags and releases, which are held at its edge.
 */
export function encodeToken(token: Token, modes: PaneModes, place?: MousePlace): Uint8Array | undefined {
  switch (token.type) {
    case 'text':
      return Buffer.from(token.text);
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

const cursorFinals: Record<string, string | undefined> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  home: 'H',
  end: 'F',
};

const keyNumbers: Record<string, number | undefined> = { insert: 2, delete: 3, pageUp: 5, pageDown: 6 };

const controls: Record<string, string | undefined> = {
  enter: '\r',
  tab: '\t',
  escape: '\x1b',
  backspace: '\x7f',
};

function encodeKey(token: KeyToken, modes: PaneModes): Uint8Array | undefined {
  if (token.event === 'release') return undefined;
  const { name, bytes } = token;
  // A key that has no name here has no old form either.
  if (name === undefined) return token.kitty ? undefined : bytes;
  const final = cursorFinals[name];
  if (final) {
    const modifier = modifierOf(token);
    if (modifier > 1) return Buffer.from(`\x1b[1;${modifier}${final}`);
    return Buffer.from(cursorKey(final, modes));
  }
  return isExtended(bytes) ? (encodeExtended(token) ?? bytes) : bytes;
}

/** kitty's CSI u and modifyOtherKeys: forms that a program gets only if it asked its own terminal for them. */
function isExtended(bytes: Uint8Array): boolean {
  return /^\x1b\[[\d;:]*u$|^\x1b\[27;\d+;\d+~$/.test(Buffer.from(bytes).toString('latin1'));
}

function encodeExtended(token: KeyToken): Uint8Array | undefined {
  const { name = '', ctrl, alt, shift } = token;
  const number = keyNumbers[name];
  if (number) {
    const modifier = modifierOf(token);
    return Buffer.from(`\x1b[${number}${modifier > 1 ? `;${modifier}` : ''}~`);
  }
  let plain = controls[name] ?? (name === 'space' ? ' ' : name);
  if (name === 'tab' && shift) plain = '\x1b[Z';
  else if (ctrl && [...plain].length === 1) plain = controlOf(plain) ?? plain;
  else if ([...plain].length > 1) return undefined;
  return Buffer.from(alt ? `\x1b${plain}` : plain);
}

function controlOf(character: string): string | undefined {
  if (character === ' ') return '\0';
  const code = character.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code - 0x40) : undefined;
}

function modifierOf({ shift, alt, ctrl }: KeyToken): number {
  return 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
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
  x = Math.min(Math.max(x, 0), place.cols - 1) + 1;
  y = Math.min(Math.max(y, 0), place.rows - 1) + 1;
  const modifiers =
    modes.mouse === 'x10' ? 0 : (token.shift ? 4 : 0) | (token.alt ? 8 : 0) | (token.ctrl ? 16 : 0);
  const motion = token.action === 'drag' || token.action === 'move' ? 32 : 0;
  const code = token.button | modifiers | motion;
  // Pixels are not known here: a program that asked for them gets whole cells, its usual fallback.
  if (modes.mouseEncoding !== 'default') {
    return Buffer.from(`\x1b[<${code};${x};${y}${token.action === 'release' ? 'm' : 'M'}`);
  }
  // The old encoding cannot say which button was released, nor places past column or row 223.
  if (x > 223 || y > 223) return undefined;
  const oldCode = 32 + (token.action === 'release' ? 3 | modifiers : code);
  return Buffer.from([0x1b, 0x5b, 0x4d, oldCode, x + 32, y + 32]);
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
      return token.action === 'press';
    case 'normal':
      return token.action === 'press' || token.action === 'release' || token.action === 'wheel';
    case 'button':
      return token.action !== 'move';
    case 'any':
      return true;
  }
}
