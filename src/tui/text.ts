/**
 * Lines of spans measured in columns: cutting, wrapping and aligning for the chrome.
 * Never decides what is said; what strangers said comes in already made visible.
 */
import { visible } from '../cells/visible.ts';
import { clusters, stringColumns, truncateColumns } from '../cells/widths.ts';
import type { Span, Style } from './stage/span.ts';

export type Line = readonly Span[];

export function span(text: string, style: Style = {}): Span {
  return { ...style, text };
}

export function lineColumns(line: Line): number {
  return line.reduce((columns, { text }) => columns + stringColumns(text), 0);
}

/** The start of a line that fits; an ellipsis ends it when something had to go. */
export function clipLine(line: Line, columns: number): Line {
  if (lineColumns(line) <= columns) return line;
  const kept: Span[] = [];
  let room = columns;
  for (const part of line) {
    const width = stringColumns(part.text);
    if (width < room) {
      kept.push(part);
      room -= width;
      continue;
    }
    kept.push({ ...part, text: truncateColumns(`${part.text} `, room, '…') });
    break;
  }
  return kept;
}

/** `left` and `right` at the two ends of a line of `columns`; the left one is cut first. */
export function justify(left: Line, right: Line, columns: number): Line {
  const end = clipLine(right, columns);
  const room = columns - lineColumns(end);
  const start = clipLine(left, end.length > 0 ? Math.max(0, room - 2) : room);
  return [...start, span(' '.repeat(Math.max(0, room - lineColumns(start)))), ...end];
}

/** `text` and the spaces that make it `columns` wide; longer text stays whole. */
export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringColumns(text)));
}

/** Cut into lines at the very column, nothing added and nothing left out. At least one line. */
export function hardWrap(text: string, columns: number): string[] {
  const width = Math.max(1, columns);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const cluster of clusters(text)) {
    if (used + cluster.width > width && line !== '') {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += cluster.text;
    used += cluster.width;
  }
  lines.push(line);
  return lines;
}

/** Wrapped at spaces as prose; longer words are cut. At least one line. */
export function wordWrap(text: string, columns: number): string[] {
  const width = Math.max(1, columns);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/)) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (stringColumns(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = hardWrap(word, width);
    line = parts.pop() ?? '';
    lines.push(...parts);
  }
  lines.push(line);
  return lines;
}

/** Like `visible`, for text that goes on: spaces at its end are no trailing ones. */
export function visiblePart(text: string): string {
  return visible(`${text}.`).slice(0, -1);
}

/** Pieces one after the other, three columns apart, on as many lines as they take; none is cut. */
export function flow(pieces: readonly Line[], columns: number): Line[] {
  const lines: Line[] = [];
  let line: Span[] = [];
  for (const piece of pieces) {
    if (line.length > 0 && lineColumns(line) + 3 + lineColumns(piece) > columns) {
      lines.push(line);
      line = [];
    }
    if (line.length > 0) line.push(span('   '));
    line.push(...piece);
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
