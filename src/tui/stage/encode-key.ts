/**
 * A key or typed text as a program's keyboard modes want it: in xterm's old way, by modifyOtherKeys or by the
 * kitty keyboard protocol. Never decides whether a key is meant for the program.
 */
import { kittyFlag, type ScreenModes } from '../../cells/frame.ts';
import { isModifierKey, kittyCodeOf } from './key-names.ts';
import { encodeOldKey, keypadKey, oldControlOf, sequenceOf } from './old-keys.ts';
import type { KeyEvent, KeyToken, KittyKey, TextToken } from './token.ts';

export type KeyboardModes = Pick<
  ScreenModes,
  'applicationCursor' | 'applicationKeypad' | 'kittyKeyboard' | 'modifyOtherKeys'
>;

const [shift, alt, ctrl] = [1, 2, 4];
/** Caps lock and num lock. */
const locks = 64 | 128;
const shifts = 0x3f;

/** Keys that a shell needs after a program that forgot to take its flags back. */
const alwaysPlain: Record<number, string | undefined> = { 9: '\t', 13: '\r', 127: '\x7f' };

/** Undefined when the program's modes want nothing of this key. */
export function encodeKey(token: KeyToken, modes: KeyboardModes): Uint8Array | undefined {
  // A sequence that nobody knows is for the program to understand.
  if (token.name === undefined && !token.kitty) return token.bytes;
  const flags = modes.kittyKeyboard;
  if (flags & (kittyFlag.disambiguate | kittyFlag.events | kittyFlag.allKeys)) {
    return toBytes(encodeKittyKey(token, modes));
  }
  if (token.event === 'release') return undefined;
  return toBytes(encodeOtherKey(token, modes.modifyOtherKeys) ?? encodeOldKey(token, modes));
}

export function encodeText(token: TextToken, modes: KeyboardModes): Uint8Array {
  const { text, kitty, event = 'press' } = token;
  const flags = modes.kittyKeyboard;
  if (flags & kittyFlag.allKeys) {
    // Of no known key there is only the text.
    if (kitty?.code === 0 && !(flags & kittyFlag.text)) return Buffer.from(text);
    if (kitty) return Buffer.from(kittySequence(fromKeypad(kitty, text, flags), event, flags, text));
    return Buffer.from([...text].map((character) => kittyCharacter(character, event, flags)).join(''));
  }
  return Buffer.from((flags === 0 && kitty && keypadKey(kitty, modes)) || text);
}

function toBytes(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text);
}

/** A character whose key is not known: that of its small letter, as far as it has one. */
function kittyCharacter(character: string, event: KeyEvent, flags: number): string {
  return kittySequence(keyOfCharacter(character, 0), event, flags, character);
}

function keyOfCharacter(character: string, modifiers: number): KittyKey {
  const small = character.toLowerCase();
  const isShifted = small !== character && [...small].length === 1;
  return {
    code: (isShifted ? small : character).codePointAt(0) as number,
    shifted: isShifted ? (character.codePointAt(0) as number) : 0,
    base: 0,
    modifiers: modifiers | (isShifted ? shift : 0),
  };
}

function keyOfToken(token: KeyToken): KittyKey {
  if (token.kitty) return token.kitty;
  const { name = '' } = token;
  const modifiers = (token.shift ? shift : 0) | (token.alt ? alt : 0) | (token.ctrl ? ctrl : 0);
  if ([...name].length === 1) return keyOfCharacter(name, modifiers);
  return { code: kittyCodeOf(name), shifted: 0, base: 0, modifiers };
}

/** Only the flag to tell them apart makes the keypad's keys other than those they are like. */
function fromKeypad(key: KittyKey, name: string | undefined, flags: number): KittyKey {
  const isKeypad = key.code >= 57399 && key.code <= 57426;
  if (!isKeypad || name === undefined || flags & kittyFlag.disambiguate) return key;
  return { ...key, code: kittyCodeOf(name) };
}

