import { describe, expect, test } from 'vitest';
import { Grid } from '../../../src/cells/grid.ts';
import { encodeToken, type PaneModes, type Token, Tokenizer } from '../../../src/tui/stage/index.ts';

/** What a program gets for bytes from the terminal. */
function sent(input: string, modes: Partial<PaneModes>): string {
  const tokens: Token[] = [];
  const tokenizer = new Tokenizer((token) => tokens.push(token), { delay: () => () => {} });
  tokenizer.push(Buffer.from(input));
  tokenizer.flush();
  const parts = tokens.map((token) => encodeToken(token, { ...new Grid().modes, ...modes }));
  return Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0))).toString();
}

const [disambiguate, events, alternates, allKeys, text] = [1, 2, 4, 8, 16];

/** Shift, alt, ctrl and so on as the protocol counts them, less one. */
const modifierColumns = [0, 4, 2, 1, 5, 3, 6];

describe('the old way', () => {
  // The specification's table of C0 controls: no modifier, ctrl, alt, shift, ctrl+shift, alt+shift, ctrl+alt.
  test.each<[string, number, ...string[]]>([
    ['Enter', 13, '\r', '\r', '\x1b\r', '\r', '\r', '\x1b\r', '\x1b\r'],
    ['Escape', 27, '\x1b', '\x1b', '\x1b\x1b', '\x1b', '\x1b', '\x1b\x1b', '\x1b\x1b'],
    ['Backspace', 127, '\x7f', '\b', '\x1b\x7f', '\x7f', '\b', '\x1b\x7f', '\x1b\b'],
    ['Tab', 9, '\t', '\t', '\x1b\t', '\x1b[Z', '\x1b[Z', '\x1b\x1b[Z', '\x1b\t'],
    ['Space', 32, ' ', '\0', '\x1b ', ' ', '\0', '\x1b ', '\x1b\0'],
  ])('%s', (_name, code, ...expected) => {
    const got = modifierColumns.map((bits) => sent(`\x1b[${code};${bits + 1}u`, {}));
    expect(got).toEqual(expected);
  });

  // Its table of functional keys, and of these in cursor key mode.
  test.each<[string, string, string, string?]>([
    ['Insert', '\x1b[2~', '\x1b[2~'],
    ['Delete', '\x1b[3~', '\x1b[3~'],
    ['PageUp', '\x1b[5~', '\x1b[5~'],
    ['PageDown', '\x1b[6~', '\x1b[6~'],
    ['Up', '\x1b[A', '\x1b[A', '\x1bOA'],
    ['Down', '\x1bOB', '\x1b[B', '\x1bOB'],
    ['Right', '\x1b[1;1C', '\x1b[C', '\x1bOC'],
    ['Left', '\x1b[1;1:1D', '\x1b[D', '\x1bOD'],
    ['Home', '\x1b[7~', '\x1b[H', '\x1bOH'],
    ['End', '\x1b[8~', '\x1b[F', '\x1bOF'],
    ['Begin', '\x1b[57427~', '\x1b[E', '\x1bOE'],
    ['F1', '\x1b[P', '\x1bOP'],
    ['F2', '\x1b[12~', '\x1bOQ'],
    ['F3', '\x1b[13~', '\x1bOR'],
    ['F4', '\x1bOS', '\x1bOS'],
    ['F5', '\x1b[15~', '\x1b[15~'],
    ['F12', '\x1b[24~', '\x1b[24~'],
    ['F13', '\x1b[57376u', '\x1b[25~'],
    ['F20', '\x1b[57383u', '\x1b[34~'],
    ['F21', '\x1b[57384u', ''],
    ["rxvt's", '\x1b[3$\x1bOa', '\x1b[3;2~\x1b[1;5A'],
    ["the console's", '\x1b[[B', '\x1bOQ'],
    ['keypad', '\x1b[57399u\x1b[57419u\x1b[57414u', '0\x1b[A\r', '0\x1bOA\r'],
  ])('%s', (_name, input, expected, inCursorMode = expected) => {
    expect(sent(input, {})).toBe(expected);
    expect(sent(input, { applicationCursor: true })).toBe(inCursorMode);
  });

  // Its table of what ctrl makes of a key.
  test('controls', () => {
    const table: Record<string, number> = { ' ': 0, '/': 31, '0': 48, '1': 49, '2': 0, '3': 27, '4': 28 };
    Object.assign(table, { '5': 29, '6': 30, '7': 31, '8': 127, '9': 57, '?': 127, '@': 0, '[': 27 });
    Object.assign(table, { '\\': 28, ']': 29, '^': 30, _: 31, '~': 30 });
    for (let code = 97; code <= 122; code++) table[String.fromCharCode(code)] = code - 96;
    for (const [character, byte] of Object.entries(table)) {
      expect(sent(`\x1b[${character.charCodeAt(0)};5u`, {}), character).toBe(String.fromCharCode(byte));
    }
  });

  test('other layouts, modifiers that no program knows, and what is no key pressed', () => {
    expect(sent('\x1b[1089::99;5u', {})).toBe('\x03');
    expect(sent('\x1b[49:33;4u', {})).toBe('\x1b!');
    expect(sent('\x1b[97;9u\x1b[1;9A\x1b[57441;2u\x1b[97;1:3u\x1b[A\x1b[1;1:3A', {})).toBe('\x1b[A');
    expect(sent('\x1b[97;1:2;97u', {})).toBe('a');
  });
});

