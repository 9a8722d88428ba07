import { describe, expect, it } from 'vitest';
import { compileForeignSchema } from '../../src/schema/index.ts';

function check(schema: unknown, value: unknown) {
  const compiled = compileForeignSchema(schema);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.check(value);
}

function refusal(schema: unknown): string {
  const compiled = compileForeignSchema(schema);
  return compiled.ok ? 'taken' : compiled.reason;
}

/** Through JSON text, the way a Tick's schema arrives: `__proto__` is an ordinary member then. */
const received = (text: string) => JSON.parse(text) as unknown;

describe('complaints', () => {
  const order = {
    type: 'object',
    properties: {
      amount: { type: 'number', maximum: 500 },
      'side/up': { enum: ['buy', 'sell'] },
      note: { type: ['string', 'null'], maxLength: 3 },
      when: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 1 },
    },
    required: ['amount', 'a~b'],
    additionalProperties: false,
  };

  it('stand at the value they concern, missing and unknown properties included', () => {
    const complaints = check(order, {
      amount: 501,
      'side/up': 'hold',
      note: 'long',
      tags: ['x', 'x'],
      extra: 1,
    });
    expect(complaints).toEqual(
      expect.arrayContaining([
        { path: '/amount', message: 'must be at most 500' },
        { path: '/a~0b', message: 'is required' },
        { path: '/extra', message: 'is not a known property' },
        { path: '/side~1up', message: 'must be one of "buy" or "sell"' },
        { path: '/note', message: 'must have at most 3 characters' },
        { path: '/tags', message: 'must not repeat an item (1 and 2 are equal)' },
      ]),
    );
    expect(complaints).toHaveLength(6);
  });

  it.each([
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: ['string', 'null'] }, 1, 'must be a string or null'],
    [{ minLength: 1 }, '', 'must have at least 1 character'],
    [{ pattern: '^a$' }, 'b', 'must match the pattern ^a$'],
    [{ format: 'email' }, 'b', 'must be a valid email'],
    [{ const: 3 }, 4, 'must be 3'],
    [{ exclusiveMinimum: 0 }, 0, 'must be more than 0'],
    [{ multipleOf: 5 }, 6, 'must be a multiple of 5'],
    [{ minItems: 2 }, [], 'must have at least 2 items'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be a string or null'],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 1, 'must be one of "a" or "b"'],
    [{ anyOf: [{ minimum: 2 }, { type: 'null' }] }, 1, 'must fit one of the alternatives, but fits none'],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, 'must fit one alternative only, but fits several'],
    [{ not: { type: 'string' } }, 'x', 'must not have this value'],
  ])('%j on %j: %s', (schema, value, message) => {
    expect(check(schema, value)).toEqual([{ path: '', message }]);
  });

  it('about a name and a dependency stand at the property', () => {
    expect(check({ propertyNames: { pattern: '^a' } }, { b: 1 })).toEqual([
      { path: '/b', message: 'has a name that is not allowed' },
    ]);
    expect(check({ dependentRequired: { a: ['b'] } }, { a: 1 })).toEqual([
      { path: '/b', message: 'is required beside "a"' },
    ]);
    expect(check({ unevaluatedProperties: false }, { b: 1 })).toEqual([
      { path: '/b', message: 'is not a known property' },
    ]);
  });

  it('are at most 100', () => {
    expect(check({ items: { type: 'string' } }, Array(5000).fill(1))).toHaveLength(100);
  });
});

describe('dialects', () => {
  const tuple = { prefixItems: [{ type: 'string' }] };

  it('is 2020-12 unless $schema says otherwise', () => {
    expect(check(tuple, [1])).toHaveLength(1);
    expect(check({ ...tuple, $schema: 'https://json-schema.org/draft/2020-12/schema' }, [1])).toHaveLength(1);
    expect(check({ ...tuple, $schema: 'http://json-schema.org/draft-07/schema#' }, [1])).toHaveLength(0);
    expect(
      check({ $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] }, [1]),
    ).toHaveLength(1);
    expect(
      check({ $schema: 'http://json-schema.org/draft-06/schema', items: [{ const: 2 }] }, [1]),
    ).toHaveLength(1);
  });

  it.each(['http://json-schema.org/draft-04/schema#', 'https://example.org/mine', 7, null, 'constructor'])(
    'refuses $schema %j',
    ($schema) => {
      expect(refusal({ $schema })).toContain('names a dialect');
    },
  );
});

