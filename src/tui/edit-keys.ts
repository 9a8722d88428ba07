/** Keys that edit a text buffer, the same in every line and editor. */
import type { TextBuffer } from './editor.ts';
import { keyOf } from './keys.ts';
import type { Token } from './stage/index.ts';

const actions: Record<string, ((buffer: TextBuffer) => void) | undefined> = {
  Space: (buffer) => buffer.insert(' '),
  Left: (buffer) => buffer.left(),
  Right: (buffer) => buffer.right(),
  Home: (buffer) => buffer.lineStart(),
  End: (buffer) => buffer.lineEnd(),
  'C-a': (buffer) => buffer.lineStart(),
  'C-e': (buffer) => buffer.lineEnd(),
  'C-Left': (buffer) => buffer.wordLeft(),
  'C-Right': (buffer) => buffer.wordRight(),
  'M-b': (buffer) => buffer.wordLeft(),
  'M-f': (buffer) => buffer.wordRight(),
  Backspace: (buffer) => buffer.backspace(),
  'C-h': (buffer) => buffer.backspace(),
  Delete: (buffer) => buffer.delete(),
  'C-d': (buffer) => buffer.delete(),
  'C-w': (buffer) => buffer.deleteWord(),
  'C-u': (buffer) => buffer.deleteToLineStart(),
  'C-k': (buffer) => buffer.deleteToLineEnd(),
};

/** Typed and pasted text goes in, editing keys do their work; false: the token is none of these. */
export function editWith(buffer: TextBuffer, token: Token): boolean {
  if (token.type === 'paste') {
    buffer.insert(Buffer.from(token.data).toString('utf8'));
    return true;
  }
  const key = keyOf(token);
  const action = key === undefined ? undefined : actions[key];
  if (action) action(buffer);
  else if (token.type === 'text') buffer.insert(token.text);
  else return false;
  return true;
}
