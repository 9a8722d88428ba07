import { describe, expect, it } from 'vitest';
import { Grid } from '../../src/cells/grid.ts';
import { keyFor, makeKeymap } from '../../src/tui/keymap.ts';
import { controlToken } from '../../src/tui/keys.ts';
import { encodeToken } from '../../src/tui/stage/index.ts';

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
    const sent = (key: string, kittyKeyboard = 0) =>
      `${encodeToken(controlToken(key), { ...new Grid().modes, kittyKeyboard })}`;
    expect([sent('C-a'), sent('C-Space'), sent('C-]')]).toEqual(['\x01', '\0', '\x1d']);
    expect(sent('C-a', 1)).toBe('\x1b[97;5u');
  });

  it('says what to press, or what to type where no key does it', () => {
    const keymap = makeKeymap('C-a', new Map([['instances', []]]));
    expect(keyFor(keymap, 'help')).toBe('C-a ?');
    expect(keyFor(keymap, 'instances')).toBe('C-a : instances');
  });
});
