import { expect, test } from 'vitest';
import { argumentsOf, schemaWords } from '../../../src/tui/inspector/schema-words.ts';

test.each([
  [{ enum: ['buy', 'sell'] }, '"buy" | "sell"'],
  [{ const: 1 }, '1'],
  [{ type: 'integer', minimum: 1, maximum: 500 }, 'integer 1..500'],
  [{ type: 'number', exclusiveMinimum: 0 }, 'number above 0'],
  [{ type: 'number', multipleOf: 0.05, minimum: 0 }, 'number from 0 in steps of 0.05'],
  [{ type: 'string', format: 'date', maxLength: 10 }, 'string (date) up to 10 characters'],
  [{ type: 'string', pattern: '^a\n$' }, 'string like ^a␊$'],
  [{ type: 'array', items: { type: 'string' }, minItems: 1 }, 'list of string from 1 items'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ anyOf: [{ type: 'boolean' }, { enum: ['x'] }] }, 'true | false | "x"'],
  [{ type: 'object', properties: { a: {}, b: {} } }, '{ a, b }'],
  [{ $ref: '#/$defs/Price' }, 'Price'],
  [{}, 'anything'],
  [true, 'anything'],
  [false, 'nothing'],
])('%j', (schema, words) => {
  expect(schemaWords(schema)).toBe(words);
});

test('a schema that nests without end is told in a few words', () => {
  const deep: Record<string, unknown> = { type: 'array' };
  deep.items = deep;
  expect(schemaWords(deep)).toBe('list of list of list of …');
});

test('arguments in the order of the schema', () => {
  const schema = { properties: { b: { type: 'string', description: 'B\n' }, a: {} }, required: ['a'] };
  expect(argumentsOf(schema)).toEqual([
    { name: 'b', type: 'string', required: false, description: 'B␊' },
    { name: 'a', type: 'anything', required: true, description: '' },
  ]);
  expect(argumentsOf(undefined)).toEqual([]);
});
