/**
 * What of a call's arguments may be written down: everything but values whose schema marks them as
 * secret (`writeOnly: true` or `format: "password"`), which become a fixed word.
 */
import type { Json, JsonObject } from '../protocol/messages.ts';

export const redacted = '[not recorded]';

/** A copy of `value` in which members marked secret by `schema` are replaced. */
export function redact(value: Json, schema: Json | undefined, depth = 0): Json {
  if (!isObject(schema) || depth > 64) return value;
  if (schema.writeOnly === true || schema.format === 'password') return redacted;
  const branches = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  let result = value;
  if (Array.isArray(result)) {
    result = result.map((item) => redact(item, schema.items, depth + 1));
  } else if (isObject(result)) {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const others = isObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
    result = Object.fromEntries(
      Object.entries(result).map(([key, item]) => [
        key,
        redact(item, Object.hasOwn(properties, key) ? properties[key] : others, depth + 1),
      ]),
    );
  }
  for (const branch of branches) result = redact(result, branch, depth + 1);
  return result;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
