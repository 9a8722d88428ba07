/**
 * Rows as text that people and agents read: no attributes, no trailing blanks.
 * Keeps what the program wrote; making it safe to show is `visible`'s work.
 */
import { content, type Row, wordsPerCell } from './row.ts';

/** The characters of the cell in column `x`; none for the right half of a wide one. */
function cellText({ words, joined }: Row, x: number): string {
  const word = words[x * wordsPerCell] as number;
  if (word & content.joined) return joined?.[x] ?? ' ';
  return word >>> content.widthShift > 0 ? String.fromCodePoint(word & content.codePoint) : '';
}

/** The characters from column `from` to before `to`, with all blanks. */
export function columnsText(row: Row, from: number, to: number): string {
  let text = '';
  for (let x = from; x < to; x++) text += cellText(row, x);
  return text;
}

/** The characters of a row; trailing blanks are left out unless `keepTrailing`. */
export function rowText(row: Row, keepTrailing = false): string {
  const text = columnsText(row, 0, row.words.length / wordsPerCell);
  return keepTrailing ? text : text.slice(0, text.length - trailingSpaces(text));
}

/** The text of a row, and the column in which each of its UTF-16 units stands. */
export function rowUnits(row: Row): { text: string; columns: number[] } {
  const columns: number[] = [];
  let text = '';
  for (let x = 0; x * wordsPerCell < row.words.length; x++) {
    text += cellText(row, x);
    while (columns.length < text.length) columns.push(x);
  }
  return { text, columns };
}

/** Columns in which `text` begins in a row, each with the column after its end; case as `find` of the host has it. */
export function matchesIn(row: Row, text: string): { from: number; to: number }[] {
  const units = rowUnits(row);
  const folded = text === text.toLowerCase();
  // Lower case of some letters is longer: then units and columns would part, and it is looked at as it is.
  const lower = folded ? units.text.toLowerCase() : units.text;
  const searched = lower.length === units.text.length ? lower : units.text;
  const matches: { from: number; to: number }[] = [];
  for (let at = searched.indexOf(text); at >= 0; at = searched.indexOf(text, at + text.length)) {
    const from = units.columns[at] as number;
    const to = units.columns[at + text.length] ?? row.words.length / wordsPerCell;
    matches.push({ from, to });
  }
  return matches;
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