test('the keypad in its application mode, unless num lock makes it type', () => {
  const modes = { applicationKeypad: true };
  const codes = Array.from({ length: 18 }, (_, index) => 57399 + index);
  const all = (modifiers: number) => codes.map((code) => `\x1b[${code};${modifiers}u`).join('');
  const finals = 'pqrstuvwxynojmkMXl';
  expect(sent(all(1), modes)).toBe([...finals].map((final) => `\x1bO${final}`).join(''));
  expect(sent(all(129), modes)).toBe('0123456789./*-+\r=,');
  expect(sent('5\r', modes)).toBe('5\r');
});

describe('by the kitty protocol', () => {
  /** Flags, what the terminal sends with all flags set or none, what the program gets. */
  test.each<[number, string, string]>([
    // Disambiguate: the examples, and the three keys that stay as they were.
    [disambiguate, '\x1b[27u', '\x1b[27u'],
    [disambiguate, '\x1b', '\x1b[27u'],
    [disambiguate, '\x03', '\x1b[99;5u'],
    [disambiguate, '\x1b[99;5u\x1b[99;133u', '\x1b[99;5u\x1b[99;5u'],
    [disambiguate, '\x1bx\x1bX', '\x1b[120;3u\x1b[120;4u'],
    [disambiguate, '\x1b[97;6u', '\x1b[97;6u'],
    [disambiguate, '\x00', '\x1b[32;5u'],
    [disambiguate, '\r\t\x7f', '\r\t\x7f'],
    [disambiguate, '\x1b[13;5u\x1b[9;2u\x1b[Z\x1b[127;3u', '\x1b[13;5u\x1b[9;2u\x1b[9;2u\x1b[127;3u'],
    [disambiguate, '\x1b[13;129u', '\r'],
    [disambiguate, 'aé\u{1f600}', 'aé\u{1f600}'],
    [disambiguate, '\x1b[97;2:2;65u\x1b[97;1:3u', 'A'],
    [disambiguate, '\x1bOA\x1b[1;1:2A\x1b[1;5A', '\x1b[A\x1b[A\x1b[1;5A'],
    [disambiguate, '\x1bOP\x1bOR\x1b[1;2R\x1b[24~', '\x1b[P\x1b[13~\x1b[13;2~\x1b[24~'],
    [disambiguate, '\x1b[57376u\x1b[57414u\x1b[57419u', '\x1b[57376u\x1b[57414u\x1b[57419u'],
    [disambiguate, '\x1b[97;9u\x1b[1;9A', '\x1b[97;9u\x1b[1;9A'],
    [disambiguate, '\x1b[57441;2u', ''],
    // Event types.
    [events, '\x1b[97;1:2;97u\x1b[97;1:3u', 'a\x1b[97;1:3u'],
    [events, '\x1b[1;1:1A\x1b[1;1:2A\x1b[1;1:3A', '\x1b[A\x1b[1;1:2A\x1b[1;1:3A'],
    [events, '\x1b[13;1:2u\x1b[13;1:3u\x1b[9;5:3u', '\r'],
    [events, '\x03\x1b[99;5:2u\x1b[99;5:3u', '\x03\x1b[99;5:2u\x1b[99;5:3u'],
    [events, '\x1b[27u\x1b[27;1:3u', '\x1b\x1b[27;1:3u'],
    [disambiguate | events, '\x1b[27;1:3u\x1b[3;5:2~', '\x1b[27;1:3u\x1b[3;5:2~'],
    // Alternate keys.
    [disambiguate | alternates, '\x1b[97:65;6u', '\x1b[97:65;6u'],
    [disambiguate | alternates, '\x1b[1089:1057:99;5u', '\x1b[1089::99;5u'],
    [disambiguate | alternates, '\x1b[1089:1057:99;6u', '\x1b[1089:1057:99;6u'],
    [disambiguate, '\x1b[1089:1057:99;6u', '\x1b[1089;6u'],
    [alternates, '\x1b[97:65:97;5u', '\x01'],
    // All keys as escape codes.
    [allKeys, 'aA', '\x1b[97u\x1b[97;2u'],
    [allKeys, '\r\t\x7f\x1b', '\x1b[13u\x1b[9u\x1b[127u\x1b[27u'],
    [allKeys, '\x1b[57441;2u\x1b[57441;1:3u', '\x1b[57441;2u'],
    [
      allKeys | events,
      '\x1b[57441;2:1u\x1b[57441;1:3u\x1b[13;1:3u',
      '\x1b[57441;2u\x1b[57441;1:3u\x1b[13;1:3u',
    ],
    [allKeys | events, '\x1b[97;65:2;65u', '\x1b[97;65:2u'],
    [allKeys, '\x1b[57404;129;53u\x1b[57419u', '\x1b[53;129u\x1b[A'],
    [allKeys | disambiguate, '\x1b[57404;129;53u\x1b[57419u', '\x1b[57404;129u\x1b[57419u'],
    [allKeys, '\x1b[0;;229u', 'å'],
    // Associated text: the examples, and on release there is none.
    [allKeys | text, '\x1b[97;2;65u\x1b[97;;229u\x1b[0;;229u', '\x1b[97;2;65u\x1b[97;;229u\x1b[0;;229u'],
    [allKeys | text, 'Aé', '\x1b[97;2;65u\x1b[233;;233u'],
    [31, '\x1b[97:65;2:1;65u\x1b[97:65;2:3u', '\x1b[97:65;2;65u\x1b[97:65;2:3u'],
    [text, '\x1b[97;2;65u', 'A'],
    // What nobody knows goes through.
    [31, '\x1b[99~', '\x1b[99~'],
  ])('with flags %i %j is %j', (kittyKeyboard, input, expected) => {
    expect(sent(input, { kittyKeyboard })).toBe(expected);
    // Cursor mode, keypad mode and modifyOtherKeys are of the old way.
    const others = { applicationKeypad: true, modifyOtherKeys: 2 } as const;
    if (kittyKeyboard !== text && kittyKeyboard !== alternates)
      expect(sent(input, { kittyKeyboard, applicationCursor: true, ...others })).toBe(expected);
  });

  test('what any flags make of a key is read back as that key', () => {
    const inputs = ['\x1b[97;6u', '\x1b[27;3u', '\x1b[1;5:2A', '\x1b[3;2~', '\x1b[57376;7u', '\x1b[32;5u'];
    for (let flags = 1; flags <= 31; flags++) {
      if ((flags & (disambiguate | allKeys)) === 0) continue;
      for (const input of inputs) {
        const again = sent(sent(input, { kittyKeyboard: flags }), { kittyKeyboard: 1 });
        expect(again, `${flags} ${JSON.stringify(input)}`).toBe(sent(input, { kittyKeyboard: 1 }));
      }
    }
  });
});

