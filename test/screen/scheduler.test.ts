import { describe, expect, it } from 'vitest';
import { ParseScheduler, Screen } from '../../src/screen/index.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

describe('the parse scheduler', () => {
  it('parses an echo before it returns', () => {
    const scheduler = new ParseScheduler();
    const screen = new Screen({ cols: 20, rows: 3 });
    scheduler.write(screen, Buffer.from('k'));
    expect(screen.text()[0]).toBe('k');
  });

  it('parses only the first small chunk of a turn at once', async () => {
    const scheduler = new ParseScheduler();
    const screen = new Screen({ cols: 20, rows: 3 });
    scheduler.write(screen, Buffer.from('a'));
    scheduler.write(screen, Buffer.from('b'));
    expect(screen.pendingBytes).toBe(1);
    await until(() => screen.pendingBytes === 0);
    expect(screen.text()[0]).toBe('ab');
    scheduler.write(screen, Buffer.from('c'));
    expect(screen.text()[0]).toBe('abc');
  });

  it('parses bulk later, in order, and lets everything else have its turn', async () => {
    const scheduler = new ParseScheduler();
    const flooding = new Screen({ cols: 80, rows: 24 });
    const quiet = new Screen({ cols: 20, rows: 3 });
    let slices = 0;
    flooding.onParsed(() => slices++);
    const line = Buffer.from(`${'漢字 and text '.repeat(6)}\r\n`);
    for (let i = 0; i < 12; i++) scheduler.write(flooding, Buffer.concat(Array<Buffer>(1_000).fill(line)));
    scheduler.write(flooding, Buffer.from('the end'));
    expect(slices).toBe(0);
    let turns = 0;
    let longest = 0;
    while (flooding.pendingBytes > 0) {
      const start = performance.now();
      await turn();
      longest = Math.max(longest, performance.now() - start);
      // An echo elsewhere never waits for the flood.
      scheduler.write(quiet, Buffer.from(turns++ % 10 === 0 ? '\r' : 'k'));
      expect(quiet.pendingBytes).toBe(0);
    }
    expect(slices).toBeGreaterThan(10);
    expect(longest).toBeLessThan(500);
    expect(flooding.text().at(-1)).toBe('the end');
  });

  it('serves flooding screens in turn', async () => {
    const scheduler = new ParseScheduler();
    const order: number[] = [];
    const bulk = Buffer.alloc(2 << 20, 'text to parse\r\n');
    const screens = [0, 1, 2].map((index) => {
      const screen = new Screen({ cols: 80, rows: 24 });
      screen.onParsed(() => order.push(index));
      scheduler.write(screen, bulk);
      return screen;
    });
    await until(() => order.length >= 9);
    expect(order.slice(0, 9)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    for (const screen of screens) scheduler.remove(screen);
    const parsed = order.length;
    await turn();
    await turn();
    expect(order.length).toBe(parsed);
  });
});
