import { expect, test, vi } from 'vitest';
import { keyReader } from '../../src/sdk/keys.ts';

function read(...chunks: string[]): string[] {
  const keys: string[] = [];
  const take = keyReader((key) => keys.push(key));
  for (const chunk of chunks) take(Buffer.from(chunk, 'latin1'));
  return keys;
}

test('names keys in both cursor modes, and passes characters on', () => {
  expect(read('a+\x1b[A\x1bOB\x1b[3~\r\x7f\x03')).toEqual([
    ...['a', '+', 'up', 'down', 'delete', 'enter', 'backspace', 'ctrl-c'],
  ]);
});

test('a sequence or a character cut anywhere arrives whole', () => {
  expect(read('\x1b', '[', 'A', '\xc3', '\xa9')).toEqual(['up', 'é']);
});

test('unknown sequences are no keys', () => {
  expect(read('\x1b[5;5~\x1b[<0;1;1Mx')).toEqual(['x']);
});

test('a lone escape is a key after a moment', () => {
  vi.useFakeTimers();
  const keys = read('\x1b');
  expect(keys).toEqual([]);
  vi.runAllTimers();
  expect(keys).toEqual(['escape']);
  vi.useRealTimers();
});
