/**
 * Where the next token in a run of bytes ends and what it is. Holds no state: what is incomplete is
 * answered by undefined, and asked again with more bytes or with `flush`.
 */

import { type NamedSequence, nameControl, nameCsi, nameSs3, noModifiers, unknownKey } from './key-names.ts';
import type { MouseToken, PasteToken, ReplyToken, Token } from './token.ts';

const esc = 0x1b;
const pasteStart = Buffer.from('\x1b[200~');
const pasteEnd = Buffer.from('\x1b[201~');
/** A longer paste is given out in parts. */
const pastePart = 64 * 1024;
/** No terminal sends longer ones; what does is passed on as it is rather than kept. */
const longestCsi = 256;
const longestString = 64 * 1024;

const strings: Record<number, ReplyToken['kind'] | undefined> = { 93: 'osc', 80: 'dcs', 95: 'apc' };

/**
 * The token at `at`; 'paste' where a bracketed paste begins; undefined: more bytes may change the answer.
 * `flush` says that no more will come soon: then there is always an answer.
 */
export function scanToken(bytes: Uint8Array, at: number, flush: boolean): Token | 'paste' | undefined {
  const first = bytes[at]!;
  if (first === esc) return scanEscape(bytes, at, flush);
  if (first < 0x20 || first === 0x7f) return key(bytes, at, at + 1, nameControl(first));
  return scanText(bytes, at, flush);
}

/** The next part of a paste; the first one's bytes hold the start bracket, the last one's the end bracket. */
export function scanPaste(bytes: Uint8Array, at: number, started: boolean): PasteToken | undefined {
  const from = started ? at : at + pasteStart.length;
  const end = asBuffer(bytes).indexOf(pasteEnd, from);
  if (end >= 0 && end - from <= pastePart) return part(end, end + pasteEnd.length, true);
  // Only when no end bracket can begin within the part: the cut is the same however the bytes arrive.
  if (end < 0 && bytes.length - from < pastePart + pasteEnd.length) return undefined;
  let cut = from + pastePart;
  while (cut > from + pastePart - 4 && (bytes[cut]! & 0xc0) === 0x80) cut--;
  if (bytes[cut - 1] === 0x0d) cut--;
  return part(cut, cut, false);

  function part(dataEnd: number, tokenEnd: number, last: boolean): PasteToken {
    const data = bytes.subarray(from, dataEnd);
    return { type: 'paste', bytes: bytes.subarray(at, tokenEnd), data, first: !started, last };
  }
}

function scanText(bytes: Uint8Array, at: number, flush: boolean): Token | undefined {
  let end = at;
  while (end < bytes.length) {
    const length = characterLength(bytes, end);
    if (length <= 0) break;
    end += length;
  }
  if (end > at) {
    const run = bytes.subarray(at, end);
    return { type: 'text', text: asBuffer(run).toString('utf8'), bytes: run };
  }
  if (characterLength(bytes, at) === 0 && !flush) return undefined;
  return key(bytes, at, at + 1, unknownKey);
}

/** Bytes of the printable character at `at`; 0: incomplete; -1: not a printable character of valid UTF-8. */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return first >= 0x20 && first !== 0x7f ? 1 : -1;
  const length = first >= 0xf5 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0) return -1;
  // Overlong forms, surrogates, values past U+10FFFF and C1 controls all show in the second byte.
  const low = first === 0xe0 || first === 0xc2 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 0;
    if (byte < (i === 1 ? low : 0x80) || byte > (i === 1 ? high : 0xbf)) return -1;
  }
  return length;
}

function scanEscape(bytes: Uint8Array, at: number, flush: boolean): Token | 'paste' | undefined {
  const second = bytes[at + 1];
  if (second === undefined) return flush ? key(bytes, at, at + 1, nameControl(esc)) : undefined;
  if (second === 0x5b) return scanCsi(bytes, at, at + 2, flush);
  if (second === 0x4f) return scanSs3(bytes, at, at + 2, flush);
  if (second === esc) return scanDoubleEscape(bytes, at, flush);
  const kind = strings[second];
  if (kind) return scanString(bytes, at, kind, flush);
  if (second < 0x20 || second === 0x7f) return key(bytes, at, at + 2, { ...nameControl(second), alt: true });
  const length = characterLength(bytes, at + 1);
  if (length === 0 && !flush) return undefined;
  if (length <= 0) return key(bytes, at, at + 1, nameControl(esc));
  return altCharacter(bytes, at, at + 1 + length);
}

