/**
 * Keys as xterm always sent them, which is what a program gets that asked for nothing else, and the tables of
 * their sequences. Knows only the modes of cursor keys and keypad.
 */
import type { ScreenModes } from '../../cells/frame.ts';
import { kittyCodeOf } from './key-names.ts';
import type { KeyToken, KittyKey } from './token.ts';

type OldModes = Pick<ScreenModes, 'applicationCursor' | 'applicationKeypad'>;

interface Sequence {
  readonly number: number;
  readonly final: string;
}

const finals: Record<string, string> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  clear: 'E',
  end: 'F',
  home: 'H',
  f1: 'P',
  f2: 'Q',
  f3: 'R',
  f4: 'S',
};
const numbers: Record<string, number> = {
  insert: 2,
  delete: 3,
  pageUp: 5,
  pageDown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
/** Of the VT220; the kitty protocol has its own for these. */
const laterNumbers: Record<string, number> = {
  f13: 25,
  f14: 26,
  f15: 28,
  f16: 29,
  f17: 31,
  f18: 32,
  f19: 33,
  f20: 34,
};

const sequences = tableOf(numbers);
const oldSequences = tableOf({ ...numbers, ...laterNumbers });
// A cursor report ends in R.
sequences.set(kittyCodeOf('f3'), { number: 13, final: '~' });

function tableOf(numbered: Record<string, number>): Map<number, Sequence> {
  const table = new Map<number, Sequence>();
  for (const [name, final] of Object.entries(finals)) table.set(kittyCodeOf(name), { number: 1, final });
  for (const [name, number] of Object.entries(numbered)) table.set(kittyCodeOf(name), { number, final: '~' });
  return table;
}

/** The sequence of a key by its number in the kitty protocol, which changed some: `inKitty`. */
export function sequenceOf(code: number, inKitty: boolean): Sequence | undefined {
  return (inKitty ? sequences : oldSequences).get(code);
}

/** A key with a name; undefined when it has no old form. */
export function encodeOldKey(token: KeyToken, modes: OldModes): string | undefined {
  const { name } = token;
  if (name === undefined) return undefined;
  const keypad = token.kitty && keypadKey(token.kitty, modes);
  if (keypad) return keypad;
  const isCharacter = [...name].length === 1;
  const sequence = isCharacter ? undefined : sequenceOf(kittyCodeOf(name), false);
  if (sequence) return encodeSequence(sequence, token, modes);
  const plain = isCharacter ? characterOf(name, token.ctrl) : controlKey(token);
  return plain === undefined ? undefined : `${token.alt ? '\x1b' : ''}${plain}`;
}

function encodeSequence({ number, final }: Sequence, token: KeyToken, modes: OldModes): string {
  const modifier = 1 + (token.shift ? 1 : 0) + (token.alt ? 2 : 0) + (token.ctrl ? 4 : 0);
  if (modifier > 1) return `\x1b[${number};${modifier}${final}`;
  if (final === '~') return `\x1b[${number}~`;
  // F1 to F4 came from the keypad and are SS3 in every mode.
  return `\x1b${modes.applicationCursor || final >= 'P' ? 'O' : '['}${final}`;
}

function controlKey({ name, ctrl, shift }: KeyToken): string | undefined {
  switch (name) {
    case 'enter':
      return '\r';
    case 'escape':
      return '\x1b';
    case 'backspace':
      return ctrl ? '\b' : '\x7f';
    case 'tab':
      return shift ? '\x1b[Z' : '\t';
    case 'space':
      return ctrl ? '\0' : ' ';
    default:
      return undefined;
  }
}

function characterOf(name: string, ctrl: boolean): string {
  return (ctrl ? oldControlOf(name) : undefined) ?? name;
}

/** Ctrl with these is a control of its own; with any other character it is the character. */
export function oldControlOf(character: string): string | undefined {
  if (character.length !== 1) return undefined;
  const digit = '2345678'.indexOf(character);
  if (digit >= 0) return '\0\x1b\x1c\x1d\x1e\x1f\x7f'[digit];
  if (character === '/') return '\x1f';
  if (character === '?') return '\x7f';
  if (character === '~') return '\x1e';
  const code = character.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code - 0x40) : undefined;
}

const keypadFinals: Record<number, string | undefined> = {
  57409: 'n',
  57410: 'o',
  57411: 'j',
  57412: 'm',
  57413: 'k',
  57414: 'M',
  57415: 'X',
  57416: 'l',
};

/** A key of the keypad for a program that set DECKPAM; with num lock it types, as in xterm. */
export function keypadKey({ code, modifiers }: KittyKey, modes: OldModes): string | undefined {
  if (!modes.applicationKeypad || modifiers !== 0) return undefined;
  const isDigit = code >= 57399 && code <= 57408;
  const final = isDigit ? String.fromCharCode('p'.charCodeAt(0) + code - 57399) : keypadFinals[code];
  return final && `\x1bO${final}`;
}
