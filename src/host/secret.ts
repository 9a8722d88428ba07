/** Secrets the host gives out: only their hashes are kept and written down. */
import { createHash, randomBytes } from 'node:crypto';

export function makeSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** SHA-256 as hexadecimal digits; the secrets are random, so nothing slower is needed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
