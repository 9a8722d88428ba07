/**
 * Wire objects of Tick protocol 3 (tick section 1). Types only, plus the table of error codes:
 * what is checked, and when, belongs to `session/`.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface Tool {
  name: string;
  description: string;
  /** A JSON Schema, always an object (tick H-5.3-1e). */
  input_schema: JsonObject;
  /** True when a call may alter anything besides what it returns (tick T-5.6-1). */
  mutates: boolean;
}

export interface Series {
  /** JSON Pointer to an array inside the state's data. */
  path: string;
  newest: 'first' | 'last';
}

export interface Descriptor {
  protocol: number;
  kind: string;
  title: string;
  description: string;
  /** Opaque, compared for equality only (tick H-5.5-1). */
  revision: string;
  tools: Tool[];
  /** A tool with `mutates: false` through which missed changes can be had (tick H-5.3-1f). */
  recover_with?: string;
  state?: { series?: Series[] };
}

export interface State {
  /** 0 to 2^53-1. */
  seq: number;
  data: Json;
  /** RFC 3339. */
  at?: string;
}

export interface ErrorObject {
  code: number;
  message: string;
  data?: Json;
}

export const methods = {
  describe: 'tick/describe',
  read: 'tick/read',
  call: 'tick/call',
  update: 'tick/update',
} as const;

/** Error codes with a meaning of their own (tick 3.4, table B). */
export const errorCodes = {
  staleRevision: -32004,
  badArguments: -32602,
  unknownMethod: -32601,
  toolFailed: -32000,
  internal: -32603,
} as const;

const notExecuted = new Set<number>([
  errorCodes.staleRevision,
  errorCodes.badArguments,
  errorCodes.unknownMethod,
]);

/**
 * Whether a call that was answered with `code` may have changed something (tick H-3.4-1).
 * Whatever is not on the short list may have: the unsafe guess would be "not executed".
 */
export function mayHaveHadEffect(code: number): boolean {
  return !notExecuted.has(code);
}
