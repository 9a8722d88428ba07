/** Editors as lines: the form and the JSON text, each with its cursor and the host's complaints. Pure. */

import type { Static } from '@sinclair/typebox';
import { visible } from '../cells/visible.ts';
import { stringColumns } from '../cells/widths.ts';
import type { Complaint } from '../rpc/api/approvals.ts';
import type { Field } from './edit-form.ts';
import type { TextBuffer } from './editor.ts';
import { clipLine, hardWrap, type Line, padEnd, span, visiblePart, wordWrap } from './text.ts';
import type { Theme } from './theme.ts';

type Complaints = readonly Static<typeof Complaint>[];

export interface EditLines {
  readonly lines: readonly Line[];
  /** Column, and line of `lines`. */
  readonly cursor: { readonly x: number; readonly y: number };
}

/** More values than fit on so many rows are not all told. */
const hintRows = 3;

/** `chosen` is the field with the cursor; one past the last is the row that saves. */
export function formLines(
  fields: readonly Field[],
  chosen: number,
  complaints: Complaints,
  columns: number,
  { styles, glyphs }: Theme,
): EditLines {
  const names = fields.map(({ name }) => visible(name));
  const width = Math.min(18, Math.max(4, ...names.map(stringColumns)));
  const lines: Line[] = [];
  let cursor = { x: 0, y: 0 };
  fields.forEach((field, index) => {
    const current = index === chosen;
    const quote = field.type === 'string' && !field.absent ? '"' : '';
    const head = `${padEnd(names[index] as string, width)}  `;
    const start = stringColumns(head) + quote.length;
    const old = oldWords(field);
    // The closing quote, or the cursor behind the last character, takes one more.
    const room = Math.max(8, columns - start - 1);
    const { text, at } = field.buffer;
    const { shown, cursorAt } = fieldWindow(text, current ? at : 0, room, glyphs.cut);
    if (current) cursor = { x: start + cursorAt, y: lines.length };
    const empty = field.absent && !current;
    lines.push([
      span(head, current ? styles.accent : styles.dim),
      span(quote, styles.dim),
      span(empty ? '(left out)' : shown, empty ? styles.dim : styles.text),
      span(quote, styles.dim),
    ]);
    const mine = complaints.filter(({ path }) => firstKey(path) === field.name);
    lines.push(...complaintLines(mine, width + 2, columns, styles));
    const hint = wordWrap(field.hint, Math.max(8, columns - width - 2));
    if (field.hint !== '') {
      const told = hint.length > hintRows ? [...hint.slice(0, hintRows - 1), '… and more'] : hint;
      lines.push(...told.map((row) => [span(' '.repeat(width + 2) + row, styles.dim)]));
    }
    if (old !== '') {
      lines.push([span(' '.repeat(width + 2)), ...clipLine([span(old, styles.dim)], columns - width - 2)]);
    }
  });
  const others = complaints.filter(({ path }) => !fields.some(({ name }) => name === firstKey(path)));
  lines.push([], ...complaintLines(others, 0, columns, styles));
  const saving = chosen >= fields.length;
  if (saving) cursor = { x: 0, y: lines.length };
  lines.push([span(' Save ', saving ? styles.selection : styles.accent)]);
  return { lines, cursor };
}

/** The part of a long value around the cursor, with a mark at each end where some of it is cut off. */
function fieldWindow(
  text: string,
  at: number,
  room: number,
  cut: string,
): { shown: string; cursorAt: number } {
  const before = visiblePart(text.slice(0, at));
  const after = visiblePart(text.slice(at));
  const whole = stringColumns(before) + stringColumns(after);
  if (whole <= room) return { shown: before + after, cursorAt: stringColumns(before) };
  // Steps of half the room, so that the text stands still while the cursor moves through it.
  const inner = room - 2;
  const step = Math.max(1, Math.floor(inner / 2));
  const column = stringColumns(before);
  const from = column < inner ? 0 : Math.floor((column - inner) / step + 1) * step;
  const start = hardWrap(before, Math.max(1, from))[0] as string;
  const skipped = from === 0 ? '' : start;
  const rest = before.slice(skipped.length) + after;
  const [part = ''] = hardWrap(rest, inner);
  const left = skipped === '' ? '' : cut;
  const shown = `${left}${part}${part.length < rest.length ? cut : ''}`;
  return { shown, cursorAt: stringColumns(left + before.slice(skipped.length)) };
}

function oldWords({ buffer, before, absent, type }: Field): string {
  if (before === undefined) return absent ? '' : 'was left out';
  if (!absent && buffer.text === before) return '';
  return `was ${type === 'string' ? `"${visible(before)}"` : before}`;
}

/** The JSON text, cut at the column; complaints stand below the first line of the key they concern. */
export function textLines(
  buffer: TextBuffer,
  complaints: Complaints,
  columns: number,
  { styles }: Theme,
): EditLines {
  const lines: Line[] = [];
  let cursor = { x: 0, y: 0 };
  const { line: cursorLine, offset } = buffer.place;
  const left = new Set(complaints);
  buffer.text.split('\n').forEach((text, index) => {
    if (index === cursorLine) {
      const rows = hardWrap(visiblePart(text.slice(0, offset)), columns);
      cursor = { x: stringColumns(rows.at(-1) as string), y: lines.length + rows.length - 1 };
    }
    lines.push(...hardWrap(visiblePart(text), columns).map((row) => [span(row, styles.text)]));
    for (const complaint of left) {
      if (!text.trimStart().startsWith(`${JSON.stringify(firstKey(complaint.path))}:`)) continue;
      left.delete(complaint);
      lines.push(...complaintLines([complaint], 2, columns, styles));
    }
  });
  lines.push([], ...complaintLines([...left], 0, columns, styles));
  return { lines, cursor };
}

function complaintLines(
  complaints: Complaints,
  indent: number,
  columns: number,
  styles: Theme['styles'],
): Line[] {
  return complaints.flatMap(({ path, message }) => {
    const where = path.split('/').length > 2 ? `${visible(path)} ` : '';
    return wordWrap(visible(`${where}${message}`), columns - indent).map((row) => [
      span(' '.repeat(indent) + row, styles.warning),
    ]);
  });
}

/** The first member a JSON Pointer names. */
function firstKey(path: string): string {
  return (path.split('/')[1] ?? '').replace(/~1/g, '/').replace(/~0/g, '~');
}

/** JSON a person can edit: every character that cannot be seen is spelled as `\u`. */
export function prettyJson(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2).replace(
    /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x7f-\x9f]/gu,
    (char) =>
      [...Array(char.length).keys()]
        .map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join(''),
  );
}
