/**
 * What of a call's arguments may be written down: everything but values whose schema marks them as
 * secret (`writeOnly: true` or `format: "password"`), which become a fixed word. In doubt it is secret.
 */
import type { Json, JsonObject } from '../protocol/messages.ts';

export const redacted = '[not recorded]';

/** Looks at a schema for a value; a stranger's schema could ask for millions. The rest is not recorded. */
const mostLooks = 50_000;

/** Keywords whose schema, or schemas in a list, are about the same value. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'];
/** The same, by names that are no members. */
const inPlaceByName = ['dependentSchemas', 'dependencies'];
const references = ['$ref', '$dynamicRef', '$recursiveRef'];
/** About members by name or pattern, and about members of any name. */
const byPattern = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'];
const aboutItems = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'];

/** A copy of `value` in which what is marked secret by `schema` is replaced. */
export function redact(value: Json, schema: Json | undefined): Json {
  return new Redaction(schema).run(value, schema === undefined ? [] : [schema]);
}

class Redaction {
  readonly #root: Json | undefined;
  #looks = 0;

  constructor(root: Json | undefined) {
    this.#root = root;
  }

  run(value: Json, schemas: readonly Json[]): Json {
    const all = this.#applying(schemas);
    if (!all || [...all].some((one) => one.writeOnly === true || one.format === 'password')) return redacted;
    if (all.size === 0 || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = [...all].flatMap((one) => aboutItems.flatMap((key) => listOf(one[key])));
      return value.map((item) => this.run(item, items));
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.run(member, memberSchemas(all, key))]),
    );
  }

  /** Every schema that has a say on one value; undefined when that cannot be told. */
  #applying(schemas: readonly Json[]): Set<JsonObject> | undefined {
    const all = new Set<JsonObject>();
    const waiting = [...schemas];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!isObject(next) || all.has(next)) continue;
      if (++this.#looks > mostLooks) return undefined;
      all.add(next);
      for (const key of inPlace) waiting.push(...listOf(next[key]));
      for (const key of inPlaceByName) if (isObject(next[key])) waiting.push(...Object.values(next[key]));
      for (const key of references) {
        if (next[key] === undefined) continue;
        const target = this.#resolve(next[key]);
        if (target === undefined) return undefined;
        waiting.push(target);
      }
    }
    return all;
  }

  /** What a reference into the schema itself means. */
  #resolve(reference: Json): Json | undefined {
    if (typeof reference !== 'string' || this.#root === undefined) return undefined;
    const [base, fragment = ''] = reference.split('#');
    // Some other schema, as far as is known here.
    if (base !== '' && (!isObject(this.#root) || base !== this.#root.$id)) return undefined;
    if (fragment === '') return this.#root;
    if (!fragment.startsWith('/')) return this.#anchor(fragment);
    let found: Json | undefined = this.#root;
    for (const part of fragment.slice(1).split('/')) {
      const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
      found = (found as JsonObject)[name];
    }
    return found;
  }

  #anchor(name: string): Json | undefined {
    const waiting: (Json | undefined)[] = [this.#root];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (typeof next !== 'object' || next === null) continue;
      if (
        isObject(next) &&
        (next.$anchor === name || next.$dynamicAnchor === name || next.$id === `#${name}`)
      )
        return next;
      waiting.push(...Object.values(next));
    }
    return undefined;
  }
}

function memberSchemas(schemas: Iterable<JsonObject>, key: string): Json[] {
  return [...schemas].flatMap((schema) => {
    const { properties } = schema;
    if (isObject(properties) && Object.hasOwn(properties, key)) {
      // A pattern is not tried: what it says about some names it is taken to say about all.
      return [properties[key] as Json, ...listOf(schema.patternProperties, true)];
    }
    return byPattern.flatMap((keyword) => listOf(schema[keyword], keyword === 'patternProperties'));
  });
}

/** Schemas in a keyword's value: one, several, or several by name. */
function listOf(value: Json | undefined, named = false): Json[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return named ? Object.values(value) : [value];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
