import { describe, expect, it } from 'vitest';
import { bgFlag, fgFlag } from '../../src/cells/row.ts';
import { holdLimitMs, Screen, type ScreenOptions } from '../../src/screen/index.ts';

function screenOf(options: Partial<ScreenOptions> = {}): { screen: Screen; feed(text: string): void } {
  const screen = new Screen({ cols: 20, rows: 4, ...options });
  const feed = (text: string) => {
    screen.write(Buffer.from(text));
    while (screen.parse(1_000));
  };
  return { screen, feed };
}

describe('a screen', () => {
  it('shows text, right-trimmed, and its start', () => {
    const { screen, feed } = screenOf();
    feed('one  \r\ntwo 👍');
    expect(screen.text()).toEqual(['one', 'two 👍', '', '']);
    expect(screen.textStart(5)).toBe('one\nt');
    expect(screen.textStart(9)).toBe('one\ntwo ');
    expect(screen.textStart(100)).toBe('one\ntwo 👍');
  });

  it('queues bytes until they are parsed', () => {
    const { screen } = screenOf();
    screen.write(Buffer.from('a'.repeat(50)));
    screen.write(Buffer.alloc(0));
    expect(screen.pendingBytes).toBe(50);
    expect(screen.text()[0]).toBe('');
    expect(screen.parse(1_000)).toBe(false);
    expect(screen.pendingBytes).toBe(0);
    expect(screen.parse(1_000)).toBe(false);
  });

  it('stops at its budget and goes on later', () => {
    let clock = 0;
    const { screen } = screenOf({ now: () => clock++ });
    for (let i = 0; i < 100; i++) screen.write(Buffer.from(`${i}\r\n`));
    let calls = 1;
    while (screen.parse(3)) calls++;
    expect(calls).toBeGreaterThan(20);
    expect(screen.text()).toEqual(['97', '98', '99', '']);
  });

  it('passes on what the emulator answers, and nothing it was told', () => {
    const { screen, feed } = screenOf();
    let replies = '';
    screen.onReply((bytes) => {
      replies += bytes.toString();
    });
    feed('\x1b[c\x1b[6n\x1b[?2026$p');
    expect(replies).toBe('\x1b[?1;2c\x1b[1;1R\x1b[?2026;2$y');
    replies = '';
    // Title, clipboard, colours, window size and answerback would put the program's own words into its input.
    feed(
      '\x1b]2;rm -rf\x07\x1b[21t\x1b[20t\x1b]52;c;?\x07\x1b]10;?\x07\x1b]4;1;?\x07\x1b[14t\x05\x1bP+q544e\x1b\\',
    );
    expect(replies).toBe('');
  });

  it('cannot be resized by its program', () => {
    const { screen, feed } = screenOf();
    feed('\x1b[8;50;132t\x1b[?3h\x1b[?40h\x1b[?3h');
    expect([screen.cols, screen.rows]).toEqual([20, 4]);
  });

  it('rings', () => {
    const { screen, feed } = screenOf();
    let bells = 0;
    const stop = screen.onBell(() => bells++);
    feed('\x07a\x07\x1b]2;not a bell\x07');
    stop();
    feed('\x07');
    expect(bells).toBe(2);
  });

  it('takes a title, without what cannot be seen and at most 256 columns of it', () => {
    const { screen, feed } = screenOf();
    feed('\x1b]0;a \u202etitle\u200b\x07');
    expect(screen.frame(0).title).toBe('a title');
    feed('\x1b[22;2t\x1b]2;other\x07');
    expect(screen.title).toBe('other');
    feed('\x1b[23;2t');
    expect(screen.title).toBe('a \u202etitle'.replace('\u202e', ''));
    feed(`\x1b]2;${'漢'.repeat(1_000)}\x07`);
    expect(screen.title).toBe('漢'.repeat(128));
  });

  it('knows the directory its program claims to be in', () => {
    const { screen, feed } = screenOf();
    expect(screen.workingDirectory).toBeUndefined();
    feed('\x1b]7;file:///tmp/a%20b\x07');
    expect(screen.workingDirectory).toBe('/tmp/a b');
    feed(
      '\x1b]7;file://elsewhere.example/etc\x07\x1b]7;https://localhost/x\x07\x1b]7;file:///a%1b\x07\x1b]7;%\x07',
    );
    expect(screen.workingDirectory).toBe('/tmp/a b');
  });

  it('reports cursor and modes', () => {
    const { screen, feed } = screenOf();
    expect(screen.frame(0)).toMatchObject({
      cursor: { x: 0, y: 0, visible: true, shape: 'block', blink: false },
      modes: { applicationCursor: false, mouse: 'none', mouseEncoding: 'default', alternateScreen: false },
    });
    feed('\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?1002h\x1b[?1006h\x1b[?1049h\x1b[?25l\x1b[5 q\x1b[2;3H');
    expect(screen.frame(0)).toMatchObject({
      cursor: { x: 2, y: 1, visible: false, shape: 'bar', blink: true },
      modes: {
        applicationCursor: true,
        applicationKeypad: true,
        bracketedPaste: true,
        focusEvents: true,
        mouse: 'button',
        mouseEncoding: 'sgr',
        alternateScreen: true,
      },
    });
    feed('\x1bc');
    expect(screen.frame(0)).toMatchObject({
      cursor: { visible: true, shape: 'block' },
      modes: { mouse: 'none', alternateScreen: false },
    });
  });

  it.each([
    [1005, 'utf8', 1],
    [1006, 'sgr', 1],
    [1015, 'urxvt', 1],
    // No cell has a size here: who asks first does without.
    [1016, 'sgr-pixels', 0],
  ] as const)('knows mouse encoding %i, of which the last one set counts', (mode, encoding, state) => {
    const { screen, feed } = screenOf();
    const replies: string[] = [];
    screen.onReply((bytes) => replies.push(`${bytes}`));
    const current = () => screen.frame(0).modes.mouseEncoding;
    for (const other of [1005, 1006, 1015, 1016]) {
      feed(`\x1b[?1000;${other}h\x1b[?${mode}h\x1b[?${mode}$p`);
      expect(current()).toBe(encoding);
      if (other !== mode) feed(`\x1b[?${other}l`);
      expect(current()).toBe(encoding);
    }
    expect(replies).toEqual(Array(4).fill(`\x1b[?${mode};${state}$y`));
    feed(`\x1b[?${mode}l`);
    expect(current()).toBe('default');
    feed(`\x1b[?${mode}h\x1bc`);
    expect(current()).toBe('default');
  });

  it('keeps the cursor on the screen while a wrap is pending', () => {
    const { screen, feed } = screenOf();
    feed('a'.repeat(20));
    expect(screen.frame(0).cursor).toMatchObject({ x: 19, y: 0 });
  });

  it('reads attributes and links', () => {
    const { screen, feed } = screenOf();
    feed('\x1b[1;4mu\x1b[0;4:3;58:2::1:2:3mc\x1b[0m\x1b]8;id=x;http://a/\x07l\x1b]8;;\x07p');
    const row = screen.frame(0).changed[0]![1];
    expect(row.words[1]! & fgFlag.bold).not.toBe(0);
    expect(row.words[2]! & bgFlag.extended).toBe(0);
    expect(row.extended).toEqual({
      1: { underlineStyle: 3, underlineColour: 0x3010203 },
      2: { underlineStyle: 0, underlineColour: 0, link: 'http://a/', linkId: '=x' },
    });
  });
});

