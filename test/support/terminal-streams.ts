/** Random terminal output for property tests: every kind of sequence a screen has to get right, nasty text, broken bytes. */
import fc from 'fast-check';

const word = fc.constantFrom(
  'plain text ',
  'x',
  ' ',
  '        ',
  '漢字',
  'か゚',
  'é',
  'e\u0301',
  'o\u0308\u0323',
  '👩‍🚀',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  '🇩',
  '👍🏽',
  '❤️',
  '✂\uFE0F',
  '가',
  '각',
  '\u200b',
  'ｗｉｄｅ',
  '|',
  '─│┌',
  '\u202eabc',
  '\u0301',
  'नि',
  '\ufffd',
  '🏴\u{e0067}\u{e0062}\u{e007f}',
  'z\u0335\u0336\u0337\u0338',
);
const control = fc.constantFrom(
  '\r',
  '\n',
  '\r\n',
  '\r\n',
  '\t',
  '\b',
  '\x07',
  '\x0e',
  '\x0f',
  '\x7f',
  '\x18',
  '\0',
  '\x0b',
);
const number = fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 45 }), fc.constantFrom(0, 999));
const csi = fc
  .tuple(
    fc.constantFrom(
      ...'@ABCDEFGHIJKLMPSTXZ`abdefgnrsu',
      ' @',
      ' A',
      "'}",
      "'~",
      ' q',
      '!p',
      '"q',
      '$p',
      't',
      'c',
    ),
    fc.array(number, { maxLength: 3 }),
    fc.constantFrom('', '', '', '', '?', '>'),
  )
  .map(([final, params, prefix]) => `\x1b[${prefix}${params.join(';')}${final}`);
const sgr = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '0',
        '1',
        '2',
        '3',
        '4',
        '5',
        '7',
        '8',
        '9',
        '21',
        '22',
        '24',
        '27',
        '39',
        '49',
        '53',
        '55',
        '59',
      ),
      fc.constantFrom(
        '4:0',
        '4:1',
        '4:2',
        '4:3',
        '4:4',
        '4:5',
        '58:2::1:2:3',
        '58:5:77',
        '58;5;9',
        '38;5;200',
        '48;5;17',
      ),
      fc.constantFrom('38;2;1;2;3', '48;2;250;0;9', '38:2::9:8:7', '31', '44', '97', '100'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((codes) => `\x1b[${codes.join(';')}m`);
const mode = fc
  .tuple(
    fc.constantFrom(
      '?1',
      '?6',
      '?7',
      '?9',
      '?12',
      '?25',
      '?45',
      '?47',
      '?66',
      '?1000',
      '?1002',
      '?1003',
      '?1004',
      '?1006',
      '?1016',
      '?1047',
      '?1048',
      '?1049',
      '?1049',
      '?2004',
      '4',
      '20',
      '?3',
    ),
    fc.constantFrom('h', 'l'),
  )
  .map(([m, final]) => `\x1b[${m}${final}`);
const singleEscape = fc.constantFrom(
  '\x1b7',
  '\x1b8',
  '\x1bD',
  '\x1bE',
  '\x1bM',
  '\x1bH',
  '\x1b=',
  '\x1b>',
  '\x1bc',
  '\x1b#8',
  '\x1b(0',
  '\x1b(B',
  '\x1b)0',
  '\x1b',
  '\x1b[',
  '\x1b]',
  '\x1bP',
  '\x84',
  '\x9b3C',
  '\x1bP$qm\x1b\\',
);
const osc = fc.constantFrom(
  '\x1b]8;;https://example.com/a\x1b\\',
  '\x1b]8;id=q;https://example.com/b\x07',
  '\x1b]8;;\x1b\\',
  '\x1b]8;;\x07',
  '\x1b]0;a title\x07',
  '\x1b]2;タイトル\u202e\x07',
  '\x1b]2;\x07',
  '\x1b]52;c;aGk=\x07',
  '\x1b]10;?\x07',
  '\x1b]4;1;?\x07',
  '\x1b]unfinished',
  '\x1b[22;2t',
  '\x1b[23;2t',
  '\x1b]7;file:///tmp\x07',
);
const region = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 12 }))
  .map(([a, b]) => `\x1b[${a};${b}r`);

const piece = fc.oneof(
  { weight: 6, arbitrary: word },
  { weight: 3, arbitrary: control },
  { weight: 4, arbitrary: csi },
  { weight: 3, arbitrary: sgr },
  { weight: 1, arbitrary: mode },
  { weight: 1, arbitrary: singleEscape },
  { weight: 1, arbitrary: osc },
  { weight: 1, arbitrary: region },
);
const text = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => Buffer.from(pieces.join('')));
const noise = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes));

/** Bytes as a program might send them. */
export const terminalBytes: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 1, arbitrary: noise },
);

/** Bytes cut into chunks at the given places (any numbers), also in the middle of a character. */
export function split(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks: Buffer[] = [];
  let start = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (cut > start) chunks.push(bytes.subarray(start, cut));
    start = Math.max(start, cut);
  }
  return chunks;
}
