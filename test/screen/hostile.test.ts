import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '../../src/cells/frame.ts';
import { content } from '../../src/cells/row.ts';
import { Screen } from '../../src/screen/index.ts';

function feed(screen: Screen, bytes: Buffer): void {
  screen.write(bytes);
  while (screen.parse(1_000));
}

/** What a terminal that knows of writing from right to left would reorder its whole row by. */
const reordering = [
  0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
  0x2069,
];

describe('a hostile program', () => {
  it.each(reordering)('cannot reorder what is beside its pane by %i', (codePoint) => {
    const mark = String.fromCodePoint(codePoint);
    for (const text of [
      mark,
      `a${mark}b`,
      ` ${mark}`,
      `牛${mark}`,
      `e\u0301${mark}x`,
      `👩${mark}\u200d🌾`,
      mark.repeat(9),
    ]) {
      const screen = new Screen({ cols: 20, rows: 3 });
      feed(screen, Buffer.from(`${text}|\x1b]2;${text}t\x07\x1b]8;;x:${text}\x07l`));
      const frame = screen.frame(0);
      // A view refuses what is not well formed.
      decodeFrame(encodeFrame(frame));
      const said = [JSON.stringify(encodeFrame(frame)), ...screen.text()].join('');
      expect(said).not.toContain(mark);
      const cells = frame.changed.flatMap(([, row]) => [...row.words].filter((_, index) => index % 3 === 0));
      expect(cells.map((word) => word & content.codePoint)).not.toContain(codePoint);
      expect(screen.text()[0]).toContain('|');
    }
  });

  const finals = [
    '@',
    'A',
    'B',
    'C',
    'D',
    'E',
    'F',
    'G',
    'H',
    'I',
    'J',
    'K',
    'L',
    'M',
    'P',
    'S',
    'T',
    'X',
    'Z',
    '`',
    'a',
    'b',
    'd',
    'e',
    'f',
    'g',
    'h',
    'l',
    'r',
    ' @',
    ' A',
    "'}",
    "'~",
    ' q',
    't',
  ];

  it.each(finals)('cannot stop the host by a huge count for CSI %s', (final) => {
    const screen = new Screen({ cols: 80, rows: 24 });
    const start = performance.now();
    feed(screen, Buffer.from(`text\x1b[2147483647;2147483647${final}\x1b[?2147483647${final}x`));
    expect(performance.now() - start).toBeLessThan(2_000);
    screen.frame(0);
  });

  it('repeats a character as often as shows', () => {
    const screen = new Screen({ cols: 10, rows: 3 });
    feed(screen, Buffer.from('a\x1b[33bc'));
    // 34 characters: three rows and four more.
    expect(screen.text()).toEqual(['a'.repeat(10), 'a'.repeat(10), 'aaaac']);
    feed(screen, Buffer.from('\x1bca\x1b[1000003bc'));
    expect(screen.text()).toEqual(['a'.repeat(10), 'a'.repeat(10), 'aaaac']);
  });

  it.each(['\x1b]2;', '\x1b]8;;', '\x1b]52;c;', '\x1bP$q', '\x1b_', '\x1b^', '\x1bPq'])(
    'can send %j without end and goes on being heard afterwards',
    (opening) => {
      const screen = new Screen({ cols: 20, rows: 3 });
      feed(screen, Buffer.from(opening));
      const block = Buffer.alloc(1 << 20, 'A');
      for (let i = 0; i < 3; i++) feed(screen, block);
      feed(screen, Buffer.from('\x1b\\\x1b]8;;\x07heard'));
      expect(screen.text()[0]).toBe('heard');
      expect(screen.title.length).toBeLessThanOrEqual(256);
    },
  );

  it('cannot grow a frame beyond what its size explains', () => {
    const screen = new Screen({ cols: 20, rows: 3 });
    feed(screen, Buffer.from(`a${'\u0301'.repeat(60_000)}\x1b]8;;http://${'a'.repeat(5_000)}\x07link`));
    expect(JSON.stringify(encodeFrame(screen.frame(0))).length).toBeLessThan(20_000);
  });

  it('makes links without end and loses only old ones', () => {
    const screen = new Screen({ cols: 20, rows: 3 });
    let text = '';
    for (let i = 0; i < 6_000; i++) text += `\x1b]8;;http://a/${i}\x07`;
    const start = performance.now();
    feed(screen, Buffer.from(`${text}last\x1b]8;;\x07`));
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(screen.frame(0).changed[0]?.[1].extended?.[0]?.link).toBe('http://a/5999');
  });

  it('sends rubbish and the screen is as good as new after a reset', () => {
    const screen = new Screen({ cols: 20, rows: 3 });
    let state = 1;
    const rubbish = Buffer.alloc(100_000);
    for (let i = 0; i < rubbish.length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      rubbish[i] = state >>> 16;
    }
    feed(screen, rubbish);
    feed(screen, Buffer.from('\x18\x1bc\x1b[?25hhello'));
    expect(screen.text()).toEqual(['hello', '', '']);
  });
});
