/**
 * Which key an escape sequence means: xterm's table, rxvt's and the Linux console's variants, kitty's
 * CSI u and xterm's modifyOtherKeys. Only names; where a sequence ends is the tokenizer's business.
 */

import type { KeyToken, Modifiers, NamedKey } from './token.ts';

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
};

/** Keys that the kitty protocol numbers in the private use area: keypad first, then the functional ones. */
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
const kittyKeypad = '0123456789./*-+';

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
  if (final === '~' && params.startsWith('27;')) {
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
  const [codes = '', modifier = ''] = params.split(';');
  const [code = 0, shifted = 0] = codes.split(':').map(Number);
  const modifiers = withModifiers('space', modifier);
  if (modifiers.name === undefined) return unknownKey;
  const name =
    byKittyCode[code] ?? (code >= 57376 && code <= 57398 ? (`f${code - 57363}` as const) : undefined);
  if (name) {
    // Space with shift alone is still a space that was typed.
    const typed = name === 'space' && !modifiers.ctrl && !modifiers.alt && modifiers.event !== 'release';
    return typed ? { ...modifiers, name, text: ' ' } : { ...modifiers, name };
  }
  const character = kittyKeypad[code - 57399] ?? characterOf(code, shifted, modifiers.shift);
  if (character === undefined) return { ...unknownKey, event: modifiers.event };
  const key = { ...modifiers, name: character, shift: false };
  return key.ctrl || key.alt || key.event === 'release' ? key : { ...key, text: character };
}

function characterOf(code: number, shifted: number, shift: boolean): string | undefined {
  if (!isCharacter(code)) return undefined;
  if (!shift) return String.fromCodePoint(code);
  return isCharacter(shifted) ? String.fromCodePoint(shifted) : String.fromCodePoint(code).toUpperCase();
}

/** Printable, and not of the private use area where kitty numbers lock and media keys. */
function isCharacter(code: number): boolean {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code > 0x10ffff) return false;
  return !(code >= 0xd800 && code <= 0xf8ff);
}

function withModifiers(name: NamedKey | undefined, modifier: string): NamedSequence {
  const [bits = 1] = modifier.split(':').map(Number);
  // Super, hyper: no name of ours says them, and the key is not the one without.
  const foreign = bits > 1 && ((bits - 1) & 0x18) !== 0;
  const event = ({ 2: 'repeat', 3: 'release' } as const)[Number(modifier.split(':')[1])] ?? 'press';
  if (name === undefined || foreign) return { ...unknownKey, event };
  return { ...modifiersOf(modifier), name, event };
}

function modifiersOf(modifier: string): Modifiers {
  const bits = Math.max(0, (Number.parseInt(modifier, 10) || 1) - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0 || (bits & 32) !== 0, ctrl: (bits & 4) !== 0 };
}