function encodeKittyKey(token: KeyToken, modes: KeyboardModes): string | undefined {
  const flags = modes.kittyKeyboard;
  const key = fromKeypad(keyOfToken(token), token.name, flags);
  const { code } = key;
  const modifiers = key.modifiers & shifts;
  const released = token.event === 'release';
  if (released && !(flags & kittyFlag.events)) return undefined;
  if (!(flags & kittyFlag.allKeys)) {
    if (isModifierKey(code)) return undefined;
    const plain = alwaysPlain[code];
    if (plain !== undefined && (released || modifiers === 0)) return released ? undefined : plain;
    // Only the flag to tell them apart makes these other than they were.
    const mayBeOld = !(flags & kittyFlag.disambiguate) && token.event === 'press';
    if (mayBeOld && (code === 27 ? modifiers === 0 : isOldCharacter(key))) return encodeOldKey(token, modes);
  }
  return kittySequence(key, token.event, flags, '');
}

/** Characters of ASCII have old forms with these modifiers, if often the same one for several keys. */
function isOldCharacter({ code, modifiers }: KittyKey): boolean {
  const pressed = modifiers & shifts;
  return code >= 32 && code < 127 && [alt, ctrl, shift | alt, ctrl | alt].includes(pressed);
}

/** `CSI code:shifted:base ; modifiers:event ; text u`, or the old sequence of the key with the middle field. */
function kittySequence(key: KittyKey, event: KeyEvent, flags: number, text: string): string {
  const old = sequenceOf(key.code, true);
  let { modifiers } = key;
  // Locks change nothing about a character but what is typed, unless all is told.
  const isCharacter = key.code >= 32 && key.code !== 127 && key.code < 57344;
  if (isCharacter && !(flags & kittyFlag.allKeys)) modifiers &= ~locks;
  const eventNumber = flags & kittyFlag.events ? { press: 1, repeat: 2, release: 3 }[event] : 1;
  const second =
    modifiers === 0 && eventNumber === 1 ? '' : `${modifiers + 1}${eventNumber > 1 ? `:${eventNumber}` : ''}`;
  const told = flags & kittyFlag.text && event !== 'release' ? text : '';
  const third = [...told].map((character) => character.codePointAt(0)).join(':');
  const number = old ? old.number : key.code;
  const first = `${number}${flags & kittyFlag.alternates ? alternatesOf(key) : ''}`;
  const rest = third ? `;${second};${third}` : second ? `;${second}` : '';
  return `\x1b[${first === '1' && rest === '' ? '' : first}${rest}${old?.final ?? 'u'}`;
}

function alternatesOf({ shifted, base, modifiers }: KittyKey): string {
  const withShift = modifiers & shift ? shifted : 0;
  if (base) return `:${withShift || ''}:${base}`;
  return withShift ? `:${withShift}` : '';
}

/** xterm's form for keys that have no old one (level 1), or for all with modifiers (level 2). */
function encodeOtherKey(token: KeyToken, level: KeyboardModes['modifyOtherKeys']): string | undefined {
  const { name } = token;
  if (level === 0 || name === undefined) return undefined;
  const code = [...name].length === 1 ? (name.codePointAt(0) as number) : kittyCodeOf(name);
  const key = keyOfToken(token);
  const modifiers = key.modifiers & (shift | alt | ctrl);
  if (modifiers === 0 || code >= 57344) return undefined;
  if (level === 1 && isWellKnown(name, code, modifiers)) return undefined;
  return `\x1b[27;${modifiers + 1};${code}~`;
}

function isWellKnown(name: string, code: number, modifiers: number): boolean {
  if ((modifiers & ~shift) === alt || code === 127 || (code === 9 && modifiers === shift)) return true;
  return (modifiers & ctrl) !== 0 && (name === 'space' || oldControlOf(name) !== undefined);
}
