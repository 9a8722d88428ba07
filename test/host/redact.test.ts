/** Which arguments are not written down. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact, redacted } from '../../src/host/redact.ts';
import type { Json, JsonObject } from '../../src/protocol/messages.ts';

const secret = { type: 'string', writeOnly: true };

test.each<[string, Json, JsonObject, Json]>([
  [
    'a member',
    { user: 'u', pin: 1 },
    { properties: { pin: { format: 'password' } } },
    { user: 'u', pin: redacted },
  ],
  [
    'a member of a member',
    { a: { b: 's' } },
    { properties: { a: { properties: { b: secret } } } },
    { a: { b: redacted } },
  ],
  [
    'every item',
    { all: ['s', 't'] },
    { properties: { all: { items: secret } } },
    { all: [redacted, redacted] },
  ],
  ['members of any name', { x: 's' }, { additionalProperties: secret }, { x: redacted }],
  [
    'what one of several schemas marks',
    { x: 's' },
    { anyOf: [{}, { properties: { x: secret } }] },
    { x: redacted },
  ],
  ['what all of them mark', { x: 's' }, { allOf: [{ properties: { x: secret } }] }, { x: redacted }],
  [
    'what stands elsewhere in the schema',
    { x: 's', y: ['s'] },
    {
      properties: { x: { $ref: '#/$defs/a~1b%20c' }, y: { items: { $ref: '#key' } } },
      $defs: { 'a/b c': secret, more: { $anchor: 'key', ...secret } },
    },
    { x: redacted, y: [redacted] },
  ],
  [
    'members of a schema that refers to itself',
    { next: { next: { x: 's', y: 1 } } },
    { properties: { x: secret, next: { $ref: '#' } } },
    { next: { next: { x: redacted, y: 1 } } },
  ],
  ['what a reference means that cannot be followed', { x: 's' }, { $ref: 'https://example.com/s' }, redacted],
  ['members by a pattern', { x: 's' }, { patternProperties: { '^x': secret } }, { x: redacted }],
  ['what is left over', { x: 's' }, { unevaluatedProperties: secret }, { x: redacted }],
  [
    'what a condition marks',
    { x: 's', y: 's', z: 's' },
    {
      if: { properties: { x: secret } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { properties: { y: secret } },
      else: { properties: { z: secret } },
    },
    { x: redacted, y: redacted, z: redacted },
  ],
  ['what depends', { x: 's' }, { dependentSchemas: { y: { properties: { x: secret } } } }, { x: redacted }],
  ['items by their place', ['s'], { prefixItems: [secret] }, [redacted]],
  ['items by their place, as draft-07 has it', ['s', 't'], { items: [{}, secret] }, [redacted, redacted]],
  ['the whole', { x: 's' }, { writeOnly: true }, redacted],
  ['nothing', { x: 's' }, { properties: { y: secret } }, { x: 's' }],
  ['nothing by an inherited name', { x: 's' }, { properties: {} }, { x: 's' }],
])('%s', (_what, value, schema, expected) => {
  expect(redact(value, schema)).toEqual(expected);
});

test('a secret never survives, and all else stays as it is', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
  const others = fc.dictionary(name, fc.jsonValue() as fc.Arbitrary<Json>);
  fc.assert(
    fc.property(name, others, (key, rest) => {
      const { [key]: _, ...others } = rest;
      const schema = { properties: { outer: { properties: { [key]: secret } } } };
      const value = { outer: { ...others, [key]: 'the secret itself' }, more: others };
      const result = redact(value, schema) as { outer: JsonObject; more: Json };
      expect(result.outer[key]).toBe(redacted);
      expect({ ...result.outer, [key]: 0 }).toEqual({ ...others, [key]: 0 });
      expect(result.more).toEqual(others);
    }),
    { seed: 20_261_130 },
  );
});

test('a schema that a value has no end of is left in time, and the value unrecorded', () => {
  const parts = Array.from({ length: 2_000 }, (_, n) => [`p${n}`, { $ref: '#' }]);
  const schema: JsonObject = {
    allOf: [{ $ref: '#' }, { items: { $ref: '#' } }],
    $defs: Object.fromEntries(parts),
  };
  let value: Json = 'x';
  for (let depth = 0; depth < 400; depth++) value = [value];
  expect(redact(value, schema)).toEqual(value);
  const wide = { items: { anyOf: parts.map(([, part]) => ({ ...(part as JsonObject), minLength: 1 })) } };
  expect(redact(Array(1_000).fill('x'), wide)).toContain(redacted);
});
