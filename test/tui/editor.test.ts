import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextBuffer } from '../../src/tui/editor.ts';

test('typing, and taking it back a run at a time', () => {
  const buffer = new TextBuffer('ab');
  for (const char of 'cde') buffer.insert(char);
  buffer.insert(' ');
  buffer.insert('f');
  expect(buffer.text).toBe('abcde f');
  buffer.undo();
  expect(buffer.text).toBe('abcde ');
  buffer.undo();
  buffer.undo();
  expect(buffer.text).toBe('ab');
  expect(buffer.undo()).toBe(false);
  buffer.redo();
  expect(buffer.text).toBe('abcde');
});

test('the cursor never stands inside a character', () => {
  const buffer = new TextBuffer('a👩‍🚀e\u0301');
  buffer.left();
  buffer.left();
  expect(buffer.at).toBe(1);
  buffer.delete();
  expect(buffer.text).toBe('ae\u0301');
  buffer.lineEnd();
  buffer.backspace();
  expect(buffer.text).toBe('a');
});

test('a line takes line breaks as spaces, a text keeps them', () => {
  const line = new TextBuffer();
  line.insert('a\r\nb');
  expect(line.text).toBe('a b');
  const text = new TextBuffer('', { multiline: true });
  text.insert('a\r\nb');
  expect(text.text).toBe('a\nb');
});

test('up and down keep the column as far as a line reaches', () => {
  const buffer = new TextBuffer('abcd\nx\n😀bcd', { multiline: true });
  buffer.lineEnd();
  buffer.vertical(1);
  expect(buffer.place).toEqual({ line: 1, offset: 1 });
  buffer.vertical(1);
  // Column 1 lies in the middle of the pair: the cursor goes before it.
  expect(buffer.place).toEqual({ line: 2, offset: 0 });
  buffer.vertical(-9);
  expect(buffer.place).toEqual({ line: 0, offset: 0 });
});

test('words and lines go at once', () => {
  const buffer = new TextBuffer('one two, three');
  buffer.deleteWord();
  expect(buffer.text).toBe('one two, ');
  buffer.deleteWord();
  expect(buffer.text).toBe('one two');
  buffer.wordLeft();
  buffer.deleteToLineEnd();
  expect(buffer.text).toBe('one ');
  buffer.deleteToLineStart();
  expect(buffer.text).toBe('');
});

test('whatever is done can be undone to the beginning', () => {
  const step = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => (buffer: TextBuffer) => buffer.insert(text)),
    fc
      .constantFrom(
        'backspace',
        'delete',
        'left',
        'right',
        'deleteWord',
        'lineStart',
        'deleteToLineEnd' as const,
      )
      .map((name) => (buffer: TextBuffer) => (buffer[name as 'left'] as () => void).call(buffer)),
  );
  fc.assert(
    fc.property(fc.string(), fc.array(step), (text, steps) => {
      const start = text.replace(/\r\n?/g, '\n');
      const buffer = new TextBuffer(start, { multiline: true });
      for (const one of steps) one(buffer);
      const end = buffer.text;
      while (buffer.undo());
      expect(buffer.text).toBe(start);
      while (buffer.redo());
      expect(buffer.text).toBe(end);
    }),
    { seed: 20_261_130 },
  );
});
