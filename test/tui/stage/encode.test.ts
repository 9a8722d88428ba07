import { describe, expect, test } from 'vitest';
import { encodeToken, type PaneModes, type Token, Tokenizer } from '../../../src/tui/stage/index.ts';

const plain: PaneModes = {
  applicationCursor: false,
  applicationKeypad: false,
  kittyKeyboard: 0,
  modifyOtherKeys: 0,
  alternateScreen: false,
  bracketedPaste: false,
  mouse: 'none',
  mouseEncoding: 'default',
  focusEvents: false,
};
const place = { x: 10, y: 5, cols: 20, rows: 10 };

function tokensOf(input: string): Token[] {
  const tokens: Token[] = [];
  const tokenizer = new Tokenizer((token) => tokens.push(token));
  tokenizer.push(Buffer.from(input, 'latin1'));
  tokenizer.flush();
  return tokens;
}

/** What the pane gets for bytes from the terminal. */
function sent(input: string, modes: Partial<PaneModes> = {}): string | undefined {
  const parts = tokensOf(input).map((token) => encodeToken(token, { ...plain, ...modes }, place));
  if (parts.every((part) => part === undefined)) return undefined;
  return Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0))).toString('latin1');
}

describe('keys', () => {
  test('unmodified cursor keys follow the mode of the pane, whatever the terminal sent', () => {
    for (const input of ['\x1b[A\x1b[H', '\x1bOA\x1bOH']) {
      expect(sent(input)).toBe('\x1b[A\x1b[H');
      expect(sent(input, { applicationCursor: true })).toBe('\x1bOA\x1bOH');
    }
  });

  test('modified cursor keys are CSI in either mode', () => {
    expect(sent('\x1b[1;5C', { applicationCursor: true })).toBe('\x1b[1;5C');
    expect(sent('\x1b\x1b[A')).toBe('\x1b[1;3A');
  });

  test.each(['\x02', '\x1bx', '\x1b', '\x1bOP', '\x1b[24~', '\x1b[99~', '\x1b[1;2y', '\xff', 'text'])(
    '%j passes unchanged',
    (input) => {
      expect(sent(input)).toBe(input);
    },
  );

  test('forms only a program that asked for them knows are said in the old way', () => {
    expect(sent('\x1b[97;5u')).toBe('\x01');
    expect(sent('\x1b[97;7u')).toBe('\x1b\x01');
    expect(sent('\x1b[27;5;97~')).toBe('\x01');
    expect(sent('\x1b[97;2u')).toBe('A');
    expect(sent('\x1b[13u\x1b[9;2u\x1b[32;5u')).toBe('\r\x1b[Z\0');
    expect(sent('\x1b[57426;5u')).toBe('\x1b[3;5~');
    expect(sent('\x1b[57419u', { applicationCursor: true })).toBe('\x1bOA');
  });

  test('the release of a key is not sent', () => {
    expect(sent('\x1b[97;1:3u')).toBeUndefined();
  });

  test('answers of the terminal to us are not sent', () => {
    expect(sent('\x1b[?62c\x1b[5;7R\x1b]11;rgb:0/0/0\x07')).toBeUndefined();
  });
});

describe('paste', () => {
  const paste = '\x1b[200~one\r\ntwo\nthree\x1b[201~';

  test('is bracketed for a program that wants it, and unchanged', () => {
    expect(sent(paste, { bracketedPaste: true })).toBe(paste);
  });

  test('is typed with CR for one that does not', () => {
    expect(sent(paste)).toBe('one\rtwo\rthree');
  });

  test('cannot end its own brackets', () => {
    const data = Buffer.from('a\x1b[201~b\x1b[20\x1b[201~1~c\xc2\x9b201~d', 'latin1');
    const token: Token = { type: 'paste', data, bytes: data, first: true, last: true };
    const bytes = encodeToken(token, { ...plain, bracketedPaste: true });
    expect(Buffer.from(bytes!).toString('latin1')).toBe('\x1b[200~abcd\x1b[201~');
  });

  test('in parts has one pair of brackets', () => {
    const data = Buffer.from('x');
    const parts = [true, false].map((first) =>
      encodeToken(
        { type: 'paste', data, bytes: data, first, last: !first },
        { ...plain, bracketedPaste: true },
      ),
    );
    expect(Buffer.concat(parts as Uint8Array[]).toString()).toBe('\x1b[200~xx\x1b[201~');
  });
});

