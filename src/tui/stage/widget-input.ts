/**
 * A token as blessed's widgets expect it: a whole key, a whole character, a mouse event. blessed's own
 * decoding, which fires Enter twice and tears emoji, is never reached.
 */

import type { BlessedScreen } from './blessed-screen.ts';
import type { KeyToken, MouseToken, Token } from './token.ts';
import { splitText } from './tokenizer.ts';

const lineBreakOrControl = /[\x00-\x1f\x7f-\x9f]+/g;

export function feedWidget(blessed: BlessedScreen, token: Token): void {
  switch (token.type) {
    case 'text':
      for (const { text } of splitText(token)) feedCharacter(blessed, text);
      break;
    case 'paste': {
      // A line break in a paste must not press Enter.
      const text = Buffer.from(token.data).toString('utf8').replace(lineBreakOrControl, ' ');
      for (const part of splitText({ type: 'text', text, bytes: token.data }))
        feedCharacter(blessed, part.text);
      break;
    }
    case 'key':
      feedKey(blessed, token);
      break;
    case 'mouse':
      feedMouse(blessed, token);
      break;
  }
}

function feedCharacter(blessed: BlessedScreen, text: string): void {
  if (text === '') return;
  const letter = /^[a-z]$/i.test(text);
  blessed.key(text, {
    name: text === ' ' ? 'space' : letter ? text.toLowerCase() : text,
    ctrl: false,
    meta: false,
    shift: letter && text !== text.toLowerCase(),
    sequence: text,
  });
}

function feedKey(blessed: BlessedScreen, token: KeyToken): void {
  const { name, event, ctrl, alt, shift } = token;
  if (name === undefined || event === 'release') return;
  const upper = /^[A-Z]$/.test(name);
  const sequence = Buffer.from(token.bytes).toString('utf8');
  const blessedName = name.toLowerCase();
  blessed.key(undefined, { name: blessedName, ctrl, meta: alt, shift: shift || upper, sequence });
}

const buttons: Record<number, string | undefined> = { 0: 'left', 1: 'middle', 2: 'right' };

function feedMouse(blessed: BlessedScreen, token: MouseToken): void {
  const { action, button, x, y, ctrl, alt, shift } = token;
  let blessedAction = 'mousemove';
  if (action === 'press') blessedAction = 'mousedown';
  else if (action === 'release') blessedAction = 'mouseup';
  else if (action === 'wheel') {
    // blessed knows no sideways wheel.
    if (button > 65) return;
    blessedAction = button === 64 ? 'wheelup' : 'wheeldown';
  }
  const name = action === 'wheel' ? 'middle' : (buttons[button] ?? 'unknown');
  blessed.mouse({ name: 'mouse', action: blessedAction, button: name, x, y, ctrl, meta: alt, shift });
}
