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
  );
});

test('a schema without end is left in time', () => {
  const schema: JsonObject = {};
  schema.items = schema;
  let value: Json = 'x';
  for (let depth = 0; depth < 200; depth++) value = [value];
  expect(redact(value, schema)).toEqual(value);
});
