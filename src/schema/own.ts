/**
 * Compiles the schemas of our own messages. They are trusted: no bounds, no deadline.
 */

import { type AnyAjv, newAjv } from './ajv.ts';
import { type Complaint, toComplaints } from './complaints.ts';

let shared: AnyAjv | undefined;

/**
 * @param schema a JSON Schema, as TypeBox makes them; compiled at the first check.
 * @returns what is wrong with a value; empty when it fits. Nothing is coerced or filled in.
 */
export function compileOwnSchema(schema: object): (value: unknown) => Complaint[] {
  let validate: ReturnType<AnyAjv['compile']> | undefined;
  return (value) => {
    shared ??= newAjv('draft-07', { strict: false, validateSchema: false, logger: false, allErrors: true });
    validate ??= shared.compile(schema);
    return validate(value) ? [] : toComplaints(validate.errors ?? []);
  };
}
