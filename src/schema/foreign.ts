/**
 * Compiles JSON Schemas written by strangers: bounded in size, cleaned of what would trip ajv, and
 * run under a deadline. It never changes the schema it is given, nor fetches anything.
 */

import { createHash } from 'node:crypto';
import type { ErrorObject, Options } from 'ajv';
import { type AnyAjv, type Dialect, newAjv } from './ajv.ts';
import { cleanSchema } from './clean.ts';
import { type Complaint, toComplaints } from './complaints.ts';
import { withinDeadline, withinDeadlineAgain } from './deadline.ts';

export type CompiledSchema =
  | {
      ok: true;
      /** Empty when `value` fits. A value that takes longer than 500 ms to check does not fit. */
      check(value: unknown): Complaint[];
    }
  | { ok: false /** Reads after "its schema", for example "is larger than 64 KiB". */; reason: string };

const largestSchema = 64 * 1024;
const deepestSchema = 64;
const mostNodes = 5_000;
const compileMs = 1_000;
const checkMs = 500;
const mostCached = 256;

const options: Options = {
  strict: false,
  // Done by hand, so that a schema is judged by its own dialect after cleaning.
  validateSchema: false,
  logger: false,
  // Patterns get their flags in `compilePattern`.
  unicodeRegExp: false,
  ownProperties: true,
  allErrors: true,
  code: { regExp: Object.assign(compilePattern, { code: 'new RegExp' }) },
};

const dialects: Record<string, Dialect> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
  // Everything draft-06 can say means the same in draft-07.
  'json-schema.org/draft-06/schema': 'draft-07',
};

const tooSlow: CompiledSchema = { ok: false, reason: 'takes more than a second to compile' };

/** Least recently used first. Keyed by content: a Tick that describes itself again costs one hash. */
const cache = new Map<string, CompiledSchema>();
/** One a dialect, used only to judge schemas, which leaves nothing behind in it. */
const judges = new Map<Dialect, AnyAjv>();

/**
 * Dialect: what `$schema` names (2020-12, 2019-09, draft-07, draft-06), else 2020-12. Refused besides
 * invalid schemas: anything but an object, `$async`, members named `__proto__`, a `$ref` that points
 * outside, more than 64 KiB, 64 levels or 5,000 values, more than a second of compiling.
 */
export function compileForeignSchema(schema: unknown): CompiledSchema {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) {
    return { ok: false, reason: 'is not an object' };
  }
  let text: string;
  try {
    text = JSON.stringify(schema);
  } catch {
    return { ok: false, reason: 'is not JSON' };
  }
  if (Buffer.byteLength(text) > largestSchema) return { ok: false, reason: 'is larger than 64 KiB' };

  const key = createHash('sha256').update(text).digest('base64');
  const compiled = cache.get(key) ?? compile(JSON.parse(text) as Record<string, unknown>);
  // Not kept: it may say more about a busy machine than about the schema.
  if (compiled === tooSlow) return compiled;
  cache.delete(key);
  cache.set(key, compiled);
  if (cache.size > mostCached) cache.delete(cache.keys().next().value!);
  return compiled;
}

function compile(schema: Record<string, unknown>): CompiledSchema {
  const dialect = dialectOf(schema);
  if (dialect === undefined) {
    return {
      ok: false,
      reason: 'names a dialect ($schema) other than 2020-12, 2019-09, draft-07 or draft-06',
    };
  }
  const judge = judgeOf(dialect);
  const clean = cleanSchema(schema, {
    deepest: deepestSchema,
    mostNodes,
    knownFormats: new Set(Object.keys(judge.formats)),
  });
  if (!clean.ok) return clean;
  try {
    const done = withinDeadline(compileMs, () => {
      if (judge.validateSchema(clean.schema) !== true) {
        return { ok: false as const, reason: judgement(judge.errors ?? []) };
      }
      // A fresh one each: ajv remembers ids for ever, and two strangers may use the same. (Without
      // `addUsedSchema` it remembers less, but then `$ref: "#"` is not resolved.)
      return { ok: true as const, validate: newAjv(dialect, options).compile(clean.schema) };
    });
    if (done === undefined) {
      judges.delete(dialect);
      return tooSlow;
    }
    if (!done.value.ok) return done.value;
    const { validate } = done.value;
    return { ok: true, check: (value) => checkValue(validate, value) };
  } catch (error) {
    return { ok: false, reason: `is not valid: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function checkValue(validate: { (value: unknown): unknown; errors?: ErrorObject[] | null }, value: unknown) {
  const tooMuch: Complaint[] = [{ path: '', message: 'could not be checked against its schema in time' }];
  try {
    const done = withinDeadlineAgain(checkMs, () => validate(value));
    if (done === undefined) return tooMuch;
    return done.value === true ? [] : toComplaints(validate.errors ?? []);
  } catch {
    // A schema that refers to itself without consuming anything exhausts the stack.
    return tooMuch;
  } finally {
    validate.errors = null;
  }
}

function dialectOf({ $schema }: Record<string, unknown>): Dialect | undefined {
  if ($schema === undefined) return '2020-12';
  if (typeof $schema !== 'string') return undefined;
  const name = $schema.replace(/^https?:\/\//, '').replace(/#$/, '');
  return Object.hasOwn(dialects, name) ? dialects[name] : undefined;
}

function judgeOf(dialect: Dialect): AnyAjv {
  let judge = judges.get(dialect);
  if (!judge) {
    judge = newAjv(dialect, options);
    // Compiles the dialect's own schema now, outside of the deadline of whoever comes first.
    judge.validateSchema({});
    judges.set(dialect, judge);
  }
  return judge;
}

function judgement(errors: readonly ErrorObject[]): string {
  const [first] = toComplaints(errors);
  return first ? `is not valid: ${first.path || 'it'} ${first.message}` : 'is not valid';
}

/** The standard asks for Unicode patterns; many are written for the older syntax, and mean that. */
function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
