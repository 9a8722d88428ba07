/**
 * Which key an escape sequence means: xterm's table, rxvt's and the Linux console's variants, kitty's
 * CSI u and xterm's modifyOtherKeys. Only names; where a sequence ends is the tokenizer's business.
 */

import type { KeyEvent, KeyToken, KittyKey, Modifiers, NamedKey } from './token.ts';

/** A key before its bytes are put to it; `text` where the sequence stands for a plain typed character. */
export type NamedSequence = Omit<KeyToken, 'type' | 'bytes'> & { readonly text?: string };

export const noModifiers: Modifiers = { ctrl: false, alt: false, shift: false };

export const unknownKey: NamedSequence = { name: undefined, ...noModifiers, event: 'press' };

const byFinal: Record<string, NamedKey> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'clear',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

const byNumber: Record<number, NamedKey> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageUp',
  6: 'pageDown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
  25: 'f13',
  26: 'f14',
  28: 'f15',
  29: 'f16',
  31: 'f17',
  32: 'f18',
  33: 'f19',
  34: 'f20',
  57427: 'clear',
};

/** Keys that the kitty protocol numbers otherwise than by their character; the keypad's are in the private use area. */
const byKittyCode: Record<number, NamedKey> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageUp',
  57422: 'pageDown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
  57427: 'clear',
};
const kittyKeypad: Record<number, string> = Object.fromEntries(
  [...'0123456789./*-+'].map((character, index) => [57399 + index, character] as const),
);
kittyKeypad[57415] = '=';
kittyKeypad[57416] = ',';

/** Keys that send old sequences under the protocol have numbers in its table all the same, kitty's own. */
const kittyCodes: Partial<Record<NamedKey, number>> = {
  tab: 9,
  enter: 13,
  escape: 27,
  space: 32,
  backspace: 127,
  insert: 57348,
  delete: 57349,
  left: 57350,
  right: 57351,
  up: 57352,
  down: 57353,
  pageUp: 57354,
  pageDown: 57355,
  home: 57356,
  end: 57357,
  clear: 57427,
};
const functionBase = 57363;

/** A modifier or a lock by itself, by its number in {@link KittyKey}. */
export function isModifierKey(code: number): boolean {
  return (code >= 57358 && code <= 57360) || (code >= 57441 && code <= 57454);
}

/** The number of a named key in {@link KittyKey}, or that of a character. */
export function kittyCodeOf(name: string): number {
  const digits = /^f(\d+)$/.exec(name)?.[1];
  return (
    kittyCodes[name as NamedKey] ??
    (digits === undefined ? (name.codePointAt(0) as number) : functionBase + Number(digits))
  );
}

/** A byte below 0x20, or 0x7f, as a key. */
export function nameControl(byte: number): NamedSequence {
  const named: Record<number, NamedKey> = { 9: 'tab', 13: 'enter', 27: 'escape', 127: 'backspace' };
  const name = named[byte];
  if (name) return { ...unknownKey, name };
  if (byte === 0) return { ...unknownKey, name: 'space', ctrl: true };
  return { ...unknownKey, name: String.fromCharCode(byte + 0x40).toLowerCase(), ctrl: true };
}

/** `ESC O final`, with the rare modifier digit in between; lower case is rxvt with ctrl. */
export function nameSs3(digits: string, final: string): NamedSequence {
  if (digits === '' && final === 'M') return { ...unknownKey, name: 'enter' };
  const upper = byFinal[final];
  if (upper) return { ...unknownKey, ...modifiersOf(digits), name: upper };
  if (/^[a-e]$/.test(final)) {
    return { ...unknownKey, name: byFinal[final.toUpperCase()], ctrl: true };
  }
  return unknownKey;
}

/** A CSI sequence that is neither mouse, focus, paste nor reply. `params` is what stands before `final`. */
export function nameCsi(params: string, final: string): NamedSequence {
  if (final === 'u') return nameKitty(params);
  if (final === '~' && /^27;\d*;\d+$/.test(params)) {
    const [, modifier, code] = params.split(';');
    return nameKitty(`${code};${modifier}`);
  }
  if (params.startsWith('[')) {
    const index = 'ABCDE'.indexOf(final);
    return index < 0 ? unknownKey : { ...unknownKey, name: `f${index + 1}` };
  }
  if (!/^[\d;:]*$/.test(params)) return unknownKey;
  const [number = '', modifier = ''] = params.split(';');
  if (final === '~') {
    return withModifiers(byNumber[Number(number)], modifier);
  }
  // rxvt writes shift and ctrl as the final character.
  if (final === '$') return { ...unknownKey, name: byNumber[Number(number)], shift: true };
  if (final === '^') return { ...unknownKey, name: byNumber[Number(number)], ctrl: true };
  if (final === '@') return { ...unknownKey, name: byNumber[Number(number)], ctrl: true, shift: true };
  if (final === 'Z') return { ...unknownKey, ...modifiersOf(modifier), name: 'tab', shift: true };
  if (params === '' && /^[a-d]$/.test(final)) {
    return { ...unknownKey, name: byFinal[final.toUpperCase()], shift: true };
  }
  return number === '' || number === '1' ? withModifiers(byFinal[final], modifier) : unknownKey;
}