describe('schemas that are refused', () => {
  it.each([true, false, null, [], 'x', undefined])('%j is not an object', (schema) => {
    expect(refusal(schema)).toBe('is not an object');
  });

  it.each([
    [{ type: 'strange' }, 'is not valid: /type must be one of "array"'],
    [{ properties: [] }, 'is not valid: /properties must be an object'],
    [{ properties: { a: { minimum: 'x' } } }, 'is not valid: /properties/a/minimum must be a number'],
    [{ pattern: '(' }, 'is not valid: Invalid regular expression: /(/'],
    [{ $ref: 'https://example.org/other' }, "is not valid: can't resolve reference"],
    [{ $ref: '#/$defs/none' }, "is not valid: can't resolve reference"],
    [{ $ref: 'other.json' }, "is not valid: can't resolve reference"],
    [{ $async: true }, 'is asynchronous'],
    [{ properties: { a: { $async: false } } }, 'is asynchronous'],
    [received('{"properties":{"__proto__":{"type":"string"}}}'), 'names a property __proto__'],
    [{ description: 'x'.repeat(64 * 1024) }, 'is larger than 64 KiB'],
    [{ enum: Array(5000).fill(1) }, 'has more than 5000 values'],
    [received(`${'{"not":'.repeat(64)}{}${'}'.repeat(64)}`), 'is nested deeper than 64 levels'],
  ])('%#: %s', (schema, reason) => {
    expect(refusal(schema)).toContain(reason);
  });

  it('one that cannot be JSON', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(refusal(loop)).toBe('is not JSON');
  });
});

describe('traps', () => {
  it('leaves the schema it is given as it is', () => {
    const schema = {
      $id: 'https://a.example/s',
      $schema: 'http://json-schema.org/draft-07/schema#',
      format: 'odd',
    };
    const before = structuredClone(schema);
    expect(compileForeignSchema(schema).ok).toBe(true);
    expect(schema).toEqual(before);
  });

  it('lets two strangers use the same ids for different schemas', () => {
    const schema = (type: string) => ({
      $id: 'https://a.example/s',
      $ref: 'https://a.example/s#/$defs/it',
      $defs: { it: { $id: 'https://a.example/nested', type } },
    });
    expect(check(schema('string'), 1)).toHaveLength(1);
    expect(check(schema('number'), 1)).toHaveLength(0);
  });

  it('ignores unknown formats, even ones named like members of Object', () => {
    for (const format of ['constructor', 'toString', 'flight-number'])
      expect(check({ format }, 'x')).toEqual([]);
  });

  it('does not take members of data or names of properties for keywords', () => {
    const schema = {
      properties: {
        format: { const: { format: 'odd', $id: 'x' } },
        $async: { type: 'string' },
        id: { type: 'number' },
      },
    };
    expect(check(schema, { format: { format: 'odd', $id: 'x' }, id: 1 })).toEqual([]);
    expect(check(schema, { format: { $id: 'x' }, id: 'a' })).toHaveLength(2);
  });

  it('does not take inherited members for properties', () => {
    expect(check({ required: ['toString'] }, {})).toEqual([{ path: '/toString', message: 'is required' }]);
    expect(check({ additionalProperties: false }, received('{"__proto__":1}'))).toHaveLength(1);
  });

  it('neither coerces nor fills in', () => {
    const value = { n: '1' };
    expect(check({ properties: { n: { type: 'number' }, d: { default: 1 } } }, value)).toHaveLength(1);
    expect(value).toEqual({ n: '1' });
  });

  it('takes a pattern in the newer syntax and in the older', () => {
    expect(check({ pattern: '^\\p{L}$' }, 'é')).toEqual([]);
    expect(check({ pattern: '^[\\w\\-]+\\-$' }, 'a-')).toEqual([]);
  });

  it('is strict about date-time and time', () => {
    for (const [format, good, bad] of [
      ['date-time', '2026-02-28T10:00:00+05:30', '2026-02-28T10:00:00+0530'],
      ['date-time', '2026-02-28t10:00:00z', '2026-02-28 10:00:00Z'],
      ['time', '10:00:00Z', '10:00:00+05'],
    ] as const) {
      expect(check({ format }, good)).toEqual([]);
      expect(check({ format }, bad)).toEqual([{ path: '', message: `must be a valid ${format}` }]);
    }
  });

  it('stops a pattern that backtracks without end', () => {
    expect(check({ pattern: '^(a|a)*$' }, `${'a'.repeat(60)}b`)).toEqual([
      { path: '', message: 'could not be checked against its schema in time' },
    ]);
  });

  it('survives a schema that refers to itself', () => {
    expect(check({ allOf: [{ $ref: '#' }] }, 1)).toHaveLength(1);
    const list = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
    expect(check(list, { next: { next: { nxt: 1 } } })).toEqual([
      { path: '/next/next/nxt', message: 'is not a known property' },
    ]);
  });

  it('compiles equal schemas once', () => {
    const first = compileForeignSchema({ type: 'object', title: 'once' });
    expect(compileForeignSchema({ type: 'object', title: 'once' })).toBe(first);
  });

  it('forgets schemas that were not used for long', () => {
    const first = compileForeignSchema({ title: 'forgotten' });
    const kept = compileForeignSchema({ title: 'kept' });
    for (let i = 0; i < 256; i++) {
      compileForeignSchema({ title: `another ${i}`, $async: true });
      compileForeignSchema({ title: 'kept' });
    }
    expect(compileForeignSchema({ title: 'kept' })).toBe(kept);
    expect(compileForeignSchema({ title: 'forgotten' })).not.toBe(first);
  });
});
