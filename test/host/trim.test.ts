import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryBytes, itemBytes, trim, trimDelivery } from '../../src/host/trim.ts';
import type { Json } from '../../src/protocol/messages.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const json = fc.jsonValue({ maxDepth: 6, depthSize: 'max' }) as fc.Arbitrary<Json>;

describe('trimming a delivery', () => {
  it('leaves alone what fits', () => {
    fc.assert(
      fc.property(json, (data) => {
        fc.pre(bytes({ data, cut: [] }) <= deliveryBytes);
        expect(trim(data, [], deliveryBytes)).toEqual({ data, cut: [] });
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('is always within the budget, valid JSON and the same every time', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 64, max: 2_000 }), (data, budget) => {
        const trimmed = trim(data, [], budget);
        expect(bytes(trimmed)).toBeLessThanOrEqual(budget);
        expect(JSON.parse(JSON.stringify(trimmed))).toEqual(trimmed);
        expect(trim(data, [], budget)).toEqual(trimmed);
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('keeps the newest end of a declared series', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 20_000 }),
        fc.constantFrom('first', 'last'),
        (count, newest) => {
          const prices = Array.from({ length: count }, (_, index) => index);
          const { data, cut } = trim({ prices }, [{ path: '/prices', newest }], 700);
          const kept = (data as { prices: number[] }).prices;
          expect(kept.length).toBeGreaterThan(20);
          expect(kept).toEqual(newest === 'last' ? prices.slice(-kept.length) : prices.slice(0, kept.length));
          expect(cut).toEqual([`/prices: the newest ${kept.length} of ${count} items`]);
        },
      ),
      { seed: 5, numRuns: 100 },
    );
  });

  it('keeps head and tail of other arrays, and says so', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => index);
    const { data, cut } = trim({ list }, [], 1_000);
    const kept = (data as { list: number[] }).list;
    expect(kept[0]).toBe(0);
    expect(kept.at(-1)).toBe(9_999);
    expect(cut[0]).toMatch(/^\/list: the first \d+ and the last \d+ of 10000 items$/);
  });

  it('says how much of a long string is gone', () => {
    const { data, cut } = trim({ text: 'x'.repeat(50_000) }, [], deliveryBytes);
    expect((data as { text: string }).text).toMatch(/^x+… \d+ more characters$/);
    expect(cut).toHaveLength(1);
  });

  it('never cuts a character in half', () => {
    for (let length = 100; length < 140; length++) {
      const { data } = trim(`${'a'.repeat(length)}${'😀'.repeat(9_000)}`, [], 400);
      expect(data as string).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('keeps members with dangerous names as members', () => {
    const data = JSON.parse(`{"__proto__":{"polluted":true},"text":"${'x'.repeat(3_000)}"}`) as Json;
    const trimmed = trim(data, [], 1_000).data as Record<string, Json>;
    expect(Object.keys(trimmed)).toContain('__proto__');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('gives up on data only where nothing else would fit', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`${index}${'k'.repeat(500)}`, index]),
    );
    const { data, cut } = trim(wide, [], 64);
    expect(data).toBeNull();
    expect(cut.join()).toMatch(/left out/);
  });

  it('gives one item 16 KiB, several at most 4 KiB each and 16 KiB in all', () => {
    const item = { data: Array.from({ length: 30_000 }, (_, index) => index) as Json, series: [] };
    expect(bytes(trimDelivery([item])[0])).toBeGreaterThan(itemBytes);
    for (const count of [2, 4, 9]) {
      const sizes = trimDelivery(Array.from({ length: count }, () => item)).map(bytes);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(itemBytes);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(deliveryBytes);
    }
  });
});