describe('the generation', () => {
  it('rises only when something a frame shows has changed', () => {
    const { screen, feed } = screenOf();
    const start = screen.generation;
    feed('\x1b[6n\x1b[m\x1b[1;1H');
    expect(screen.generation).toBe(start);
    feed('a');
    const written = screen.generation;
    expect(written).toBeGreaterThan(start);
    feed('\ra');
    expect(screen.generation).toBe(written);
    expect(screen.frame(start).changed.map(([y]) => y)).toEqual([0]);
    expect(screen.frame(written).changed).toEqual([]);
    feed('\x1b[?1h');
    expect(screen.generation).toBeGreaterThan(written);
  });

  it('gives only the rows that changed, although the emulator reports all between', () => {
    const { screen, feed } = screenOf();
    const { generation } = screen.frame(0);
    feed('top\x1b[4;1Hbottom');
    expect(screen.frame(generation).changed.map(([y]) => y)).toEqual([0, 3]);
  });

  it('gives a full frame for 0, for one it never had, and after a change of size', () => {
    const { screen } = screenOf();
    const { generation } = screen.frame(0);
    expect(screen.frame(generation).full).toBe(false);
    expect(screen.frame(0).full).toBe(true);
    expect(screen.frame(generation + 1).full).toBe(true);
    screen.resize(10, 3);
    const frame = screen.frame(generation);
    expect([frame.full, frame.cols, frame.rows, frame.changed.length]).toEqual([true, 10, 3, 3]);
    screen.resize(10, 3);
    expect(screen.generation).toBe(frame.generation);
  });

  it('keeps sizes within its limits', () => {
    const { screen } = screenOf({ cols: 0, rows: -1 });
    expect([screen.cols, screen.rows]).toEqual([2, 1]);
    screen.resize(1e9, Number.NaN);
    expect([screen.cols, screen.rows]).toEqual([1_000, 1]);
  });
});