/** rxvt and others send alt with a named key as ESC before its sequence. */
function scanDoubleEscape(bytes: Uint8Array, at: number, flush: boolean): Token | undefined {
  const third = bytes[at + 2];
  if (third === undefined && !flush) return undefined;
  const inner =
    third === 0x5b
      ? scanCsi(bytes, at + 1, at + 3, flush)
      : third === 0x4f
        ? scanSs3(bytes, at + 1, at + 3, flush)
        : 'none';
  if (inner === undefined) return undefined;
  if (inner !== 'none' && inner !== 'paste' && inner.type === 'key' && inner.name !== undefined) {
    return { ...inner, alt: true, bytes: bytes.subarray(at, at + 1 + inner.bytes.length) };
  }
  // What follows the first ESC is no key: then that ESC was one.
  if (inner !== 'none') return key(bytes, at, at + 1, nameControl(esc));
  return key(bytes, at, at + 2, { ...nameControl(esc), alt: true });
}

function scanSs3(bytes: Uint8Array, at: number, from: number, flush: boolean): Token | undefined {
  let end = from;
  if (bytes[end] !== undefined && bytes[end]! >= 0x31 && bytes[end]! <= 0x39) end++;
  const final = bytes[end];
  if (final === undefined && !flush) return undefined;
  if (final === undefined || final < 0x40 || final > 0x7e) return altCharacter(bytes, at, from);
  return key(bytes, at, end + 1, nameSs3(latin(bytes, from, end), String.fromCharCode(final)));
}

function scanCsi(bytes: Uint8Array, at: number, from: number, flush: boolean): Token | 'paste' | undefined {
  if (bytes[from] === 0x4d) return scanX10Mouse(bytes, at, from + 1, flush);
  // The Linux console's F1 to F5 are CSI [ A to E.
  let end = bytes[from] === 0x5b ? from + 1 : from;
  const limit = Math.min(bytes.length, at + longestCsi);
  while (end < limit && bytes[end]! >= 0x20 && bytes[end]! <= 0x3f) {
    // rxvt's shift is a final `$`, elsewhere an intermediate character.
    if (bytes[end] === 0x24 && /^\d+$/.test(latin(bytes, from, end))) break;
    end++;
  }
  const final = bytes[end];
  if (end === limit && limit === bytes.length && limit < at + longestCsi && !flush) return undefined;
  if (end === limit || final === undefined || (final !== 0x24 && (final < 0x40 || final > 0x7e))) {
    return end === from ? altCharacter(bytes, at, from) : key(bytes, at, end, unknownKey);
  }
  return classifyCsi(bytes.subarray(at, end + 1), latin(bytes, from, end), String.fromCharCode(final));
}

function classifyCsi(bytes: Uint8Array, params: string, final: string): Token | 'paste' {
  const whole = params + final;
  if (whole === '200~') return 'paste';
  if (whole === 'I' || whole === 'O') return { type: 'focus', focused: final === 'I', bytes };
  const mouse = /^(<?)(\d+);(\d+);(\d+)([Mm])$/.exec(whole);
  if (mouse) {
    const [, sgr, code, x, y] = mouse;
    const released = final === 'm';
    // urxvt's numbers have X10's offset of 32.
    return mouseToken(
      bytes,
      Number(code) - (sgr ? 0 : 32),
      Number(x) - 1,
      Number(y) - 1,
      sgr ? released : undefined,
    );
  }
  const kind = replyKind(whole);
  if (kind) return { type: 'reply', kind, body: whole, bytes };
  const { text, event, kitty, ...named } = nameCsi(params, final);
  const more = kitty ? { event, kitty } : { event };
  return text === undefined
    ? { type: 'key', ...named, ...more, bytes }
    : { type: 'text', text, ...more, bytes };
}

