import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame, type WireFrame } from '../../src/cells/frame.ts';
import { Grid } from '../../src/cells/grid.ts';
import { rowText } from '../../src/cells/text.ts';
import { MalformedWireError } from '../../src/cells/wire.ts';
import { Screen } from '../../src/screen/index.ts';

function screenShowing(text: string): Screen {
  const screen = new Screen({ cols: 10, rows: 3 });
  feed(screen, text);
  return screen;
}

function feed(screen: Screen, text: string): void {
  screen.write(Buffer.from(text));
  while (screen.parse(1_000));
}

const texts = (grid: Grid) => Array.from({ length: grid.rows }, (_, y) => rowText(grid.row(y)));

describe('a grid', () => {
  it('takes frames and names the rows they replaced', () => {
    const screen = screenShowing('one\r\ntwo');
    const grid = new Grid();
    expect(grid.applyFrame(encodeFrame(screen.frame(grid.generation)))).toEqual([0, 1, 2]);
    feed(screen, '\x1b[3;1Hthree\x1b]2;title\x07\x1b[?1h');
    expect(grid.applyFrame(encodeFrame(screen.frame(grid.generation)))).toEqual([2]);
    expect(texts(grid)).toEqual(['one', 'two', 'three']);
    expect(grid.cursor).toMatchObject({ x: 5, y: 2 });
    expect(grid.title).toBe('title');
    expect(grid.modes.applicationCursor).toBe(true);
    screen.resize(12, 2);
    expect(grid.applyFrame(encodeFrame(screen.frame(grid.generation)))).toEqual([0, 1]);
    expect([grid.cols, grid.rows]).toEqual([12, 2]);
    expect(rowText(grid.row(99))).toBe('');
  });

  it('takes a frame that starts earlier than it stands, and finds a gap in one that starts later', () => {
    const screen = screenShowing('one');
    const behind = new Grid();
    behind.applyFrame(encodeFrame(screen.frame(0)));
    const ahead = new Grid();
    ahead.applyFrame(encodeFrame(screen.frame(0)));
    const { generation } = behind;
    feed(screen, '\r\ntwo');
    ahead.applyFrame(encodeFrame(screen.frame(generation)));
    const middle = ahead.generation;
    feed(screen, '\r\nthree');
    expect(behind.applyFrame(encodeFrame(screen.frame(middle)))).toBe('gap');
    expect(texts(behind)).toEqual(['one', '', '']);
    expect(ahead.applyFrame(encodeFrame(screen.frame(generation)))).toEqual([1, 2]);
    expect(texts(ahead)).toEqual(['one', 'two', 'three']);
    expect(new Grid().applyFrame(encodeFrame(screen.frame(generation)))).toBe('gap');
  });

  const good = encodeFrame(screenShowing('text').frame(0));
  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['no generation', { ...good, generation: '1' }],
    ['a fraction', { ...good, since: 0.5 }],
    ['a huge size', { ...good, cols: 1e9 }],
    ['no rows', { ...good, changed: undefined }],
    ['too few rows', { ...good, changed: good.changed.slice(1) }],
    ['too many rows', { ...good, changed: [...good.changed, [3, { w: '' }]] }],
    ['rows out of order', { ...good, changed: [...good.changed].reverse() }],
    ['a malformed row', { ...good, changed: good.changed.map(([y]) => [y, { w: 'x' }]) }],
    ['a cursor off the screen', { ...good, cursor: { ...good.cursor, x: 10 } }],
    ['an unknown cursor', { ...good, cursor: { ...good.cursor, shape: 'hand' } }],
    ['an unknown mouse mode', { ...good, modes: { ...good.modes, mouse: 'all' } }],
    ['no modes', { ...good, modes: null }],
    ['an escape in the title', { ...good, title: '\x1b[31m' }],
    ['an endless title', { ...good, title: 'a'.repeat(1e6) }],
  ])('refuses %s and stays as it was', (_, wire) => {
    const grid = new Grid();
    grid.applyFrame(good);
    expect(() => grid.applyFrame(wire)).toThrow(MalformedWireError);
    expect(texts(grid)).toEqual(['text', '', '']);
  });

  it('gives back a frame as it was', () => {
    const frame = screenShowing('te\u0327xt 漢').frame(0);
    const wire = JSON.parse(JSON.stringify(encodeFrame(frame))) as WireFrame;
    expect(decodeFrame(wire)).toEqual(frame);
  });
});
