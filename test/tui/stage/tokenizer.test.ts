import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Token } from '../../../src/tui/stage/token.ts';
import { splitText, Tokenizer } from '../../../src/tui/stage/tokenizer.ts';

/** Tokens of the chunks; timers run only where `flush` says so: at the end. */
function tokenize(...chunks: (string | Uint8Array)[]): Token[] {
  const tokens: Token[] = [];
  const tokenizer = new Tokenizer((token) => tokens.push(token), { delay: () => () => {} });
  for (const chunk of chunks) tokenizer.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  tokenizer.flush();
  tokenizer.dispose();
  return tokens;
}

function plain(token: Token): string {
  if (token.type === 'text') return `text ${token.text}${token.event === 'repeat' ? ' repeat' : ''}`;
  if (token.type === 'paste') return `paste ${Buffer.from(token.data)}`;
  if (token.type === 'focus') return `focus ${token.focused}`;
  if (token.type === 'reply') return `reply ${token.kind}`;
  const modifiers = `${token.ctrl ? 'C-' : ''}${token.alt ? 'A-' : ''}${token.shift ? 'S-' : ''}`;
  if (token.type === 'mouse')
    return `mouse ${modifiers}${token.action} ${token.button} ${token.x},${token.y}`;
  return `key ${modifiers}${token.name}${token.event === 'press' ? '' : ` ${token.event}`}`;
}

const cases: [string, ...string[]][] = [
  ['abc', 'text abc'],
  ['a\u{1f469}\u200d\u{1f680}é', 'text a\u{1f469}\u200d\u{1f680}é'],
  ['\x02', 'key C-b'],
  ['\x00', 'key C-space'],
  ['\r\t\x7f\n\b', 'key enter', 'key tab', 'key backspace', 'key C-j', 'key C-h'],
  ['\x1b', 'key escape'],
  ['\x1b\x1b', 'key A-escape'],
  ['\x1bx', 'key A-x'],
  ['\x1bX', 'key A-X'],
  ['\x1b ', 'key A-space'],
  ['\x1b\r', 'key A-enter'],
  ['\x1b\x02', 'key C-A-b'],
  ['\x1bé', 'key A-é'],
  ['\x1b[', 'key A-['],
  ['\x1bO', 'key A-O'],
  ['\x1b]', 'key A-]'],
  ['\x1b]\r', 'key A-]', 'key enter'],
  ['\x1bP\x1b[A', 'key A-P', 'key up'],
  ['\x1b[A\x1bOB', 'key up', 'key down'],
  ['\x1b[1;5C', 'key C-right'],
  ['\x1b[1;4D', 'key A-S-left'],
  ['\x1b\x1b[A', 'key A-up'],
  ['\x1b\x1bOA', 'key A-up'],
  ['\x1b[3~\x1b[5;3~', 'key delete', 'key A-pageUp'],
  ['\x1b[3$\x1b[3^\x1b[a\x1bOa', 'key S-delete', 'key C-delete', 'key S-up', 'key C-up'],
  ['\x1bOP\x1b[15~\x1b[24;2~\x1b[[B', 'key f1', 'key f5', 'key S-f12', 'key f2'],
  ['\x1b[Z', 'key S-tab'],
  ['\x1b[1;2R', 'key S-f3'],
  ['\x1b[97;5u', 'key C-a'],
  ['\x1b[97;2u', 'text A'],
  ['\x1b[49:33;4u', 'key A-!'],
  ['\x1b[97;1:3u', 'key a release'],
  ['\x1b[13;5u\x1b[57419u', 'key C-enter', 'key up'],
  ['\x1b[97;9u', 'key undefined'],
  ['\x1b[27;6;97~', 'key C-A'],
  // The kitty specification's own examples, then every kind of field.
  ['\x1b[97;2;65u', 'text A'],
  ['\x1b[97;;229u', 'text å'],
  ['\x1b[0;;229u', 'text å'],
  ['\x1b[1089::99;5u', 'key C-c'],
  ['\x1b[98;5u\x1b[98;69u\x1b[98;133u', 'key C-b', 'key C-b', 'key C-b'],
  ['\x1b[121;1:2;121u', 'text y repeat'],
  ['\x1b[121;1:3u', 'key y release'],
  ['\x1b[32;;32u\x1b[32;2u\x1b[32;1:3u', 'text  ', 'text  ', 'key space release'],
  ['\x1b[113;7;64u', 'text @'],
  ['\x1b[98;5;98u', 'key C-b'],
  ['\x1b[97;1;27u', 'text a'],
  ['\x1b[27u\x1b[27;1:3u', 'key escape', 'key escape release'],
  ['\x1b[57399u\x1b[57415u\x1b[57414u', 'text 0', 'text =', 'key enter'],
  ['\x1b[57376u\x1b[57398;2u\x1b[13~\x1b[57427~', 'key f13', 'key S-f35', 'key f3', 'key clear'],
  ['\x1b[57441;2u\x1b[57441;1:3u', 'key undefined', 'key undefined release'],
  ['\x1b[1;9A\x1b[3;1:2~', 'key undefined', 'key delete repeat'],
  ['\x1b[1;2;3;4u\x1b[9999999u', 'key undefined', 'key undefined'],
  ['\x1b[?5u\x1b[>4;1m', 'reply keyboard', 'reply keyboard'],
  ['\x1b[1;1:2A', 'key up repeat'],
  ['\x1b[99~', 'key undefined'],
  ['\x1b[1;2\x03', 'key undefined', 'key C-c'],
  ['\x1b[200~one\r\ntwo\x1b[A\x1b[201~x', 'paste one\r\ntwo\x1b[A', 'text x'],
  ['\x1b[200~\x1b[201~', 'paste '],
  ['\x1b[<0;5;7M\x1b[<0;5;7m', 'mouse press 0 4,6', 'mouse release 0 4,6'],
  ['\x1b[<32;5;7M\x1b[<35;5;7M', 'mouse drag 0 4,6', 'mouse move 3 4,6'],
  ['\x1b[<64;1;1M\x1b[<85;1;1M', 'mouse wheel 64 0,0', 'mouse C-S-wheel 65 0,0'],
  ['\x1b[M !"\x1b[M#!"', 'mouse press 0 0,1', 'mouse release 3 0,1'],
  ['\x1b[32;3;4M', 'mouse press 0 2,3'],
  ['\x1b[I\x1b[O', 'focus true', 'focus false'],
  ['\x1b[?62;22c\x1b[>0;276;0c', 'reply attributes', 'reply attributes'],
  ['\x1b[12;40R\x1b[0n\x1b[?2026;2$y', 'reply cursor', 'reply status', 'reply mode'],
  ['\x1b[?1u\x1b[8;24;80t', 'reply keyboard', 'reply window'],
  ['\x1b]11;rgb:00/00/00\x07\x1b]11;rgb:00/00/00\x1b\\', 'reply osc', 'reply osc'],
  ['\x1bP>|xterm\x1b\\\x1b_Gi=1;OK\x1b\\', 'reply dcs', 'reply apc'],
];

