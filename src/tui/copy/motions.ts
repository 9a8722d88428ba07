/** Where vi's keys of movement lead from a cell. Pure; rows that are not there yet are empty. */
import type { Row } from '../../cells/row.ts';
import { rowText, rowUnits } from '../../cells/text.ts';
import type { Cell } from './selection.ts';

/** What is moved over. */
export interface Ground {
  readonly first: number;
  /** After the last row. */
  readonly end: number;
  readonly cols: number;
  /** Words end at blanks alone. */
  readonly blanksOnly?: boolean;
  at(row: number): Row | undefined;
}

const motions = [
  'left',
  'right',
  'line-start',
  'line-end',
  'first-character',
  'word',
  'word-end',
  'word-back',
  'big-word',
  'big-word-end',
  'big-word-back',
  'paragraph',
  'paragraph-back',
] as const;
export type Motion = (typeof motions)[number];

export function isMotion(action: string): action is Motion {
  return (motions as readonly string[]).includes(action);
}

export function move(from: Cell, motion: Motion, ground: Ground): Cell {
  switch (motion) {
    case 'left':
      return { ...from, column: Math.max(0, from.column - 1) };
    case 'right':
      return { ...from, column: Math.min(ground.cols - 1, from.column + 1) };
    case 'line-start':
      return { ...from, column: 0 };
    case 'line-end':
      return { ...from, column: Math.max(0, cellsOf(from.row, ground).length - 1) };
    case 'first-character':
      return {
        ...from,
        column: Math.max(
          0,
          cellsOf(from.row, ground).findIndex((kind) => kind !== ' '),
        ),
      };
    case 'word':
      return nextWord(from, ground);
    case 'word-end':
      return wordEnd(from, ground);
    case 'word-back':
      return wordBack(from, ground);
    case 'big-word':
      return nextWord(from, byBlanks(ground));
    case 'big-word-end':
      return wordEnd(from, byBlanks(ground));
    case 'big-word-back':
      return wordBack(from, byBlanks(ground));
    case 'paragraph':
    case 'paragraph-back':
      return paragraph(from, motion === 'paragraph' ? 1 : -1, ground);
  }
}

function byBlanks(ground: Ground): Ground {
  const { first, end, cols } = ground;
  return { first, end, cols, at: (row) => ground.at(row), blanksOnly: true };
}

/** What stands in each column up to the last character: `a` for words, `.` for other signs, a space. */
function cellsOf(number: number, ground: Ground): string[] {
  const row = ground.at(number);
  if (!row) return [];
  const length = rowText(row).length;
  const { text, columns } = rowUnits(row);
  const kinds: string[] = [];
  for (let unit = 0; unit < length; unit++) {
    const character = text[unit] as string;
    const isLetter = ground.blanksOnly || /[\p{L}\p{N}\p{M}\p{Cs}_]/u.test(character);
    const kind = character === ' ' ? ' ' : isLetter ? 'a' : '.';
    const column = columns[unit] as number;
    // The right half of a wide character is of its kind.
    while (kinds.length < column) kinds.push(kinds.at(-1) ?? ' ');
    kinds[column] = kind;
  }
  return kinds;
}

function nextWord({ row, column }: Cell, ground: Ground): Cell {
  const kinds = cellsOf(row, ground);
  const kind = kinds[column] ?? ' ';
  let x = column;
  while (x < kinds.length && kind !== ' ' && kinds[x] === kind) x++;
  for (let y = row; y < ground.end; y++) {
    const here = y === row ? kinds : cellsOf(y, ground);
    for (let at = y === row ? x : 0; at < here.length; at++)
      if (here[at] !== ' ') return { row: y, column: at };
  }
  return { row, column: Math.max(0, kinds.length - 1) };
}

function wordEnd({ row, column }: Cell, ground: Ground): Cell {
  for (let y = row; y < ground.end; y++) {
    const kinds = cellsOf(y, ground);
    for (let x = y === row ? column + 1 : 0; x < kinds.length; x++) {
      if (kinds[x] !== ' ' && kinds[x + 1] !== kinds[x]) return { row: y, column: x };
    }
  }
  return { row, column };
}

function wordBack({ row, column }: Cell, ground: Ground): Cell {
  for (let y = row; y >= ground.first; y--) {
    const kinds = cellsOf(y, ground);
    for (let x = y === row ? Math.min(column, kinds.length) - 1 : kinds.length - 1; x >= 0; x--) {
      if (kinds[x] !== ' ' && (x === 0 || kinds[x - 1] !== kinds[x])) return { row: y, column: x };
    }
  }
  return { row: ground.first, column: 0 };
}

/** The next empty row after one that is not. */
function paragraph({ row }: Cell, step: 1 | -1, ground: Ground): Cell {
  let written = cellsOf(row, ground).length > 0;
  for (let y = row + step; y >= ground.first && y < ground.end; y += step) {
    const empty = cellsOf(y, ground).length === 0;
    if (empty && written) return { row: y, column: 0 };
    if (!empty) written = true;
  }
  return { row: step === 1 ? ground.end - 1 : ground.first, column: 0 };
}
