/**
 * How many columns characters take and which belong to one cell, by the very table the emulator uses.
 * Owns that table; never draws and never parses escape sequences.
 */
import { createRequire } from 'node:module';
import type { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';

/** What xterm.js calls a unicode version provider. */
export interface WidthTable {
  readonly version: string;
  wcwidth(codePoint: number): 0 | 1 | 2;
  /**
   * Bit 0: joins the cell before it; bits 1-2: columns of that cell so far; bits above: the state to pass
   * as `preceding` for the next code point (0 starts anew).
   */
  charProperties(codePoint: number, preceding: number): number;
}

/** The most code points one cell can hold; the next one starts a new cell. */
export const maxClusterCodePoints = 32;

const lowStateBits = 0x7ff;
const countShift = 11;

/**
 * Unicode 15 with grapheme clusters. A cluster is bounded, since a program could otherwise grow one cell
 * without end; as screen and compositor both measure with this table, they agree on the break.
 */
export const widthTable: WidthTable = boundClusters(loadGraphemes());

function boundClusters(graphemes: WidthTable): WidthTable {
  return {
    version: 'tickmux-graphemes',
    wcwidth: (codePoint) => graphemes.wcwidth(codePoint),
    charProperties(codePoint, preceding) {
      const low = preceding & lowStateBits;
      if (codePoint >= 32 && codePoint < 127 && low >> 3 === 0) return 2;
      const properties = graphemes.charProperties(codePoint, low) & lowStateBits;
      if ((properties & 1) === 0) return properties;
      const count = (preceding >>> countShift) + 1;
      if (count >= maxClusterCodePoints) return graphemes.charProperties(codePoint, 0) & lowStateBits;
      return properties | (count << countShift);
    },
  };
}

function loadGraphemes(): WidthTable {
  // The add-on reads its packed table through `.buffer`, which is wrong for a Buffer cut from Node's
  // pool: without this every astral character measures 1. An import would be evaluated too early.
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    const require = createRequire(import.meta.url);
    const addon = require('@xterm/addon-unicode-graphemes') as {
      UnicodeGraphemesAddon: new () => UnicodeGraphemesAddon;
    };
    const tables: WidthTable[] = [];
    const unicode = { activeVersion: '', register: (table: WidthTable) => tables.push(table) };
    new addon.UnicodeGraphemesAddon().activate({ unicode } as never);
    const table = tables.find(({ version }) => version === '15-graphemes');
    if (table?.wcwidth(0x1f600) !== 2) {
      throw new Error(
        'The table of character widths did not load; reinstall @xterm/addon-unicode-graphemes.',
      );
    }
    return table;
  } finally {
    Buffer.poolSize = poolSize;
  }
}

/** The characters of one cell. */
export interface Cluster {
  text: string;
  /** 1 or 2; 0 for a control character, which has no cell. */
  width: number;
}

/** Splits text into what the emulator would put into cells of their own. */
export function* clusters(text: string): Generator<Cluster, void, undefined> {
  let cluster = '';
  let width = 0;
  let state = 0;
  for (const char of text) {
    const codePoint = char.codePointAt(0) as number;
    const control = codePoint < 0x20 || (codePoint >= 0x7f && codePoint <= 0x9f);
    const properties = control ? 0 : widthTable.charProperties(codePoint, state);
    if ((properties & 1) === 0) {
      if (cluster) yield { text: cluster, width };
      cluster = '';
    }
    cluster += char;
    width = (properties >> 1) & 3;
    state = properties;
  }
  if (cluster) yield { text: cluster, width };
}

/** Columns of the first cell's characters of a string: 0, 1 or 2. */
export function cellWidth(characters: string): number {
  for (const { width } of clusters(characters)) return width;
  return 0;
}

/** Columns a line of text takes. Control characters count nothing: show them with `visible` first. */
export function stringColumns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { width } of clusters(text)) columns += width;
  return columns;
}

/**
 * The start of a text that fits into `columns`, never cut inside a cell. When something had to go,
 * `ellipsis` ends it (and fits as well).
 */
export function truncateColumns(text: string, columns: number, ellipsis = ''): string {
  if (text.length <= columns && /^[\x20-\x7e]*$/.test(text)) return text;
  if (stringColumns(text) <= columns) return text;
  const tail = ellipsis && stringColumns(ellipsis) <= columns ? ellipsis : '';
  const room = columns - stringColumns(tail);
  let used = 0;
  let kept = '';
  for (const cluster of clusters(text)) {
    used += cluster.width;
    if (used > room) break;
    kept += cluster.text;
  }
  return kept + tail;
}
