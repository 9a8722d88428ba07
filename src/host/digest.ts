/**
 * Freezing: what an approval is bound to, as canonical JSON (RFC 8785) and its digest.
 * The canonical text of the arguments is also what is sent, byte for byte.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Json, JsonObject } from '../protocol/messages.ts';
import type { CallKind } from '../rpc/api/calls.ts';

/** A tool as the person who approves was shown it; a change in any of it voids the approval. */
export interface Declaration {
  name: string;
  description: string;
  input_schema: JsonObject;
  mutates: boolean;
}

export interface Frozen {
  kind: CallKind;
  instance: string | undefined;
  /** Counts the starts of the instance's program: an approval never survives a restart. */
  incarnation: number;
  command: readonly string[] | undefined;
  declaration: Declaration | undefined;
  tool: string;
  revision: string | undefined;
  argumentsText: string;
  agent: string;
}

/** Canonical JSON text of a value that came out of JSON.parse. */
export function canonical(value: Json): string {
  // biome-ignore lint/suspicious/noExplicitAny: the package's types are CommonJS-shaped under NodeNext
  return (canonicalize as any)(value) as string;
}

/**
 * SHA-256 as 64 hexadecimal digits over the canonical JSON of all members but the arguments, a
 * newline, and the text of the arguments.
 */
export function digestOf(frozen: Frozen): string {
  // Named one by one: what is passed in may hold more than an approval is bound to.
  const { kind, instance, incarnation, command, declaration, tool, revision, argumentsText, agent } = frozen;
  const bound = { kind, instance, incarnation, command, declaration, tool, revision, agent };
  const text = canonical(JSON.parse(JSON.stringify(bound)) as Json);
  return createHash('sha256').update(text).update('\n').update(argumentsText).digest('hex');
}
