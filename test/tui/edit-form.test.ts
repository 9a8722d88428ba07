import { expect, test } from 'vitest';
import { choose, type Field, formOf, formText, settle } from '../../src/tui/edit-form.ts';
import { prettyJson } from '../../src/tui/edit-lines.ts';

const schema = {
  type: 'object',
  required: ['side', 'qty'],
  properties: {
    side: { enum: ['buy', 'sell'] },
    qty: { type: 'integer' },
    dry: { type: 'boolean' },
    note: { type: 'string' },
  },
};

function edit(fields: Field[] | undefined, name: string, text: string): void {
  const field = fields?.find((candidate) => candidate.name === name) as Field;
  if (text !== '') field.absent = false;
  field.buffer.replace(text);
  settle(field);
}

test('a flat object becomes a form and comes back as it was', () => {
  const form = formOf('{"qty":10,"side":"buy"}', schema);
  expect(form?.map(({ name, type, absent, before }) => [name, type, absent, before])).toEqual([
    ['side', 'string', false, 'buy'],
    ['qty', 'number', false, '10'],
    ['dry', 'boolean', true, undefined],
    ['note', 'string', true, undefined],
  ]);
  expect(formText(form as Field[])).toBe('{"side":"buy","qty":10}');
});

test('fields keep their types; what is none of its type goes to the host as text', () => {
  const form = formOf('{"qty":10,"side":"buy"}', schema);
  edit(form, 'side', '1');
  edit(form, 'qty', ' 2e3 ');
  edit(form, 'dry', 'true');
  expect(formText(form as Field[])).toBe('{"side":"1","qty":2e3,"dry":true}');
  edit(form, 'qty', 'ten');
  edit(form, 'dry', 'yes');
  expect(formText(form as Field[])).toBe('{"side":"1","qty":"ten","dry":"yes"}');
});

test('an emptied number is left out, an emptied string is empty', () => {
  const form = formOf('{"qty":10,"side":"buy","note":"x"}', schema);
  edit(form, 'qty', '');
  edit(form, 'note', '');
  expect(formText(form as Field[])).toBe('{"side":"buy","note":""}');
});

test.each([
  ['nested', '{"side":"buy","qty":{"a":1}}', schema],
  ['undeclared', '{"other":1}', schema],
  ['of another type', '{"qty":"10"}', schema],
  ['with a line break', '{"note":"a\\nb"}', schema],
  ['without a schema', '{"qty":1}', undefined],
  ['of free type', '{"x":1}', { properties: { x: {} } }],
])('%s arguments are edited as text', (_, text, given) => {
  expect(formOf(text, given)).toBeUndefined();
});

test('a field says what it may be, and goes through it', () => {
  const form = formOf('{"side":"buy","qty":10}', {
    properties: {
      side: { enum: ['buy', 'sell', 'a\u202eb', 'two words'] },
      dry: { type: 'boolean' },
      qty: { type: 'integer', minimum: 1, maximum: 500 },
      lot: { type: 'integer', enum: [1, 10] },
      free: { type: 'number' },
      kind: { type: 'string', const: 'x' },
      many: { type: 'string', enum: Array.from({ length: 90 }, (_, at) => `v${at}`) },
    },
  }) as Field[];
  expect(form.map(({ name, hint }) => [name, hint]).slice(0, 6)).toEqual([
    ['side', 'one of buy, sell, "two words"'],
    ['dry', 'true or false'],
    ['qty', 'integer 1..500'],
    ['lot', 'one of 1, 10'],
    ['free', ''],
    ['kind', 'only x'],
  ]);
  expect(form[6]?.hint).toMatch(/^one of v0, .*v29, …$/);
  const [side, dry, qty, lot] = form as [Field, Field, Field, Field];
  for (const wanted of ['sell', 'two words', 'buy']) {
    expect(choose(side, 1)).toBe(true);
    expect(side.buffer.text).toBe(wanted);
  }
  choose(side, -1);
  choose(dry, 1);
  choose(lot, -1);
  expect(choose(qty, 1)).toBe(false);
  expect(formText(form)).toBe('{"side":"two words","dry":true,"qty":10,"lot":10}');
  dry.buffer.undo();
  expect(dry.buffer.text).toBe('');
});

test('names of an object prototype are ordinary names', () => {
  const odd = JSON.parse('{"properties":{"__proto__":{"type":"number"}}}');
  const form = formOf('{"__proto__":1}', odd) as Field[];
  expect(formText(form)).toBe('{"__proto__":1}');
});

test('JSON to edit shows what cannot be seen', () => {
  expect(prettyJson('{"a":"x\u202ey\u{e0041}"}')).toBe('{\n  "a": "x\\u202ey\\udb40\\udc41"\n}');
});
