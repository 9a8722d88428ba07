/** The State page: the data of the focused instance as a tree, with what the last update changed. */

import { visible } from '../../cells/visible.ts';
import { stringColumns, truncateColumns } from '../../cells/widths.ts';
import { brief } from '../../protocol/brief.ts';
import type { Json } from '../../protocol/messages.ts';
import type { Inspection } from '../../rpc/api/instances.ts';
import { type Line, padEnd, span } from '../text.ts';
import type { Theme } from '../theme.ts';
import { type InspectorRow, noteRow } from './rows.ts';
import { seriesOf, sparkline } from './sparkline.ts';

/** More rows than anybody scrolls through; the rest is said in one. */
const mostRows = 5_000;
/** Containers with at most this many members start unfolded, down to two levels. */
const openMembers = 12;
const keyColumns = 18;

interface Tree {
  readonly rows: InspectorRow[];
  /** Pointers whose folding the person turned round. */
  readonly turned: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  /** Pointers that have something changed below them. */
  readonly touched: ReadonlySet<string>;
  readonly series: ReadonlyMap<string, 'first' | 'last'>;
  readonly columns: number;
  readonly theme: Theme;
}

export function stateRows(
  inspection: Inspection,
  turned: ReadonlySet<string>,
  columns: number,
  theme: Theme,
): InspectorRow[] {
  const { state, note, descriptor } = inspection;
  if (!state) {
    return [noteRow(note ?? 'No state yet.', columns, theme)];
  }
  const tree: Tree = {
    rows: [],
    turned,
    changed: new Set(inspection.changed),
    touched: new Set(inspection.changed.flatMap(ancestors)),
    series: new Map((descriptor?.state?.series ?? []).map(({ path, newest }) => [path, newest])),
    columns,
    theme,
  };
  if (isContainer(state.data)) addMembers(tree, state.data, '', 0);
  else addValue(tree, '', '', state.data, 0, 0);
  if (tree.rows.length === 0) tree.rows.push({ key: '', lines: [[span('empty', theme.styles.dim)]] });
  return tree.rows;
}

function isContainer(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

function addMembers(tree: Tree, value: Json[] | { [key: string]: Json }, path: string, depth: number): void {
  const members = Object.entries(value);
  const width = Math.min(
    keyColumns,
    Math.max(0, ...members.slice(0, 200).map(([key]) => stringColumns(visible(brief(key, 100))))),
  );
  for (const [key, member] of members) {
    if (tree.rows.length >= mostRows) {
      if (tree.rows.at(-1)?.key !== 'more') {
        tree.rows.push({ key: 'more', lines: [[span('… more than can be shown', tree.theme.styles.dim)]] });
      }
      return;
    }
    addValue(tree, key, `${path}/${escapePointer(key)}`, member, depth, width);
  }
}

function addValue(tree: Tree, key: string, path: string, value: Json, depth: number, width: number): void {
  const { styles, glyphs } = tree.theme;
  const container = isContainer(value);
  const open = container && isOpen(tree, path, value, depth);
  const changed = tree.changed.has(path) || (!open && tree.touched.has(path));
  const name = padEnd(truncateColumns(visible(brief(key, 100)), keyColumns, glyphs.cut), width);
  const fold = !container || sizeOf(value) === 0 ? ' ' : open ? glyphs.unfolded : glyphs.folded;
  const head: Line = [
    span(changed ? glyphs.changed : ' ', styles.accent),
    span(`${'  '.repeat(Math.min(depth, 10))}${fold} `, styles.dim),
    span(name, styles.dim),
    span('  '),
  ];
  const room = Math.max(4, tree.columns - 5 - 2 * Math.min(depth, 10) - stringColumns(name));
  const words = container
    ? containerWords(tree, path, value, room)
    : [span(scalar(value), changed ? styles.accent : {})];
  tree.rows.push({ key: path, lines: [[...head, ...words]], ...(container ? { open: { fold: path } } : {}) });
  if (open) addMembers(tree, value, path, depth + 1);
}

function isOpen(tree: Tree, path: string, value: Json[] | object, depth: number): boolean {
  const size = sizeOf(value);
  const byDefault = size > 0 && depth < 2 && size <= openMembers && !tree.series.has(path);
  return byDefault !== tree.turned.has(path);
}

function containerWords(
  tree: Tree,
  path: string,
  value: Json[] | { [key: string]: Json },
  room: number,
): Line {
  const { styles, glyphs } = tree.theme;
  const count = sizeOf(value);
  const newest = tree.series.get(path);
  const numbers = Array.isArray(value) && newest ? seriesOf(value) : undefined;
  if (numbers && count > 0) {
    const ordered = newest === 'first' ? numbers.reverse() : numbers;
    const most = Math.max(4, room - `  ${count} of ${count}`.length);
    const shown = Math.min(count, most);
    const of = shown < count ? `${shown} of ${count}` : `${count}`;
    return [span(sparkline(ordered, shown, glyphs.bars), styles.accent), span(`  ${of}`, styles.dim)];
  }
  const noun = Array.isArray(value) ? (count === 1 ? 'item' : 'items') : count === 1 ? 'key' : 'keys';
  return [span(`${count} ${noun}`, styles.dim)];
}

function sizeOf(value: Json[] | object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Quoted only where it could be taken for something else. */
function scalar(value: Json): string {
  if (typeof value !== 'string') return String(value);
  // It is cut at the edge anyway, and measured at each drawing.
  const shown = visible(brief(value, 1_000));
  return value === '' || /^(?:null|true|false|[-+.\d])/.test(value) ? `"${shown}"` : shown;
}

function escapePointer(key: string): string {
  return key.replace(/~/g, '~0').replace(/\//g, '~1');
}

function ancestors(path: string): string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) {
    found.push(path.slice(0, at));
    if (at === 0) break;
  }
  return found;
}
