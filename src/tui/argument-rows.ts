/**
 * Arguments as rows a person can check: one for each value, nothing left out, nothing that looks like
 * something else. Pure; a stranger's text can never begin a row or stand where a key stands.
 */

import { trailingSpaces } from '../cells/text.ts';
import { visible } from '../cells/visible.ts';
import { stringColumns } from '../cells/widths.ts';
import type { Json } from '../protocol/messages.ts';
import { hardWrap, type Line, padEnd, span } from './text.ts';
import type { Theme } from './theme.ts';

/** Longest key that shares a line with its value. */
const keyColumns = 20;
/** Less room beside its key and the value goes below it. */
const leastValueColumns = 12;
/** Where notes stand, counted from the value, when it is not longer. */
const noteColumns = 8;
/** From this depth on rows move no further in; their depth is written instead. */
const indentDepth = 6;

/** One value with its name, before it is cut into lines. */
interface ArgumentRow {
  readonly depth: number;
  /** Made visible; quoted where it is no plain name. */
  readonly key: string;
  /** Made visible, in pieces that end where the value has a line break. */
  readonly value: readonly string[];
  /** The value is a container: its members follow. */
  readonly container: boolean;
}

/**
 * `text` is the arguments' JSON; `notes` says in a few words what the schema wants of a top-level key.
 * Text that is no JSON object is shown as it is.
 */
export function argumentLines(
  text: string,
  columns: number,
  theme: Theme,
  notes: ReadonlyMap<string, string> = new Map(),
): Line[] {
  const value = parse(text);
  if (value === undefined) return cut(visible(text), columns).map((line) => [span(line)]);
  const rows = [...members(value, 0)];
  if (rows.length === 0)
    return [[span(Array.isArray(value) ? '[] empty' : 'no arguments', theme.styles.dim)]];
  // Not by spreading: there may be more rows than a function takes arguments.
  const width = rows.reduce((most, { key }) => {
    const columns = stringColumns(key);
    return columns > keyColumns ? most : Math.max(most, columns);
  }, 0);
  return rows.flatMap((row) =>
    rowLines(row, width, columns, theme, row.depth === 0 ? notes.get(row.key) : undefined),
  );
}

function parse(text: string): Json[] | { [key: string]: Json } | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function* members(value: Json[] | { [key: string]: Json }, depth: number): Generator<ArgumentRow> {
  const list = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    const key = list ? `[${name}]` : plainName(name) ? name : `"${visible(name)}"`;
    if (typeof member !== 'object' || member === null) {
      yield { depth, key, value: scalar(member), container: false };
      continue;
    }
    const count = Object.keys(member).length;
    const noun = Array.isArray(member) ? (count === 1 ? 'item' : 'items') : count === 1 ? 'key' : 'keys';
    const empty = Array.isArray(member) ? '[] empty list' : '{} empty object';
    yield { depth, key, value: [count === 0 ? empty : `${count} ${noun}`], container: true };
    yield* members(member, depth + 1);
  }
}

function plainName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name);
}

/** A string stands in quotes, so that "1" and 1 differ; its line breaks end a line. */
function scalar(value: null | boolean | number | string): string[] {
  if (typeof value !== 'string') return [JSON.stringify(value)];
  const pieces = value.split(/(?<=\n)/).map(visible);
  const last = pieces.length - 1;
  return pieces.length === 0
    ? ['""']
    : pieces.map((piece, index) => `${index === 0 ? '"' : ''}${piece}${index === last ? '"' : ''}`);
}

/**
 * Cut at the very column. A space that ends a line is drawn: before a wide character, which leaves the
 * last column empty, nobody could tell whether there is one.
 */
function cut(text: string, columns: number): string[] {
  return hardWrap(text, columns).map((line) => {
    const spaces = trailingSpaces(line);
    return line.slice(0, line.length - spaces) + '␠'.repeat(spaces);
  });
}

function rowLines(
  { depth, key, value, container }: ArgumentRow,
  width: number,
  columns: number,
  { styles, glyphs }: Theme,
  note = '',
): Line[] {
  const deep = depth > indentDepth ? `${depth} ${glyphs.folded} ` : '';
  const indent = '  '.repeat(Math.min(depth, indentDepth)) + deep;
  const lines: Line[] = [];
  let start = `${indent}${padEnd(key, width)}  `;
  if (stringColumns(key) > width || stringColumns(start) + leastValueColumns > columns) {
    // A long name stands alone; its value follows below, behind a bar.
    const [first = '', ...rest] = cut(key, Math.max(4, columns - stringColumns(indent) - 2));
    lines.push([span(indent + first, styles.accent)]);
    for (const text of rest) {
      lines.push([span(`${indent}${glyphs.quote} `, styles.dim), span(text, styles.accent)]);
    }
    start = `${indent}  `;
  }
  const bar = `${' '.repeat(Math.max(0, stringColumns(start) - 2))}${glyphs.quote} `;
  const room = Math.max(4, columns - stringColumns(start));
  const style = container ? styles.dim : styles.text;
  const pieces = value.flatMap((piece) => cut(piece, room));
  pieces.forEach((text, index) => {
    const first = index === 0;
    const head = first ? span(start, styles.accent) : span(bar, styles.dim);
    const shown = padEnd(text, note === '' ? 0 : noteColumns);
    const tail = first && note !== '' && pieces.length === 1 && stringColumns(`${shown}   ${note}`) <= room;
    lines.push(tail ? [head, span(shown, style), span(`   ${note}`, styles.dim)] : [head, span(text, style)]);
  });
  return lines;
}
