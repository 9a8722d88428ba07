/** Files that people write: where each complaint stands, and what it takes a slip of the hand for. */
import { describe, expect, it } from 'vitest';
import { describeProblems, JsoncText } from '../../src/cli/jsonc.ts';
import { nearest } from '../../src/cli/nearest.ts';

const schema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string' },
    scrollback: { type: 'integer', maximum: 10 },
    key: { type: ['string', 'array'], pattern: '^C-.$', $comment: 'a key such as "C-a"' },
    tree: { $ref: '#/definitions/tree' },
    by: { type: 'object', patternProperties: { '^x': { type: 'integer' } }, additionalProperties: false },
  },
  definitions: {
    tree: {
      type: 'object',
      additionalProperties: false,
      properties: {
        weight: { type: 'number' },
        rows: { type: 'array', items: { $ref: '#/definitions/tree' } },
      },
    },
  },
};

function complaints(text: string): string[] {
  const source = new JsoncText(text);
  source.check(schema);
  return describeProblems('f', source.problems);
}

describe('a text', () => {
  it('may have comments and trailing commas', () => {
    expect(complaints('// hello\n{ "name": "x", /* and */ "scrollback": 3, }\n')).toEqual([]);
  });

  it.each([
    ['{ "name": "x" "scrollback": 1 }', 'f:1:15: a comma is expected here'],
    ['{\n  name: "x"\n}', 'f:2:3: this is not JSON: a text stands in double quotes'],
    ['{ "name": "x', 'f:1:11: this text has no end'],
    ['', 'f:1:1: a value is expected here'],
    ['{}{}', 'f:1:3: nothing may follow the end'],
  ])('that is no JSON is told its first fault: %j', (text, words) => {
    expect(complaints(text)).toEqual([words]);
  });
});

describe('a value', () => {
  it.each([
    ['{\n "nmae": "x", "name": "y"\n}', 'f:2:2: there is no "nmae": did you mean "name"?'],
    [
      '{"name":"y", "wholly": 1}',
      'f:1:14: there is no "wholly": there may be name, scrollback, key, tree, by',
    ],
    ['{"name":"y",\r\n"scrollback": 50}', 'f:2:15: scrollback must be at most 10'],
    ['{"scrollback": 5}', 'f:1:1: name is required'],
    ['{"name":"y", "key": "a"}', 'f:1:21: key must be a key such as "C-a"'],
    ['{"name":"y", "key": 7}', 'f:1:21: key must be a string or a list'],
    ['[]', 'f:1:1: the whole must be an object'],
    [
      '{"name":"y", "tree": {"rows": [{}, {"wieght": 2}]}}',
      'f:1:37: there is no "wieght" in tree.rows[1]: did you mean "weight"?',
    ],
    ['{"name":"y", "name": "z"}', 'f:1:14: name is already given above'],
    ['{"name":"y", "by": {"x 1": "a"}}', 'f:1:28: by["x 1"] must be a whole number'],
  ])('that does not fit is told where: %j', (text, words) => {
    expect(complaints(text)).toEqual([words]);
  });

  it('is told all of its faults, in their order', () => {
    expect(complaints('{ "scrolback": 1,\n "scrollback": "x",\n "name": 1 }')).toEqual([
      'f:1:3: there is no "scrolback": did you mean "scrollback"?',
      'f:2:16: scrollback must be a whole number',
      'f:3:10: name must be a string',
    ]);
  });
});

it('takes only near words for slips', () => {
  const known = ['theme', 'prefix', 'keys'];
  expect(nearest('tehme', known)).toBe('theme');
  expect(nearest('Prefix', known)).toBe('prefix');
  expect(nearest('key', known)).toBe('keys');
  expect(nearest('colour', known)).toBeUndefined();
});
