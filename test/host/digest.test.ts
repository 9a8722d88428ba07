/** What an approval is bound to: every member counts, nothing else does. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical, digestOf, type Frozen } from '../../src/host/digest.ts';
import type { Json } from '../../src/protocol/messages.ts';

const frozen: Frozen = {
  kind: 'tool',
  instance: 'hosted:1',
  incarnation: 1,
  command: ['/bin/x', '-a'],
  declaration: { name: 'set', description: 'd', input_schema: { type: 'object' }, mutates: true },
  tool: 'set',
  revision: 'a',
  argumentsText: '{"a":1}',
  agent: 'agent:1',
};

describe('the digest', () => {
  test.each<[keyof Frozen, unknown]>([
    ['kind', 'open'],
    ['instance', 'hosted:2'],
    ['instance', undefined],
    ['incarnation', 2],
    ['command', ['/bin/x', '-b']],
    ['command', ['/bin/x -a']],
    ['declaration', { ...frozen.declaration, description: 'e' }],
    ['declaration', { ...frozen.declaration, mutates: false }],
    ['declaration', { ...frozen.declaration, input_schema: {} }],
    ['declaration', undefined],
    ['tool', 'get'],
    ['revision', 'b'],
    ['argumentsText', '{"a":2}'],
    ['agent', 'agent:2'],
  ])('is another with another %s: %j', (member, value) => {
    expect(digestOf({ ...frozen, [member]: value } as Frozen)).not.toBe(digestOf(frozen));
  });

  test('is 64 hexadecimal digits, and the same whatever else is known of the call', () => {
    expect(digestOf(frozen)).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf({ ...frozen, reason: 'because', seqThen: 4, wait: true } as Frozen)).toBe(
      digestOf(frozen),
    );
  });
});

describe('canonical JSON', () => {
  const json = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<Json>;

  test('is the same value, and the same text in whatever order the members came', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonical(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonical(JSON.parse(text))).toBe(text);
        expect(canonical(reversed(value))).toBe(text);
        expect(text).not.toContain('\n');
      }),
      { seed: 20_261_130 },
    );
  });
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
