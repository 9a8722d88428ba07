/**
 * The chain through the journal: each record carries a hash over itself and the hash before it, so that one
 * that is changed, left out or put in shows. Pure; it keeps nobody out who may write the file anew as a whole.
 */
import { createHash } from 'node:crypto';

/** What the first record of all is chained to. */
export const firstLink = '';

export interface SealedRecord {
  /** The record as it is written, without its newline. */
  line: string;
  /** What the next record is chained to: 64 hexadecimal digits. */
  link: string;
}

/** @param body a JSON object with at least one member, as `JSON.stringify` writes it */
export function seal(body: string, before: string): SealedRecord {
  const link = hash(before, body);
  return { line: `${body.slice(0, -1)},"chain":"${link}"}`, link };
}

const sealed = /^(.*),"chain":"([0-9a-f]{64})"\}$/s;

/** The hash a line carries, and whether it is the one it should carry after `before`. */
export function readLink(line: string, before: string): { link: string | undefined; intact: boolean } {
  const parts = sealed.exec(line);
  if (!parts) return { link: undefined, intact: false };
  const [, body = '', link = ''] = parts;
  return { link, intact: hash(before, `${body}}`) === link };
}

function hash(before: string, body: string): string {
  return createHash('sha256').update(before).update(body).digest('hex');
}