describe('by modifyOtherKeys', () => {
  test.each<[string, string, string, string]>([
    ['Ctrl-Enter', '\x1b[13;5u', '\x1b[27;5;13~', '\x1b[27;5;13~'],
    ['Shift-Enter', '\x1b[13;2u', '\x1b[27;2;13~', '\x1b[27;2;13~'],
    ['Alt-Enter', '\x1b[13;3u', '\x1b\r', '\x1b[27;3;13~'],
    ['Ctrl-Tab', '\x1b[9;5u', '\x1b[27;5;9~', '\x1b[27;5;9~'],
    ['Shift-Tab', '\x1b[9;2u', '\x1b[Z', '\x1b[27;2;9~'],
    ['Ctrl-Backspace', '\x1b[127;5u', '\b', '\x1b[27;5;127~'],
    ['Ctrl-a', '\x1b[97;5u', '\x01', '\x1b[27;5;97~'],
    ['Ctrl-Shift-a', '\x1b[97;6u', '\x01', '\x1b[27;6;65~'],
    ['Ctrl-Space', '\x00', '\0', '\x1b[27;5;32~'],
    ['Ctrl-1', '\x1b[49;5u', '\x1b[27;5;49~', '\x1b[27;5;49~'],
    ['Ctrl-;', '\x1b[59;5u', '\x1b[27;5;59~', '\x1b[27;5;59~'],
    ['Alt-x', '\x1bx', '\x1bx', '\x1b[27;3;120~'],
    ['without a modifier', 'aA\r\t\x7f\x1b', 'aA\r\t\x7f\x1b', 'aA\r\t\x7f\x1b'],
    ['a release', '\x1b[13;5:3u', '', ''],
    ['Ctrl-Up', '\x1b[1;5A', '\x1b[1;5A', '\x1b[1;5A'],
  ])('%s', (_name, input, atLevel1, atLevel2) => {
    expect(sent(input, { modifyOtherKeys: 1 })).toBe(atLevel1);
    expect(sent(input, { modifyOtherKeys: 2 })).toBe(atLevel2);
  });
});