function replyKind(sequence: string): ReplyToken['kind'] | undefined {
  if (/^[?>=][\d;]*c$/.test(sequence)) return 'attributes';
  // `CSI 1;2R` to `CSI 1;16R` is F3 with modifiers; a cursor in the first row is asked for with `?`.
  if (/^\?[\d;]+R$/.test(sequence)) return 'cursor';
  if (/^\d+;\d+R$/.test(sequence) && !/^1;([2-9]|1[0-6])R$/.test(sequence)) return 'cursor';
  if (/\$y$/.test(sequence)) return 'mode';
  if (/^\?\d*u$|^>4(?:;\d+)?m$/.test(sequence)) return 'keyboard';
  if (/^[\d;]+t$/.test(sequence)) return 'window';
  if (/^\??[\d;]*n$/.test(sequence) || /^\?[\d;]+S$/.test(sequence)) return 'status';
  return undefined;
}

function scanX10Mouse(bytes: Uint8Array, at: number, from: number, flush: boolean): Token | undefined {
  if (from + 3 > bytes.length) return flush ? key(bytes, at, bytes.length, unknownKey) : undefined;
  const [code, x, y] = [bytes[from]!, bytes[from + 1]!, bytes[from + 2]!];
  return mouseToken(bytes.subarray(at, from + 3), code - 32, x - 33, y - 33, undefined);
}

/** `released` is undefined where the encoding says it only by button 3. */
function mouseToken(
  bytes: Uint8Array,
  code: number,
  x: number,
  y: number,
  released: boolean | undefined,
): MouseToken {
  const button = (code & 3) | (code & 0xc0);
  const moved = (code & 32) !== 0;
  const wheel = (code & 0xc0) === 64;
  let action: MouseToken['action'];
  if (wheel) action = 'wheel';
  else if (moved) action = button === 3 ? 'move' : 'drag';
  else action = released || (released === undefined && button === 3) ? 'release' : 'press';
  const modifiers = { shift: (code & 4) !== 0, alt: (code & 8) !== 0, ctrl: (code & 16) !== 0 };
  return { type: 'mouse', action, button, x: Math.max(0, x), y: Math.max(0, y), ...modifiers, bytes };
}

/** OSC, DCS and APC, ended by ST (an OSC also by BEL). Any other control says that it was Alt and a letter. */
function scanString(
  bytes: Uint8Array,
  at: number,
  kind: ReplyToken['kind'],
  flush: boolean,
): Token | undefined {
  const limit = Math.min(bytes.length, at + longestString);
  let end = at + 2;
  while (end < limit && bytes[end]! >= 0x20) end++;
  if (end === limit) {
    if (limit === at + longestString) return key(bytes, at, limit, unknownKey);
    if (!flush) return undefined;
    return end === at + 2 ? altCharacter(bytes, at, end) : key(bytes, at, end, unknownKey);
  }
  const ending = bytes[end] === 7 && kind === 'osc' ? 1 : bytes[end] === esc ? 2 : 0;
  if (ending === 2 && bytes[end + 1] === undefined && !flush) return undefined;
  if (ending === 0 || (ending === 2 && bytes[end + 1] !== 0x5c)) return altCharacter(bytes, at, at + 2);
  const body = asBuffer(bytes.subarray(at + 2, end)).toString('utf8');
  return { type: 'reply', kind, body, bytes: bytes.subarray(at, end + ending) };
}

function altCharacter(bytes: Uint8Array, at: number, end: number): Token {
  const character = asBuffer(bytes.subarray(at + 1, end)).toString('utf8');
  const name = character === ' ' ? 'space' : character;
  return { type: 'key', name, ...noModifiers, alt: true, event: 'press', bytes: bytes.subarray(at, end) };
}

function key(bytes: Uint8Array, at: number, end: number, named: NamedSequence): Token {
  const { text: _, ...rest } = named;
  return { type: 'key', ...rest, bytes: bytes.subarray(at, end) };
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return asBuffer(bytes.subarray(from, to)).toString('latin1');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
