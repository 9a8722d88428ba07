/** Names of keys as keymaps and help write them: `C-b`, `M-x`, `S-Tab`, `PageUp`, `y`. */
import { isModifierKey, type KeyToken, type Token } from './stage/index.ts';

const names: Record<string, string | undefined> = {
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageUp: 'PageUp',
  pageDown: 'PageDown',
  insert: 'Insert',
  delete: 'Delete',
  enter: 'Enter',
  tab: 'Tab',
  backspace: 'Backspace',
  escape: 'Esc',
  space: 'Space',
};

/** Undefined for what is no key pressed: paste, mouse, focus, replies, releases, unknown sequences. */
export function keyOf(token: Token): string | undefined {
  if (token.type === 'text') return token.text === ' ' ? 'Space' : token.text;
  if (token.type !== 'key' || token.name === undefined || token.event === 'release') return undefined;
  const name = names[token.name] ?? token.name;
  return `${token.ctrl ? 'C-' : ''}${token.alt ? 'M-' : ''}${token.shift ? 'S-' : ''}${name}`;
}

/** Not a key pressed but one let go of, a modifier or lock by itself, or an answer of the terminal. */
export function isBeside(token: Token): boolean {
  if (token.type === 'reply') return true;
  if (token.type !== 'key') return false;
  return token.event === 'release' || isModifierKey(token.kitty?.code ?? 0);
}

/** A key that is held down, as far as the terminal says so. */
export function isRepeat(token: Token): boolean {
  return (token.type === 'key' || token.type === 'text') && token.event === 'repeat';
}

/** How many rows a turn of the wheel scrolls; none to the side, and for everything else. */
export function wheelRows(token: Token): number {
  if (token.type !== 'mouse' || token.action !== 'wheel') return 0;
  return token.button === 64 ? -3 : token.button === 65 ? 3 : 0;
}

/** The key of a keymap's prefix: `C-a` to `C-z`, `C-Space` and the signs beside the letters. */
export function controlToken(key: string): KeyToken {
  const name = key.slice('C-'.length).toLowerCase();
  const bytes = new Uint8Array(0);
  return { type: 'key', name, ctrl: true, alt: false, shift: false, event: 'press', bytes };
}
