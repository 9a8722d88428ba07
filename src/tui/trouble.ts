/** What keeps calls from being dispatched, in words. Knows no keys. */
import { visible } from '../cells/visible.ts';
import type { Picture } from '../rpc/api/session.ts';

/** One sentence without its full stop each; the one that a person can end comes first. */
export function troubles({ stopped, problem }: Picture): string[] {
  const words: string[] = [];
  if (stopped) words.push(`All dispatching is stopped, by ${visible(stopped.by)}`);
  if (problem !== undefined) words.push(visible(problem).replace(/\.$/, ''));
  return words;
}
