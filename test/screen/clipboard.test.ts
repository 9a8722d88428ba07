/** What a program may put on the clipboard, and that it learns nothing of what is there. */
import { expect, it } from 'vitest';
import { Screen } from '../../src/screen/index.ts';

/** What was copied and answered when a program writes `text`, in pieces of `size` bytes. */
function clipboard(text: string, size = text.length) {
  const screen = new Screen({ cols: 20, rows: 4 });
  const found = { copied: [] as string[], answered: '' };
  screen.onCopied((copied) => found.copied.push(copied));
  screen.onReply((bytes) => {
    found.answered += bytes;
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    screen.write(bytes.subarray(at, at + size));
    while (screen.parse(1_000));
  }
  return { ...found, shown: screen.text().join('') };
}
const base64 = (text: string) => Buffer.from(text).toString('base64');

it.each([
  ['c', '\x07'],
  ['', '\x1b\\'],
  ['pc0', '\x1b\\'],
])('copies text for the selections "%s"', (selections, end) => {
  const text = 'naïve\n東京 🦊';
  for (const size of [1, 7, 1_000]) {
    expect(clipboard(`\x1b]52;${selections};${base64(text)}${end}`, size)).toEqual({
      copied: [text],
      answered: '',
      shown: '',
    });
  }
});

it('copies long text, and none that is longer than terminals take', () => {
  const text = 'x'.repeat(70_000);
  expect(clipboard(`\x1b]52;c;${base64(text)}\x07`, 4_096).copied).toEqual([text]);
  expect(clipboard(`\x1b]52;c;${base64('x'.repeat(80_000))}\x07after`, 4_096)).toEqual({
    copied: [],
    answered: '',
    shown: 'after',
  });
});

it.each([
  ['a question', 'c;?'],
  ['nothing', 'c;'],
  ['no base64', 'c;not/base64!'],
  ['no text', `c;${Buffer.from([0xff, 0xfe]).toString('base64')}`],
  ['a selection there is none of', `x;${base64('x')}`],
  ['no selection at all', base64('x')],
])('neither copies nor answers %s', (_, payload) => {
  expect(clipboard(`\x1b]52;${payload}\x07`)).toEqual({ copied: [], answered: '', shown: '' });
});
