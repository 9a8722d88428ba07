/** JSON Pointers (RFC 6901), as far as the host writes them. */

/** One member's name as a segment of a pointer. */
export function escapeSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
