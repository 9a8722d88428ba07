/** Splits a command line into words as a shell would, without expanding anything. */

/** Undefined when a quote is not closed. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    if (quote === "'" ? char === "'" : quote === '"' && char === '"') {
      quote = '';
    } else if (quote === "'") {
      word += char;
    } else if (char === '\\' && at + 1 < line.length) {
      word = (word ?? '') + line[++at];
    } else if (quote === '"') {
      word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= '';
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