/** `code:shifted:base ; modifiers:event ; text` of the kitty protocol; later fields may be absent. */
function nameKitty(params: string): NamedSequence {
  if (!/^[\d:]*(?:;[\d:]*){0,2}$/.test(params)) return unknownKey;
  const [codes = '', modifier = '', texts = ''] = params.split(';');
  const [code = 0, shifted = 0, base = 0] = codes.split(':').map(Number);
  if (Math.max(code, shifted, base) > 0x10ffff) return unknownKey;
  const bits = modifierBits(modifier);
  const event = eventOf(modifier);
  const key = { ...modifiersOf(modifier), event, kitty: { code, shifted, base, modifiers: bits } };
  if (isForeign(bits)) return { ...key, ...noModifiers, name: undefined };
  // With both it is AltGr, which types.
  const mayType = key.ctrl === key.alt && event !== 'release';
  const typed = mayType ? textOf(texts) : undefined;
  if (typed !== undefined) return { ...key, ...noModifiers, name: typed, text: typed };
  const name = byKittyCode[code] ?? functionKey(code);
  if (name) {
    // Space with shift alone is still a space that was typed.
    const isSpace = name === 'space' && !key.ctrl && !key.alt && event !== 'release';
    return isSpace ? { ...key, name, text: ' ' } : { ...key, name };
  }
  const character = kittyKeypad[code] ?? characterOf(key, key.kitty);
  if (character === undefined) return { ...key, ...noModifiers, name: undefined };
  const plain = { ...key, name: character, shift: false };
  return key.ctrl || key.alt || event === 'release' ? plain : { ...plain, text: character };
}

function functionKey(code: number): NamedKey | undefined {
  const number = code - functionBase;
  return number >= 1 && number <= 35 ? `f${number}` : undefined;
}

function characterOf({ ctrl, shift }: Modifiers, { code, shifted, base }: KittyKey): string | undefined {
  if (!isCharacter(code)) return undefined;
  // Ctrl with a letter of another script is what the key says in Latin, as in terminals without the protocol.
  if (ctrl && code > 0x7f && isCharacter(base)) return String.fromCodePoint(base);
  if (!shift) return String.fromCodePoint(code);
  return isCharacter(shifted) ? String.fromCodePoint(shifted) : String.fromCodePoint(code).toUpperCase();
}

/** The field of text; undefined when it is empty or holds what nobody types. */
function textOf(field: string): string | undefined {
  const codes = field.split(':').map(Number);
  return codes.every(isCharacter) ? String.fromCodePoint(...codes) : undefined;
}

/** Printable, and not of the private use area where kitty numbers lock and media keys. */
function isCharacter(code: number): boolean {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code > 0x10ffff) return false;
  return !(code >= 0xd800 && code <= 0xf8ff);
}

function withModifiers(name: NamedKey | undefined, modifier: string): NamedSequence {
  const event = eventOf(modifier);
  if (name === undefined) return { ...unknownKey, event };
  if (modifier === '') return { ...unknownKey, name };
  const bits = modifierBits(modifier);
  const kitty = { code: kittyCodeOf(name), shifted: 0, base: 0, modifiers: bits };
  if (isForeign(bits)) return { ...unknownKey, event, kitty };
  return { ...modifiersOf(modifier), name, event, kitty };
}

/** Super, hyper: no name of ours says them, and the key is not the one without. */
function isForeign(bits: number): boolean {
  return (bits & 0x18) !== 0;
}

function eventOf(modifier: string): KeyEvent {
  return ({ 2: 'repeat', 3: 'release' } as const)[Number(modifier.split(':')[1])] ?? 'press';
}

/** The field less the one it is raised by; what is above the eight bits is not known. */
function modifierBits(modifier: string): number {
  return (Math.max(1, Number.parseInt(modifier, 10) || 1) - 1) & 0xff;
}

function modifiersOf(modifier: string): Modifiers {
  const bits = modifierBits(modifier);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0 || (bits & 32) !== 0, ctrl: (bits & 4) !== 0 };
}
