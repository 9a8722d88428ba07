/**
 * Predicates for parsed JSON (tick section 1). No rule about any message is here.
 */

import type { Json, JsonObject } from '../protocol/messages.ts';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** From -(2^53)+1 to 2^53-1; `1.0` counts. */
export function isInteger(value: Json | undefined): value is number {
  return Number.isSafeInteger(value);
}

export function isUinteger(value: Json | undefined): value is number {
  return isInteger(value) && value >= 0;
}
