/**
 * Which values of a state an update changed, as JSON Pointers: what the inspector marks.
 * Bounded in work and result, since a Tick decides how large its state is.
 */
import type { Json } from '../protocol/messages.ts';
import { escapeSegment } from './pointer.ts';

const maxPointers = 200;
const maxVisits = 20_000;

/** Pointers of leaves and of added members of `after` that differ from `before`; at most 200. */
export function changedPointers(before: Json | undefined, after: Json): string[] {
  if (before === undefined) return [];
  const found: string[] = [];
  let visits = 0;
  const visit = (old: Json | undefined, now: Json, pointer: string): void => {
    if (found.length >= maxPointers || ++visits > maxVisits || old === now) return;
    if (isBranch(now) && isBranch(old) && Array.isArray(now) === Array.isArray(old)) {
      for (const key of Object.keys(now)) {
        visit(member(old, key), member(now, key) as Json, `${pointer}/${escapeSegment(key)}`);
      }
    } else {
      found.push(pointer);
    }
  };
  visit(before, after, '');
  return found;
}

function isBranch(value: Json | undefined): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

function member(value: Json[] | { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? (value as Record<string, Json>)[key] : undefined;
}
