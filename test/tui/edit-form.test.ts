import { expect, test } from 'vitest';
import { type Field, formOf, formText, settle } from '../../src/tui/edit-form.ts';
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

test('names of an object prototype are ordinary names', () => {
  const odd = JSON.parse('{"properties":{"__proto__":{"type":"number"}}}');
  const form = formOf('{"__proto__":1}', odd) as Field[];
  expect(formText(form)).toBe('{"__proto__":1}');
});

test('JSON to edit shows what cannot be seen', () => {
  expect(prettyJson('{"a":"x\u202ey\u{e0041}"}')).toBe('{\n  "a": "x\\u202ey\\udb40\\udc41"\n}');
});
