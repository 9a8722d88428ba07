/**
 * Prepares a stranger's schema for ajv: measures it, and takes out what ajv would trip over or
 * remember. It works on a copy that nobody else holds, and judges no rule of JSON Schema.
 */

export interface CleaningRules {
  /** Most levels of arrays and objects. */
  deepest: number;
  /** Most values, counting every array, object, string, number, boolean and null. */
  mostNodes: number;
  /** Formats outside of this set are taken out: the standard lets an unknown one pass. */
  knownFormats: ReadonlySet<string>;
}

export type CleanSchema =
  | { ok: true; schema: Record<string, unknown> }
  | { ok: false /** Reads after "its schema". */; reason: string };

/** Their members are schemas under names of the author's choosing. */
const mapsOfSchemas = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
/** Their values are data, in which `format` or `$id` mean nothing. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);

/** @param schema a private copy, changed in place. */
export function cleanSchema(schema: Record<string, unknown>, rules: CleaningRules): CleanSchema {
  const misfit = measure(schema, rules);
  if (misfit !== undefined) return { ok: false, reason: misfit };
  const ids = [schema.$id, schema.id].filter((id) => typeof id === 'string' && id !== '') as string[];
  delete schema.$id;
  delete schema.$schema;
  const reason = clean(schema, ids, rules.knownFormats);
  return reason === undefined ? { ok: true, schema } : { ok: false, reason };
}

function measure(root: unknown, { deepest, mostNodes }: CleaningRules): string | undefined {
  const waiting = [{ value: root, depth: 1 }];
  let nodes = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (++nodes > mostNodes) return `has more than ${mostNodes} values`;
    if (value === null || typeof value !== 'object') continue;
    if (depth > deepest) return `is nested deeper than ${deepest} levels`;
    // ajv makes object literals of names, where this one would set the prototype.
    if (Object.hasOwn(value, '__proto__')) return 'names a property __proto__';
    for (const member of Object.values(value)) waiting.push({ value: member, depth: depth + 1 });
  }
  return undefined;
}

function clean(
  schema: Record<string, unknown>,
  ids: string[],
  knownFormats: ReadonlySet<string>,
): string | undefined {
  // An asynchronous validator answers with a Promise, which would pass for "valid".
  if ('$async' in schema) return 'is asynchronous ($async), which is no part of JSON Schema';
  if (typeof schema.format === 'string' && !knownFormats.has(schema.format)) delete schema.format;
  // Not keywords of these dialects; ajv throws on the first, and on the second without a type.
  delete schema.id;
  if (schema.type === undefined) delete schema.nullable;
  for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const ref = schema[key];
    const own = ids.find(
      (id) => ref === id || (typeof ref === 'string' && ref.startsWith(`${id.replace(/#$/, '')}#`)),
    );
    if (own !== undefined) schema[key] = `#${(ref as string).split('#')[1] ?? ''}`;
  }
  for (const [key, value] of Object.entries(schema)) {
    if (value === null || typeof value !== 'object' || dataKeywords.has(key)) continue;
    const inside = mapsOfSchemas.has(key) || Array.isArray(value) ? Object.values(value) : [value];
    for (const member of inside) {
      if (member === null || typeof member !== 'object' || Array.isArray(member)) continue;
      const reason = clean(member as Record<string, unknown>, ids, knownFormats);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}
