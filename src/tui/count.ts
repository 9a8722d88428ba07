/** Counted things in words. */

/** `1 row`, `2 rows`; `words` may stand between the number and the noun. */
export function counted(count: number, noun: string, words = ''): string {
  return `${count} ${words === '' ? '' : `${words} `}${noun}${count === 1 ? '' : 's'}`;
}
