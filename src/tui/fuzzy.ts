/**
 * How well a few typed letters fit a name: letters in order, best at the starts of words and in runs.
 * Pure; knows nothing of what the names stand for.
 */
import { clusters } from '../cells/widths.ts';

export interface FuzzyMatch {
  /** Higher is better; to be compared only with other texts for the same query. */
  readonly score: number;
  /** The matched characters, as indexes into `clusters(text)`, rising. */
  readonly at: readonly number[];
}

/** What is beyond that many characters of a text is not looked at. */
const longest = 200;

const exactScore = 30_000;
const prefixScore = 20_000;
/** Letters in a row say a little more than as many starts of words. */
const runScore = 9;
const wordScore = 8;

/**
 * Undefined when the letters of `query` are not all in `text` in their order; case and spaces of the query
 * do not count. The whole text scores above a beginning of it, and that above letters found elsewhere.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const letters = [...clusters(text)].slice(0, longest).map((cluster) => cluster.text);
  const lower = letters.map((letter) => letter.toLowerCase());
  const wanted = [...clusters(query.toLowerCase())]
    .map((cluster) => cluster.text)
    .filter((one) => one !== ' ');
  if (wanted.length === 0) return { score: 0, at: [] };
  if (!isSubsequence(wanted, lower)) return undefined;
  const typed = query.trim().toLowerCase();
  const whole = lower.join('');
  if (whole.startsWith(typed)) {
    const end = [...clusters(typed)].length;
    const at = lower.slice(0, end).flatMap((letter, index) => (letter === ' ' ? [] : [index]));
    return { score: (whole === typed ? exactScore : prefixScore) - letters.length, at };
  }
  return best(wanted, letters, lower);
}

function isSubsequence(wanted: readonly string[], letters: readonly string[]): boolean {
  let found = 0;
  for (const letter of letters) if (letter === wanted[found]) found++;
  return found === wanted.length;
}

/** One way to place the first letters, the last of them where it stands. */
interface Placed {
  readonly score: number;
  readonly at: number;
  readonly before: Placed | undefined;
}

/** The best of all ways to find the letters; of equal ones the one further left. */
function best(wanted: readonly string[], letters: readonly string[], lower: readonly string[]): FuzzyMatch {
  const starts = letters.map((letter, index) => startsWord(letters[index - 1], letter));
  let row: (Placed | undefined)[] = [];
  wanted.forEach((letter, number) => {
    const before = row;
    row = [];
    // The best place of the letters before, as far left as the one that is looked at.
    let reached: Placed | undefined;
    lower.forEach((candidate, index) => {
      const adjacent = before[index - 1];
      if (adjacent && (!reached || adjacent.score > reached.score)) reached = adjacent;
      if (candidate !== letter || (number > 0 && !reached)) return;
      const own = 1 + (starts[index] ? wordScore : 0);
      const jumped = (reached?.score ?? 0) + own;
      const ran = adjacent ? adjacent.score + own + runScore : Number.NEGATIVE_INFINITY;
      row[index] =
        ran >= jumped
          ? { score: ran, at: index, before: adjacent }
          : { score: jumped, at: index, before: reached };
    });
  });
  let end: Placed | undefined;
  for (const placed of row) if (placed && (!end || placed.score > end.score)) end = placed;
  const at: number[] = [];
  for (let placed = end; placed; placed = placed.before) at.unshift(placed.at);
  // Shorter texts first among those that fit equally well.
  return { score: (end?.score ?? 0) * 10 - Math.min(longest, letters.length) / longest, at };
}

function startsWord(before: string | undefined, letter: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(letter)) return false;
  if (before === undefined || !/[\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Ll}/u.test(before) && /\p{Lu}/u.test(letter);
}
