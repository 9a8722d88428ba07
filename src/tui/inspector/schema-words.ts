/** What a tool's argument may be, in a few words made from its JSON Schema. Never validates anything. */
import { visible } from '../../cells/visible.ts';

/** How deep nested schemas are told. */
const depth = 3;

/** `"buy" | "sell"`, `integer 1..500`, `list of string`; `anything` where the schema does not say. */
export function schemaWords(schema: unknown, level = 0): string {
  if (schema === true || !isObject(schema)) return schema === false ? 'nothing' : 'anything';
  if (level >= depth) return '…';
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
  if ('const' in schema) return literal(schema.const);
  for (const key of ['anyOf', 'oneOf'] as const) {
    const choices = schema[key];
    if (Array.isArray(choices)) return choices.map((choice) => schemaWords(choice, level + 1)).join(' | ');
  }
  if (typeof schema.$ref === 'string') return visible(schema.$ref.split('/').at(-1) ?? '');
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => typeWords(type, schema, level)).join(' | ');
}

function typeWords(type: unknown, schema: Record<string, unknown>, level: number): string {
  switch (type) {
    case 'integer':
    case 'number':
      return joined(
        type,
        range(numberOf(schema.minimum), numberOf(schema.maximum)),
        bounds(schema),
        multiple(schema),
      );
    case 'string':
      return joined(
        'string',
        typeof schema.format === 'string' ? `(${visible(schema.format)})` : '',
        lengths(schema.minLength, schema.maxLength, 'characters'),
        typeof schema.pattern === 'string' ? `like ${visible(schema.pattern)}` : '',
      );
    case 'array':
      return joined(
        schema.items === undefined ? 'list' : `list of ${schemaWords(schema.items, level + 1)}`,
        lengths(schema.minItems, schema.maxItems, 'items'),
      );
    case 'object': {
      const names = isObject(schema.properties) ? Object.keys(schema.properties).map(visible) : [];
      return names.length > 0 ? `{ ${names.join(', ')} }` : 'object';
    }
    case 'boolean':
      return 'true | false';
    case 'null':
      return 'null';
    default:
      return 'anything';
  }
}

function bounds({ exclusiveMinimum: above, exclusiveMaximum: below }: Record<string, unknown>): string {
  return joined(numberOf(above) ? `above ${above}` : '', numberOf(below) ? `below ${below}` : '');
}

function multiple({ multipleOf }: Record<string, unknown>): string {
  return typeof multipleOf === 'number' ? `in steps of ${multipleOf}` : '';
}

function lengths(least: unknown, most: unknown, noun: string): string {
  const words = range(numberOf(least), numberOf(most));
  return words && `${words} ${noun}`;
}

function range(least: string, most: string): string {
  if (least && most) return `${least}..${most}`;
  if (least) return `from ${least}`;
  return most && `up to ${most}`;
}

function numberOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

function literal(value: unknown): string {
  return visible(JSON.stringify(value) ?? '');
}

function joined(...words: string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface ArgumentWords {
  /** Made visible. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** The arguments a tool's schema declares, in its order. */
export function argumentsOf(schema: unknown): ArgumentWords[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schema.properties).map(([name, property]) => ({
    name: visible(name),
    type: schemaWords(property),
    required: required.has(name),
    description:
      isObject(property) && typeof property.description === 'string' ? visible(property.description) : '',
  }));
}
