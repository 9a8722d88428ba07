import { describe, expect, it } from 'vitest';
import { keyFor, makeKeymap } from '../../src/tui/keymap.ts';
import { keyBytes } from '../../src/tui/keys.ts';

describe('a keymap', () => {
  const keys = (prefix: string, own: [string, string[]][]) => {
    const keymap = makeKeymap(prefix, new Map(own));
    return (action: string) => keymap.bindings.find((one) => one.action === action)?.keys ?? [];
  };

  it('gives an action its own keys in place of the default ones', () => {
    const of = keys('C-b', [['split right', ['|']]]);
    expect(of('split right')).toEqual(['|']);
    expect(of('split down')).toEqual(['"', '-']);
  });

  it('takes a key away from what had it by default', () => {
    const of = keys('C-b', [['zoom', ['c', 'h']]]);
    expect(of('new-tab')).toEqual([]);
    expect(of('focus left')).toEqual(['Left']);
  });

  it('sends the prefix by the prefix, whichever it is', () => {
    expect(keys('C-z', [])('send-prefix')).toEqual(['C-z']);
    expect(keys('C-z', [])('suspend')).toEqual([]);
    expect(keyBytes('C-a')).toEqual(Buffer.from([1]));
    expect(keyBytes('C-Space')).toEqual(Buffer.from([0]));
    expect(keyBytes('C-]')).toEqual(Buffer.from([0x1d]));
  });

  it('says what to press, or what to type where no key does it', () => {
    const keymap = makeKeymap('C-a', new Map([['instances', []]]));
    expect(keyFor(keymap, 'help')).toBe('C-a ?');
    expect(keyFor(keymap, 'instances')).toBe('C-a : instances');
  });
});