describe('synchronized output (mode 2026)', () => {
  it('shows the picture before until the program lets go', () => {
    const { screen, feed } = screenOf({ now: () => 0 });
    feed('before\x1b[?2026h\rhalf');
    expect(screen.held).toBe(true);
    const { generation } = screen.frame(0);
    feed(' of it\x1b]2;title\x07');
    expect(screen.text()[0]).toBe('before');
    expect(screen.generation).toBe(generation);
    feed('\x1b[?2026l');
    expect(screen.held).toBe(false);
    expect(screen.text()[0]).toBe('half of it');
    expect(screen.frame(generation).changed).toHaveLength(1);
  });

  it('shows whole pictures when one chunk ends one and begins the next', () => {
    const { screen, feed } = screenOf({ now: () => 0 });
    feed('\x1b[?2026h\x1b[Hfirst\x1b[?2026l\x1b[?2026h\x1b[Hseco');
    expect(screen.text()[0]).toBe('first');
  });

  it('is over after a second, and by a change of size', () => {
    let clock = 0;
    const { screen, feed } = screenOf({ now: () => clock });
    feed('\x1b[?2026hhidden');
    clock = holdLimitMs - 1;
    feed('\x1b[?2026h');
    expect(screen.text()[0]).toBe('');
    clock = holdLimitMs;
    expect(screen.held).toBe(false);
    expect(screen.text()[0]).toBe('hidden');

    const other = screenOf({ now: () => 0 });
    other.feed('\x1b[?2026hhidden');
    other.screen.resize(10, 2);
    expect(other.screen.text()[0]).toBe('hidden');
  });
});

describe('the history', () => {
  it('keeps rows that scrolled away, up to its bound, also behind the alternate screen', () => {
    const { screen, feed } = screenOf({ scrollback: 10 });
    for (let i = 0; i < 30; i++) feed(`line ${i}\r\n`);
    expect(screen.historyLength).toBe(10);
    // 27 rows have left the screen of four.
    expect(screen.historyDropped).toBe(17);
    feed('\x1b[?1049hvim');
    expect(
      screen
        .history(0, 2)
        .map((row) =>
          String.fromCodePoint(
            ...row.words.filter((_, i) => i % 3 === 0 && i < 21).map((word) => word & 0x1fffff),
          ),
        ),
    ).toEqual(['line 17', 'line 18']);
    expect(screen.history(8, 100)).toHaveLength(2);
    expect(screen.history(-5, 2)).toEqual([]);
    expect(screen.history(50, 2)).toEqual([]);
  });

  it('goes on counting after a reset', () => {
    const { screen, feed } = screenOf({ scrollback: 2 });
    feed('\n'.repeat(10));
    const before = screen.historyDropped;
    feed(`\x1bc${'\n'.repeat(10)}`);
    expect(screen.historyDropped).toBeGreaterThan(before);
    expect(screen.historyLength).toBe(2);
  });
});

describe('a disposed screen', () => {
  it('stays readable and takes nothing more', () => {
    const { screen, feed } = screenOf();
    feed('last words');
    screen.dispose();
    screen.dispose();
    feed('more');
    screen.resize(5, 5);
    expect(screen.text()[0]).toBe('last words');
    expect(screen.frame(0).full).toBe(true);
    expect(screen.pendingBytes).toBe(0);
  });
});
