/**
 * Owns a Tick's tools: their declarations, the revision that names them, and the check of arguments.
 * Never runs a tool.
 */
import { createHash } from 'node:crypto';
import type { Json, JsonObject, Tool } from '../protocol/messages.ts';
import { type Complaint, compileForeignSchema } from '../schema/index.ts';
import { encode } from './encode.ts';

/** One tool as its author writes it; the name is its key in {@link Tools}. */
export interface ToolDefinition {
  /** What it does, for a model that decides whether to call it and a person who approves. */
  description: string;
  /** JSON Schema of the arguments: an object schema. */
  input: JsonObject;
  /** True when a call can alter anything besides what it returns. Approval hangs on this (tick T-10-1). */
  mutates: boolean;
  /**
   * Runs with arguments that fit `input`. The value returned, or its promise's, is the result; undefined is
   * sent as null. Throw {@link NotExecuted} only before the first effect; anything else thrown is reported
   * as "may have had an effect".
   */
  run(args: JsonObject): Json | undefined | Promise<Json | undefined>;
}

export type Tools = Readonly<Record<string, ToolDefinition>>;

/** Thrown by a tool to say that the call had no effect at all, for a reason the schema cannot express. */
export class NotExecuted extends Error {
  override name = 'NotExecuted';
}

interface Entry {
  readonly definition: ToolDefinition;
  /** Empty when `args` fit. */
  check(args: JsonObject): Complaint[];
}

export interface Catalogue {
  /** Derived from the declarations, so another catalogue always has another one (tick T-5.5-1). */
  readonly revision: string;
  readonly tools: readonly Tool[];
  find(name: string): Entry | undefined;
}

/** Throws a TypeError that names the tool when a declaration could not pass a host. */
export function createCatalogue(tools: Tools, recoverWith: string | undefined): Catalogue {
  const entries = new Map<string, Entry>();
  const declared: Tool[] = [];
  for (const [name, definition] of Object.entries(tools)) {
    if (name.trim() === '') throw new TypeError('A tool has an empty name; give it one.');
    entries.set(name, { definition, check: (args) => checkArguments(definition.input, args) });
    const { description, input, mutates } = definition;
    declared.push({ name, description, input_schema: input, mutates });
  }
  if (recoverWith !== undefined && entries.get(recoverWith)?.definition.mutates !== false) {
    throw new TypeError(`recoverWith names ${recoverWith}, which must be a tool with mutates: false.`);
  }
  const revision = createHash('sha256').update(encode(declared)).digest('hex').slice(0, 12);
  return { revision, tools: declared, find: (name) => entries.get(name) };
}

/**
 * Compiles at the first call and not before: a Tick that nobody calls starts in a third of the time. A schema
 * that cannot be compiled is reported by the host, which refuses it with the descriptor (tick H-5.3-1e).
 */
function checkArguments(schema: JsonObject, args: JsonObject): Complaint[] {
  const compiled = compileForeignSchema(schema);
  if (compiled.ok) return compiled.check(args);
  return [{ path: '', message: `cannot be checked, because the tool's schema ${compiled.reason}` }];
}
