import { describe, expect, it } from 'vitest';
import { Screen } from '../../src/screen/index.ts';

function screenOf() {
  const screen = new Screen({ cols: 20, rows: 4 });
  let replies = '';
  screen.onReply((bytes) => {
    replies += bytes;
  });
  const feed = (text: string) => {
    screen.write(Buffer.from(text));
    while (screen.parse(1_000));
  };
  return {
    feed,
    /** What the program is answered, and nothing else is. */
    ask: (question: string) => {
      replies = '';
      feed(question);
      return replies;
    },
    flags: () => screen.frame(0).modes.kittyKeyboard,
    other: () => screen.frame(0).modes.modifyOtherKeys,
  };
}

describe('the flags of the kitty keyboard protocol', () => {
  it.each<[string, number]>([
    ['', 0],
    ['\x1b[>1u', 1],
    ['\x1b[>u', 0],
    ['\x1b[=5u', 5],
    ['\x1b[=5;1u\x1b[=3;1u', 3],
    ['\x1b[=5;1u\x1b[=3;2u', 7],
    ['\x1b[=7;1u\x1b[=3;3u', 4],
    ['\x1b[=7;1u\x1b[=3;4u', 7],
    ['\x1b[>1u\x1b[>31u\x1b[<u', 1],
    ['\x1b[>1u\x1b[>3u\x1b[>7u\x1b[<2u', 1],
    ['\x1b[=5u\x1b[>1u\x1b[<u', 5],
    ['\x1b[=5u\x1b[<u', 0],
    ['\x1b[>1u\x1b[>3u\x1b[<9999999u', 0],
    ['\x1b[>255u', 31],
    ['\x1b[>5u\x1bc', 0],
  ])('after %j are %i, and are answered once', (sequence, flags) => {
    const screen = screenOf();
    screen.feed(sequence);
    expect(screen.flags()).toBe(flags);
    expect(screen.ask('\x1b[?u')).toBe(`\x1b[?${flags}u`);
  });

  it('are those of the buffer that is shown', () => {
    const screen = screenOf();
    screen.feed('\x1b[>1u\x1b[?1049h');
    expect(screen.flags()).toBe(0);
    screen.feed('\x1b[>15u\x1b[>31u\x1b[<u');
    expect(screen.flags()).toBe(15);
    screen.feed('\x1b[?1049l');
    expect(screen.flags()).toBe(1);
    screen.feed('\x1b[?1049h');
    expect(screen.flags()).toBe(15);
    screen.feed('\x1bc');
    screen.feed('\x1b[?1049h');
    expect(screen.flags()).toBe(0);
  });

  it('are kept to a depth, of which the oldest go first', () => {
    const screen = screenOf();
    screen.feed('\x1b[=7u');
    for (let turn = 0; turn < 1_000; turn++) screen.feed('\x1b[>1u');
    for (let turn = 0; turn < 15; turn++) screen.feed('\x1b[<u');
    expect(screen.flags()).toBe(1);
    screen.feed('\x1b[<2u');
    expect(screen.flags()).toBe(0);
  });
});

describe('modifyOtherKeys', () => {
  it.each<[string, number]>([
    ['\x1b[>4;1m', 1],
    ['\x1b[>4;2m', 2],
    ['\x1b[>4;3m', 2],
    ['\x1b[>4;2m\x1b[>4m', 0],
    ['\x1b[>4;2m\x1b[>m', 0],
    ['\x1b[>4;2m\x1b[>1;1m', 2],
    ['\x1b[>4;2m\x1b[>4n', 0],
    ['\x1b[>4;2m\x1bc', 0],
    ['\x1b[>4;1m\x1b[?1049h', 1],
  ])('after %j is %i', (sequence, level) => {
    const screen = screenOf();
    screen.feed(sequence);
    expect(screen.other()).toBe(level);
    expect(screen.ask('\x1b[?4m')).toBe(`\x1b[>4;${level}m`);
  });
});