describe('tokens', () => {
  test.each(cases)('%j', (input, ...expected) => {
    const tokens = tokenize(input);
    expect(tokens.map(plain)).toEqual(expected);
    expect(Buffer.concat(tokens.map((token) => token.bytes))).toEqual(Buffer.from(input));
  });

  test('a byte that is no UTF-8 stays apart and unchanged', () => {
    const tokens = tokenize(Buffer.from([0x61, 0xff, 0x62]));
    expect(tokens.map(plain)).toEqual(['text a', 'key undefined', 'text b']);
  });

  test('a character that never ends is passed on byte by byte', () => {
    expect(tokenize(Buffer.from([0xf0, 0x9f])).map(plain)).toEqual(['key undefined', 'key undefined']);
  });

  test('a run of text is split into what a person calls characters', () => {
    const [token] = tokenize('ae\u0301\u{1f469}\u200d\u{1f680}');
    if (token?.type !== 'text') throw new Error('expected text');
    expect(splitText(token).map(({ text }) => text)).toEqual(['a', 'e\u0301', '\u{1f469}\u200d\u{1f680}']);
  });
});

describe('the ESC timer', () => {
  function timed() {
    const tokens: Token[] = [];
    const waits: { ms: number; run: () => void; cancelled: boolean }[] = [];
    const tokenizer = new Tokenizer((token) => tokens.push(token), {
      escapeMs: 25,
      delay: (run, ms) => {
        const wait = { ms, run, cancelled: false };
        waits.push(wait);
        return () => {
          wait.cancelled = true;
        };
      },
    });
    return { tokens, waits, push: (text: string) => tokenizer.push(Buffer.from(text)) };
  }

  test('a lone ESC waits 25 ms and is then Escape', () => {
    const { tokens, waits, push } = timed();
    push('\x1b');
    expect(tokens).toEqual([]);
    expect(waits[0]!.ms).toBe(25);
    waits[0]!.run();
    expect(tokens.map(plain)).toEqual(['key escape']);
  });

  test('what follows in time makes it a sequence and stops the timer', () => {
    const { tokens, waits, push } = timed();
    push('\x1b');
    push('[A');
    expect(waits[0]!.cancelled).toBe(true);
    expect(tokens.map(plain)).toEqual(['key up']);
  });

  test('the middle of a sequence, which nobody types, is waited for longer', () => {
    const { tokens, waits, push } = timed();
    push('\x1b[1;5');
    expect(waits[0]!.ms).toBeGreaterThanOrEqual(250);
    push('A');
    expect(tokens.map(plain)).toEqual(['key C-up']);
  });

  test('a paste waits for its end without a timer', () => {
    const { tokens, waits, push } = timed();
    push('\x1b[200~never');
    expect(waits).toEqual([]);
    push(' mind\x1b[20');
    push('1~');
    expect(tokens.map(plain)).toEqual(['paste never mind']);
  });
});

