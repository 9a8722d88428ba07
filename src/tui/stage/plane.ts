/**
 * blessed's drawing turned into a plane: ordinary cells become packed ones, and cells with the mark of a
 * layer become runs of it. This is how stacking and popups come without being computed.
 */

import { colour, content, fgFlag, wordsPerCell } from '../../cells/row.ts';
import { cellWidth } from '../../cells/widths.ts';
import type { BlessedCell } from './blessed-screen.ts';
import { Canvas, type CellTables } from './canvas.ts';
import type { Layer, LayerRun, Plane } from './compositor.ts';

/** The attribute that marks a cell as layer `index`'s: blessed's own are never negative. */
export function layerMark(index: number): number {
  return -1 - index;
}

/** What blessed puts behind a wide character. */
const rightHalf = '\x03';

export function planeOf(
  lines: readonly (readonly BlessedCell[])[],
  layers: readonly Layer[],
  tables: CellTables,
  cols: number,
  rows: number,
): Plane {
  const chrome = new Canvas(cols, rows);
  const runs: LayerRun[][] = [];
  for (let y = 0; y < rows; y++) {
    const line = lines[y] ?? [];
    const rowRuns: LayerRun[] = [];
    for (let x = 0; x < cols; x++) {
      const cell = line[x];
      if (!cell) break;
      if (cell[0] >= 0) {
        putCell(chrome, y * cols + x, cell, x + 1 < cols ? line[x + 1] : undefined, tables);
        continue;
      }
      const x0 = x;
      while (x + 1 < cols && line[x + 1]?.[0] === cell[0]) x++;
      rowRuns.push({ x0, x1: x + 1, layer: -1 - cell[0] });
    }
    runs.push(rowRuns);
  }
  return { chrome, runs, layers };
}

function putCell(
  chrome: Canvas,
  at: number,
  [attribute, characters]: BlessedCell,
  next: BlessedCell | undefined,
  tables: CellTables,
): void {
  const { words } = chrome;
  const w = at * wordsPerCell;
  const [fg, bg] = colourWords(attribute);
  words[w + 1] = fg;
  words[w + 2] = bg;
  // Already written together with its left half; without one it is a space.
  if (characters === rightHalf) {
    const isRight = at % chrome.cols > 0 && words[w - wordsPerCell]! >>> content.widthShift === 2;
    words[w] = isRight ? 0 : content.blank;
    return;
  }
  const code = characters.codePointAt(0) ?? 0x20;
  if (characters.length === 1 && code < 0x7f) {
    words[w] = ((1 << content.widthShift) | Math.max(code, 0x20)) >>> 0;
    return;
  }
  const width = cellWidth(characters);
  // Half covered by another element, or at the edge, or of a width that blessed does not know.
  if (width === 0 || (width === 2 && next?.[1] !== rightHalf)) {
    words[w] = content.blank;
    return;
  }
  const single = characters.length === (code > 0xffff ? 2 : 1);
  const value = single ? code : content.joined | tables.joinedId(characters);
  words[w] = ((width << content.widthShift) | value) >>> 0;
}

/** blessed's attribute word: flags, then 9 bits of palette index or 0x1ff for each colour. */
function colourWords(attribute: number): [fg: number, bg: number] {
  const flags = attribute >> 18;
  let fg = paletteWord((attribute >> 9) & 0x1ff);
  if (flags & 1) fg |= fgFlag.bold;
  if (flags & 2) fg |= fgFlag.underline;
  if (flags & 4) fg |= fgFlag.blink;
  if (flags & 8) fg |= fgFlag.inverse;
  if (flags & 16) fg |= fgFlag.hidden;
  return [fg >>> 0, paletteWord(attribute & 0x1ff)];
}

function paletteWord(index: number): number {
  if (index > 255) return 0;
  return (index < 16 ? colour.palette16 : colour.palette256) | index;
}
