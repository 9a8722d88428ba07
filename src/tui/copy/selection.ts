/** What is selected of a history: by characters, by whole rows or as a block. Pure. */
import { type Row, wordsPerCell } from '../../cells/row.ts';
import { columnsText, trailingSpaces } from '../../cells/text.ts';

/** A cell of the history: the number of its row, and its column. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface Selection {
  readonly by: 'character' | 'row' | 'block';
  readonly anchor: Cell;
  /** The other end, which the cursor moves. Both ends are selected. */
  readonly head: Cell;
}

/** The rows of a selection, both selected. */
export function selectedRows({ anchor, head }: Selection): { from: number; to: number } {
  return { from: Math.min(anchor.row, head.row), to: Math.max(anchor.row, head.row) };
}

/** The columns selected in a row of `columns`, `to` not among them; undefined where nothing is. */
export function selectedColumns(
  selection: Selection,
  row: number,
  columns: number,
): { from: number; to: number } | undefined {
  const { by, anchor, head } = selection;
  const rows = selectedRows(selection);
  if (row < rows.from || row > rows.to) return undefined;
  if (by === 'row') return { from: 0, to: columns };
  const left = Math.min(anchor.column, head.column);
  const right = Math.max(anchor.column, head.column);
  if (by === 'block') return { from: left, to: Math.min(columns, right + 1) };
  const [start, end] = comesFirst(anchor, head) ? [anchor, head] : [head, anchor];
  return {
    from: row === start.row ? start.column : 0,
    to: row === end.row ? Math.min(columns, end.column + 1) : columns,
  };
}

/** The selected text of `rows`, which begin at the first selected one. Rows that go on in the next one are joined. */
export function selectedText(selection: Selection, rows: readonly Row[]): string {
  const { from } = selectedRows(selection);
  let text = '';
  rows.forEach((row, index) => {
    const columns = row.words.length / wordsPerCell;
    const cut = selectedColumns(selection, from + index, columns);
    if (!cut) return;
    const goesOn = selection.by !== 'block' && (rows[index + 1]?.wrapped ?? false);
    const part = columnsText(row, cut.from, cut.to);
    text += goesOn ? part : part.slice(0, part.length - trailingSpaces(part));
    if (index < rows.length - 1 && !goesOn) text += '\n';
  });
  return text;
}

function comesFirst(a: Cell, b: Cell): boolean {
  return a.row < b.row || (a.row === b.row && a.column <= b.column);
}
