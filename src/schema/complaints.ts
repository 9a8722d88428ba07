/**
 * Turns ajv's errors into complaints a person can act on, each at the value it concerns. It decides
 * nothing: what is wrong has been found by then.
 */

import type { ErrorObject } from 'ajv';

export interface Complaint {
  /** JSON Pointer (RFC 6901) to the value complained about; the empty string is the whole value. */
  path: string;
  /** Reads after the name of the value, for example "must be at most 500". */
  message: string;
}

/** Nobody reads more, and a hostile schema could cause millions. */
const mostComplaints = 100;
const longestQuote = 80;

export function toComplaints(errors: readonly ErrorObject[]): Complaint[] {
  const complaints: Complaint[] = [];
  const seen = new Set<string>();
  for (const error of withoutBranches(errors)) {
    const complaint = { path: error.instancePath + concerned(error), message: describe(error, errors) };
    const key = JSON.stringify(complaint);
    if (seen.has(key)) continue;
    seen.add(key);
    complaints.push(complaint);
    if (complaints.length === mostComplaints) break;
  }
  return complaints;
}

/** The part of the path that ajv leaves out: the property that is missing or too much. */
function concerned({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return `/${escapePointer(params.missingProperty)}`;
    case 'additionalProperties':
      return `/${escapePointer(params.additionalProperty)}`;
    case 'unevaluatedProperties':
      return `/${escapePointer(params.unevaluatedProperty)}`;
    case 'propertyNames':
      return `/${escapePointer(params.propertyName)}`;
    default:
      return '';
  }
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

const choices = new Set(['anyOf', 'oneOf']);

/**
 * A value that fits no alternative makes an error for each of them; only the one that sums them up
 * is kept. `if` repeats what its branch said; an error about a name stands at the object.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const summedUp = errors
    .filter((error) => choices.has(error.keyword))
    .map((error) => `${error.schemaPath}/`);
  return errors.filter(
    (error) =>
      error.propertyName === undefined &&
      error.keyword !== 'if' &&
      !summedUp.some((path) => error.schemaPath.startsWith(path)),
  );
}

function describe(error: ErrorObject, all: readonly ErrorObject[]): string {
  const { keyword, params } = error;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'dependentRequired':
    case 'dependencies':
      return `is required beside ${quote(params.property)}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a known property';
    case 'propertyNames':
      return 'has a name that is not allowed';
    case 'type':
      return `must be ${listOf([params.type].flat().map(typeName))}`;
    case 'enum':
      return `must be ${params.allowedValues.length > 1 ? 'one of ' : ''}${listOf(params.allowedValues.map(quote))}`;
    case 'const':
      return `must be ${quote(params.allowedValue)}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`;
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`;
    case 'minLength':
      return `must have at least ${count(params.limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${count(params.limit, 'character')}`;
    case 'minItems':
      return `must have at least ${count(params.limit, 'item')}`;
    case 'maxItems':
    case 'items':
    case 'additionalItems':
    case 'unevaluatedItems':
      return `must have at most ${count(params.limit ?? params.len, 'item')}`;
    case 'minProperties':
      return `must have at least ${count(params.limit, 'property', 'properties')}`;
    case 'maxProperties':
      return `must have at most ${count(params.limit, 'property', 'properties')}`;
    case 'uniqueItems':
      return `must not repeat an item (${Math.min(params.i, params.j) + 1} and ${Math.max(params.i, params.j) + 1} are equal)`;
    case 'pattern':
      return `must match the pattern ${shorten(params.pattern)}`;
    case 'format':
      return `must be a valid ${shorten(params.format)}`;
    case 'contains':
      return 'must contain more, or fewer, items of the kind asked for';
    case 'anyOf':
    case 'oneOf':
      return describeChoice(error, all);
    case 'not':
      return 'must not have this value';
    case 'false schema':
      return 'must not be given';
    default:
      return error.message ?? `does not satisfy ${shorten(keyword)}`;
  }
}

/** "must be a string or null" when the alternatives differ in type alone. */
function describeChoice(choice: ErrorObject, all: readonly ErrorObject[]): string {
  if (choice.keyword === 'oneOf' && choice.params.passingSchemas) {
    return 'must fit one alternative only, but fits several';
  }
  const branches = all.filter((error) => error.schemaPath.startsWith(`${choice.schemaPath}/`));
  const plain = branches.every((error) => error.instancePath === choice.instancePath);
  if (plain && branches.length > 0) {
    if (branches.every((error) => error.keyword === 'type')) {
      return `must be ${listOf(branches.flatMap((error) => [error.params.type].flat().map(typeName)))}`;
    }
    if (branches.every((error) => error.keyword === 'const')) {
      return `must be one of ${listOf(branches.map((error) => quote(error.params.allowedValue)))}`;
    }
  }
  return 'must fit one of the alternatives, but fits none';
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeName(type: string): string {
  return typeNames[type] ?? type;
}

function listOf(words: string[]): string {
  if (words.length > 12) return `${words.slice(0, 12).join(', ')}, …`;
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function quote(value: unknown): string {
  return shorten(JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote)}…`;
}
