/**
 * What an operator's terminal can say: one token for each key, run of text, paste, mouse event, focus
 * change or reply. Only the words; `tokenizer.ts` makes tokens and `encode.ts` turns them back into bytes.
 */

interface Raw {
  /** Exactly the bytes that came from the terminal; all tokens' bytes in order are the input. */
  readonly bytes: Uint8Array;
}

export interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  /** Only for named keys and the mouse: a character key carries its shifted character as its name. */
  readonly shift: boolean;
}

/** What the kitty keyboard protocol says of a key beyond its name. */
export interface KittyKey {
  /** Unicode of the key without modifiers, or the protocol's number of a functional key; 0: text of no known key. */
  readonly code: number;
  /** The same with shift, in the layout in use; 0: not said. */
  readonly shifted: number;
  /** The key in its place on a PC-101 keyboard; 0: not said. */
  readonly base: number;
  /** Bits: shift 1, alt 2, ctrl 4, super 8, hyper 16, meta 32, caps lock 64, num lock 128. */
  readonly modifiers: number;
}

export type KeyEvent = 'press' | 'repeat' | 'release';

/** Printable characters typed (or pasted without brackets): one or more whole characters. */
export interface TextToken extends Raw {
  readonly type: 'text';
  readonly text: string;
  /** Only from terminals that speak the kitty keyboard protocol, as is `kitty`. Never a release. */
  readonly event?: KeyEvent;
  readonly kitty?: KittyKey;
}

/** Keys that are not a character. `tab` with `shift` is the back-tab. */
export type NamedKey =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'insert'
  | 'delete'
  | 'pageUp'
  | 'pageDown'
  | 'clear'
  | 'enter'
  | 'tab'
  | 'backspace'
  | 'escape'
  | 'space'
  | `f${number}`;

/**
 * One key: a named one, or a character with ctrl or alt (`{ name: 'b', ctrl: true }`).
 * Ctrl-J is `j` with ctrl, Ctrl-H is `h` with ctrl; Ctrl-M and Ctrl-I arrive as `enter` and `tab`.
 */
export interface KeyToken extends Raw, Modifiers {
  readonly type: 'key';
  /** A {@link NamedKey}, or the character itself. Undefined: one that has no name here, or a sequence we do not know. */
  readonly name: NamedKey | (string & {}) | undefined;
  /** `release` comes only from terminals that speak the kitty keyboard protocol. */
  readonly event: KeyEvent;
  /** What the sequence says more; without it a nameless token is a sequence we do not know. */
  readonly kitty?: KittyKey;
}

/** A bracketed paste. Long ones come in parts, so that memory stays bounded; no part cuts a character or CR LF. */
export interface PasteToken extends Raw {
  readonly type: 'paste';
  /** What was pasted, without the brackets. */
  readonly data: Uint8Array;
  readonly first: boolean;
  readonly last: boolean;
}

export interface MouseToken extends Raw, Modifiers {
  readonly type: 'mouse';
  /** `drag`: moved with a button held; `move`: moved with none. */
  readonly action: 'press' | 'release' | 'drag' | 'move' | 'wheel';
  /** xterm's number: 0 left, 1 middle, 2 right, 3 none, 64 to 67 wheel up, down, left, right, 128 to 131 extra. */
  readonly button: number;
  /** Column from 0. */
  readonly x: number;
  /** Row from 0. */
  readonly y: number;
}

export interface FocusToken extends Raw {
  readonly type: 'focus';
  readonly focused: boolean;
}

/** An answer of the terminal to a question, never something the operator typed. */
export interface ReplyToken extends Raw {
  readonly type: 'reply';
  readonly kind: 'attributes' | 'status' | 'cursor' | 'mode' | 'keyboard' | 'window' | 'osc' | 'dcs' | 'apc';
  /** The reply without its introducer and terminator. */
  readonly body: string;
}

export type Token = TextToken | KeyToken | PasteToken | MouseToken | FocusToken | ReplyToken;
