/**
 * Rows as text that people and agents read: no attributes, no trailing blanks.
 * Keeps what the program wrote; making it safe to show is `visible`'s work.
 */
import { content, type Row, wordsPerCell } from './row.ts';

/** The characters of a row; trailing blanks are left out unless `keepTrailing`. */
export function rowText(row: Row, keepTrailing = false): string {
  const { words, joined } = row;
  let text = '';
  for (let o = 0; o < words.length; o += wordsPerCell) {
    const word = words[o] as number;
    if (word & content.joined) text += joined?.[o / wordsPerCell] ?? ' ';
    else if (word >>> content.widthShift > 0) text += String.fromCodePoint(word & content.codePoint);
  }
  return keepTrailing ? text : text.slice(0, text.length - trailingSpaces(text));
}

/** How many spaces end a text. (A pattern anchored at the end takes time by the square of the spaces.) */
export function trailingSpaces(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return text.length - end;
}

/** Rows as lines: a row that continues the one above it is joined to it, as the program wrote it. */
export function rowsText(rows: readonly Row[]): string {
  let text = '';
  rows.forEach((row, y) => {
    if (y > 0 && !row.wrapped) text += '\n';
    text += rowText(row, rows[y + 1]?.wrapped ?? false);
  });
  return text;
}
