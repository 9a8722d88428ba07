/** Which values of a state changed: what the inspector marks. */
import { get } from '@hyperjump/json-pointer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedPointers } from '../../src/host/changes.ts';
import type { Json } from '../../src/protocol/messages.ts';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

describe('changed values', () => {
  test.each<[Json | undefined, Json, string[]]>([
    [undefined, { a: 1 }, []],
    [{ a: 1 }, { a: 1 }, []],
    [{ a: 1 }, { a: 2 }, ['/a']],
    [{ a: 1 }, { a: 1, b: { c: 1 } }, ['/b']],
    [{ a: 1, b: 2 }, { a: 1 }, []],
    [
      [1, 2],
      [1, 3, 4],
      ['/1', '/2'],
    ],
    [{ 'a/b': { '~': 1 } }, { 'a/b': { '~': 2 } }, ['/a~1b/~0']],
    [{ a: [] }, { a: {} }, ['/a']],
    [1, 2, ['']],
    [{}, JSON.parse('{"__proto__":1}'), ['/__proto__']],
    [JSON.parse('{"a":{"constructor":1}}'), { a: { b: 1 } }, ['/a/b']],
  ])('from %j to %j are %j', (before, after, expected) => {
    expect(changedPointers(before, after)).toEqual(expected);
  });

  test('are none between equal states', () => {
    fc.assert(
      fc.property(json, (state) => changedPointers(structuredClone(state), state).length === 0),
      { seed: 20_261_130 },
    );
  });

  test('are there, and differ from what was there before', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        for (const pointer of changedPointers(before, after)) {
          const now = at(after, pointer);
          expect(now.found).toBe(true);
          expect(JSON.stringify(at(before, pointer))).not.toBe(JSON.stringify(now));
        }
      }),
      { seed: 20_261_130 },
    );
  });

  test('are at most 200, however large the state', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => index);
    const began = performance.now();
    expect(
      changedPointers(
        many.map(() => -1),
        many,
      ),
    ).toHaveLength(200);
    expect(changedPointers(many, [...many])).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

function at(value: Json, pointer: string): { found: boolean; value?: unknown } {
  try {
    const found = get(pointer, value as never);
    return found === undefined ? { found: false } : { found: true, value: found };
  } catch {
    return { found: false };
  }
}
