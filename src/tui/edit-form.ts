/**
 * Arguments as a form: one field for each property of a flat object. Pure; turns JSON into fields and
 * fields into JSON. What the fields mean to the tool is for the host to judge.
 */
import { visible } from '../cells/visible.ts';
import type { Json } from '../protocol/messages.ts';
import { TextBuffer } from './editor.ts';
import { isObject, schemaWords } from './inspector/schema-words.ts';

type FieldType = 'string' | 'number' | 'boolean';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly buffer: TextBuffer;
  /** What stood there before; undefined: the argument was not given. */
  readonly before: string | undefined;
  /** All it may be, by its schema, where that is a list; as typed. */
  readonly choices: readonly string[];
  /** What it may be, in words of which those from the schema are made visible; empty when there is nothing to say. */
  readonly hint: string;
  /** The argument is left out. */
  absent: boolean;
}

/** Longer strings are edited as JSON text. */
const longestField = 500;
/** Of longer lists only the first values are told. */
const mostTold = 30;

/** Undefined when a form would not do: nested or undeclared values, mixed types, long or broken strings. */
export function formOf(argumentsText: string, schema: unknown): Field[] | undefined {
  const value = JSON.parse(argumentsText) as Json;
  if (!isObject(value) || !isObject(schema) || !isObject(schema.properties)) return undefined;
  const properties = Object.entries(schema.properties);
  const declared = new Set(properties.map(([name]) => name));
  if (properties.length === 0 || Object.keys(value).some((name) => !declared.has(name))) return undefined;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields: Field[] = [];
  for (const [name, property] of properties) {
    const type = fieldType(property);
    const given = Object.hasOwn(value, name);
    const old = given ? value[name] : undefined;
    if (type === undefined || (given && !isOf(type, old))) return undefined;
    fields.push({
      name,
      type,
      required: required.has(name),
      buffer: new TextBuffer(given ? String(old) : ''),
      before: given ? String(old) : undefined,
      choices: choicesOf(type, property),
      hint: hintOf(type, property),
      absent: !given,
    });
  }
  return fields;
}

function fieldType(property: unknown): FieldType | undefined {
  if (!isObject(property)) return undefined;
  if (property.type === 'integer' || property.type === 'number') return 'number';
  if (property.type === 'string' || property.type === 'boolean') return property.type;
  if (property.type !== undefined || !Array.isArray(property.enum)) return undefined;
  return property.enum.every((value) => typeof value === 'string') ? 'string' : undefined;
}

function choicesOf(type: FieldType, property: unknown): string[] {
  if (!isObject(property)) return [];
  const listed = 'const' in property ? [property.const] : property.enum;
  if (Array.isArray(listed)) return listed.filter((value) => isOf(type, value)).map(String);
  return type === 'boolean' ? ['true', 'false'] : [];
}

function hintOf(type: FieldType, property: unknown): string {
  const choices = choicesOf(type, property);
  if (type === 'boolean' && choices.length === 2) return 'true or false';
  const words = choices
    .slice(0, mostTold)
    .map((choice) => (/^[\w.:/-]+$/.test(choice) ? choice : visible(JSON.stringify(choice))));
  if (choices.length > mostTold) words.push('…');
  if (words.length > 0) return words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`;
  if (type !== 'number') return '';
  const range = schemaWords(property);
  return range === 'number' || range === 'integer' ? '' : range;
}

/** Puts the choice after the present one into the field, or the one before; false when it has none. */
export function choose(field: Field, by: 1 | -1): boolean {
  const { choices, buffer } = field;
  if (choices.length === 0) return false;
  const at = choices.indexOf(buffer.text);
  const next = at < 0 ? (by > 0 ? 0 : choices.length - 1) : (at + by + choices.length) % choices.length;
  buffer.replace(choices[next] as string);
  buffer.lineEnd();
  field.absent = false;
  return true;
}

function isOf(type: FieldType, value: unknown): boolean {
  if (typeof value !== type) return false;
  return (
    typeof value !== 'string' || (value.length <= longestField && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value))
  );
}

/** The arguments as JSON; what is no JSON value of its type goes in as a string, for the host to complain about. */
export function formText(fields: readonly Field[]): string {
  // Put together as text: a property named __proto__ stays one.
  const members = fields
    .filter(({ absent }) => !absent)
    .map(({ name, type, buffer }) => `${JSON.stringify(name)}:${literal(type, buffer.text)}`);
  return `{${members.join(',')}}`;
}

function literal(type: FieldType, text: string): string {
  const trimmed = text.trim();
  if (type === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(trimmed)) return trimmed;
  if (type === 'boolean' && (trimmed === 'true' || trimmed === 'false')) return trimmed;
  return JSON.stringify(text);
}

/** After a change of its text: a field of numbers or truths that is empty is left out. */
export function settle(field: Field): void {
  field.absent = field.buffer.text === '' && (field.type !== 'string' || field.absent);
}
