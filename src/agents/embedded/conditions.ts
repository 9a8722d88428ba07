/** Whether the conditions of a rule hold in a state. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../protocol/messages.ts';
import type { Condition } from './playbook.ts';
import { fill, NoValue, valueAt } from './values.ts';

/** Whether all conditions hold in `state`; `changes` compares it with `before`. */
export function allHold(conditions: readonly Condition[], state: Json, before: Json): boolean {
  return conditions.every((condition) => holds(condition, state, before));
}

/** The paths that name nothing in `state` although the conditions can only hold where they do. */
export function missingPaths(conditions: readonly Condition[], state: Json): string[] {
  return conditions
    .filter(({ type }) => type !== 'exists' && type !== 'changes')
    .map(({ path }) => path)
    .filter((path) => valueAt(path, state) === undefined)
    .map(({ text }) => text);
}

function holds(condition: Condition, state: Json, before: Json): boolean {
  const value = valueAt(condition.path, state);
  if (condition.type === 'exists') return (value !== undefined) === condition.expected;
  if (condition.type === 'changes') return !isDeepStrictEqual(value, valueAt(condition.path, before));
  const to = fill(condition.to, state);
  if (value === undefined || to instanceof NoValue) return false;
  switch (condition.type) {
    case 'equals':
      return isDeepStrictEqual(value, to);
    case 'contains':
      if (typeof value === 'string') return typeof to === 'string' && value.includes(to);
      return Array.isArray(value) && value.some((item) => isDeepStrictEqual(item, to));
    default:
      return typeof value === 'number' && typeof to === 'number' && compares[condition.type](value, to);
  }
}

const compares = {
  above: (a: number, b: number) => a > b,
  below: (a: number, b: number) => a < b,
  at_least: (a: number, b: number) => a >= b,
  at_most: (a: number, b: number) => a <= b,
};
