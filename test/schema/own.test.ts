import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { compileOwnSchema } from '../../src/schema/index.ts';

it('checks a message made with TypeBox', () => {
  const check = compileOwnSchema(
    Type.Object(
      {
        id: Type.Integer({ minimum: 1 }),
        size: Type.Optional(Type.Union([Type.Literal('s'), Type.Literal('l')])),
      },
      { additionalProperties: false },
    ),
  );
  expect(check({ id: 1, size: 'l' })).toEqual([]);
  expect(check({ id: 0, size: 'm', more: 1 })).toEqual([
    { path: '/more', message: 'is not a known property' },
    { path: '/id', message: 'must be at least 1' },
    { path: '/size', message: 'must be one of "s" or "l"' },
  ]);
  expect(check(null)).toEqual([{ path: '', message: 'must be an object' }]);
});

it('checks recursive messages, also when one is part of several', () => {
  const tree = Type.Recursive((self) => Type.Object({ children: Type.Array(self) }));
  const one = compileOwnSchema(Type.Object({ tree }));
  const two = compileOwnSchema(Type.Array(tree));
  expect(one({ tree: { children: [{ children: [] }] } })).toEqual([]);
  expect(two([{ children: [{}] }])).toEqual([{ path: '/0/children/0/children', message: 'is required' }]);
});