describe('long pastes', () => {
  test('come in parts that cut neither a character nor CR LF', () => {
    const text = `${'x'.repeat(64 * 1024 - 1)}\r\n${'é'.repeat(40_000)}!`;
    const tokens = tokenize(`\x1b[200~${text}\x1b[201~`);
    expect(tokens.length).toBeGreaterThan(2);
    const parts = tokens.map((token) => (token.type === 'paste' ? token : undefined));
    expect(parts.map((part) => part?.first)).toEqual([true, ...tokens.slice(1).map(() => false)]);
    expect(parts.map((part) => part?.last)).toEqual([...tokens.slice(1).map(() => false), true]);
    for (const part of parts) expect(Buffer.from(part!.data).toString()).not.toContain('\ufffd');
    expect(Buffer.from(parts[0]!.data).toString().endsWith('\r')).toBe(false);
    expect(parts.map((part) => Buffer.from(part!.data).toString()).join('')).toBe(text);
  });
});

const pieces = fc.oneof(
  fc.constantFrom(...cases.map(([input]) => input).filter((input) => !/\x1b$|\x1b[[\]OP]$/.test(input))),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).map((text) => text.replaceAll('\x1b', '')),
);
const structured = fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join('')));
const anything = fc.oneof(
  structured,
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

/** Two chunks of one run make two text tokens; that much may differ. */
function joinText(tokens: Token[]): string[] {
  const out: string[] = [];
  for (const token of tokens) {
    const last = out.at(-1);
    if (token.type === 'text' && last?.startsWith('text ')) out[out.length - 1] = last + token.text;
    else out.push(plain(token));
  }
  return out;
}

describe('any bytes, in any chunks', () => {
  test('give the same tokens, and no byte is lost', () => {
    fc.assert(
      fc.property(anything, fc.array(fc.nat({ max: 400 }), { maxLength: 12 }), (input, cuts) => {
        const places = [...new Set(cuts.map((cut) => cut % (input.length + 1)))].sort((a, b) => a - b);
        const chunks = [0, ...places].map((from, i) => input.subarray(from, places[i] ?? input.length));
        const whole = tokenize(input);
        const split = tokenize(...chunks);
        expect(joinText(split)).toEqual(joinText(whole));
        expect(Buffer.concat(split.map((token) => token.bytes))).toEqual(input);
      }),
      { seed: 20_251, numRuns: 3000 },
    );
  });

  test('a long paste is cut the same however it arrives', () => {
    const input = Buffer.from(`\x1b[200~${'añ\r\n'.repeat(40_000)}\x1b[201~z`);
    const whole = tokenize(input).map((token) => token.bytes.length);
    for (const size of [1000, 4096, 65_535, 65_536, 65_541, 70_000]) {
      const chunks = Array.from({ length: Math.ceil(input.length / size) }, (_, i) =>
        input.subarray(i * size, (i + 1) * size),
      );
      expect(tokenize(...chunks).map((token) => token.bytes.length)).toEqual(whole);
    }
  });
});