describe('mouse', () => {
  const press = '\x1b[<0;13;8M';

  test('is not sent to a program that did not ask', () => {
    expect(sent(press)).toBeUndefined();
  });

  test("is told in the pane's own columns and rows and encoding", () => {
    expect(sent(press, { mouse: 'normal', mouseEncoding: 'sgr' })).toBe('\x1b[<0;3;3M');
    expect(sent(press, { mouse: 'normal' })).toBe('\x1b[M ##');
    expect(sent('\x1b[<2;13;8m', { mouse: 'normal' })).toBe('\x1b[M###');
    expect(sent('\x1b[<2;13;8m', { mouse: 'normal', mouseEncoding: 'sgr' })).toBe('\x1b[<2;3;3m');
    expect(sent('\x1b[<81;13;8M', { mouse: 'normal', mouseEncoding: 'sgr' })).toBe('\x1b[<81;3;3M');
  });

  test.each([
    ['default', '\x1b[M ##', '\x1b[M###', '\x1b[M$##'],
    ['utf8', '\x1b[M ##', '\x1b[M###', '\x1b[M$##'],
    ['sgr', '\x1b[<0;3;3M', '\x1b[<0;3;3m', '\x1b[<4;3;3M'],
    ['sgr-pixels', '\x1b[<0;3;3M', '\x1b[<0;3;3m', '\x1b[<4;3;3M'],
    ['urxvt', '\x1b[32;3;3M', '\x1b[35;3;3M', '\x1b[36;3;3M'],
  ] as const)('press, release and shift as %s', (mouseEncoding, ...expected) => {
    const events = [press, '\x1b[<0;13;8m', '\x1b[<4;13;8M'];
    expect(events.map((event) => sent(event, { mouse: 'any', mouseEncoding }))).toEqual(expected);
  });

  test('far to the right is told where the encoding reaches, in the cells of a screen that is larger', () => {
    const told = (mouseEncoding: PaneModes['mouseEncoding'], offset: number) => {
      const [token] = tokensOf('\x1b[<0;11;6M');
      const wide = { ...place, offset: { x: offset, y: 0 } };
      const bytes = encodeToken(token!, { ...plain, mouse: 'any', mouseEncoding }, wide);
      return bytes && Buffer.from(bytes).toString('latin1');
    };
    expect(told('default', 222)).toBe('\x1b[M \xff!');
    expect(told('default', 223)).toBeUndefined();
    expect(told('utf8', 223)).toBe('\x1b[M \xc4\x80!');
    expect(told('utf8', 2015)).toBeUndefined();
    expect(told('sgr', 2015)).toBe('\x1b[<0;2016;1M');
    expect(told('urxvt', 2015)).toBe('\x1b[32;2016;1M');
  });

  test('X10 is told of three buttons alone, and of no modifier', () => {
    const x10 = (event: string) => sent(event, { mouse: 'x10', mouseEncoding: 'sgr' });
    expect(x10('\x1b[<30;13;8M')).toBe('\x1b[<2;3;3M');
    expect([x10('\x1b[<128;13;8M'), x10('\x1b[<64;13;8M'), x10('\x1b[<0;13;8m')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('tells each mode what it asked for', () => {
    const [release, drag, move, wheel] = [
      '\x1b[<0;13;8m',
      '\x1b[<32;13;8M',
      '\x1b[<35;13;8M',
      '\x1b[<64;13;8M',
    ];
    const events = [press, release!, drag!, move!, wheel!];
    const told = (mouse: PaneModes['mouse']) =>
      events.map((event) => (sent(event, { mouse, mouseEncoding: 'sgr' }) ? 1 : 0)).join('');
    expect(told('none')).toBe('00000');
    expect(told('x10')).toBe('10000');
    expect(told('normal')).toBe('11001');
    expect(told('button')).toBe('11101');
    expect(told('any')).toBe('11111');
  });

  test('presses outside are dropped, drags and releases are held at the edge', () => {
    const modes = { mouse: 'button', mouseEncoding: 'sgr' } as const;
    expect(sent('\x1b[<0;1;1M', modes)).toBeUndefined();
    expect(sent('\x1b[<0;31;8M', modes)).toBeUndefined();
    expect(sent('\x1b[<32;1;1M', modes)).toBe('\x1b[<32;1;1M');
    expect(sent('\x1b[<0;200;100m', modes)).toBe('\x1b[<0;20;10m');
  });
});

/** What a terminal sends, and what a program gets by default and with the one mode. */
test.each<[string, Partial<PaneModes>, string, string | undefined, string | undefined]>([
  [
    'DECCKM',
    { applicationCursor: true },
    '\x1b[A\x1bOD\x1b[1;2B',
    '\x1b[A\x1b[D\x1b[1;2B',
    '\x1bOA\x1bOD\x1b[1;2B',
  ],
  ['DECKPAM', { applicationKeypad: true }, '\x1b[57413u', '+', '\x1bOk'],
  ['2004', { bracketedPaste: true }, '\x1b[200~a\n\x1b[201~', 'a\r', '\x1b[200~a\n\x1b[201~'],
  ['1004', { focusEvents: true }, '\x1b[I\x1b[O', undefined, '\x1b[I\x1b[O'],
  ['the alternate screen', { alternateScreen: true }, '\x1b[<64;13;8M', undefined, '\x1b[A\x1b[A\x1b[A'],
])('%s is the mode of the pane, not of the terminal', (_mode, modes, input, byDefault, withMode) => {
  expect(sent(input)).toBe(byDefault);
  expect(sent(input, modes)).toBe(withMode);
});

test('focus is told to a program that asked', () => {
  expect(sent('\x1b[I')).toBeUndefined();
  expect(sent('\x1b[I\x1b[O', { focusEvents: true })).toBe('\x1b[I\x1b[O');
});
