/** The Tools page: the catalogue of the focused instance, its arguments in words. */

import { visible } from '../../cells/visible.ts';
import { stringColumns } from '../../cells/widths.ts';
import { brief } from '../../protocol/brief.ts';
import type { Tool } from '../../protocol/messages.ts';
import type { Inspection } from '../../rpc/api/instances.ts';
import { hardWrap, type Line, padEnd, span, wordWrap } from '../text.ts';
import type { Theme } from '../theme.ts';
import { type InspectorRow, noteRow } from './rows.ts';
import { type ArgumentWords, argumentsOf } from './schema-words.ts';

export function toolRows(
  { descriptor, note }: Inspection,
  turned: ReadonlySet<string>,
  columns: number,
  theme: Theme,
): InspectorRow[] {
  const { styles } = theme;
  if (!descriptor) return [noteRow(note ?? 'No catalogue yet.', columns, theme)];
  const revision = [span('catalogue revision ', styles.dim), span(visible(brief(descriptor.revision)))];
  // A Tick that breaks its promises is known by it here, where its tools are looked at.
  const wrong = note === undefined ? [] : wordWrap(visible(note), columns);
  return [
    { key: 'revision', lines: [revision, ...wrong.map((text) => [span(text, styles.warning)]), []] },
    ...descriptor.tools.map((tool) => toolRow(tool, turned.has(tool.name), columns, theme)),
  ];
}

function toolRow(tool: Tool, folded: boolean, columns: number, { styles, glyphs }: Theme): InspectorRow {
  const head: Line = [
    span(`${folded ? glyphs.folded : glyphs.unfolded} `, styles.dim),
    span(visible(brief(tool.name)), styles.strong),
    span('  '),
    tool.mutates ? span('mutates: asks you first', styles.warning) : span('query', styles.dim),
  ];
  const row = { key: tool.name, open: { fold: tool.name } };
  if (folded) return { ...row, lines: [head] };
  const description = wordWrap(visible(brief(tool.description, 4_096)), columns - 2).map((text) => [
    span(`  ${text}`, styles.dim),
  ]);
  const args = argumentsOf(tool.input_schema);
  const width = Math.min(16, Math.max(0, ...args.map(({ name }) => stringColumns(name))));
  const lines = args.flatMap((argument) => argumentLines(argument, width, columns, styles));
  if (args.length === 0) lines.push([span('  no arguments', styles.dim)]);
  return { ...row, lines: [head, ...description, ...lines, []] };
}

function argumentLines(
  { name, type, required, description }: ArgumentWords,
  width: number,
  columns: number,
  styles: Theme['styles'],
): Line[] {
  const start = `  ${padEnd(name, width)}  `;
  const indent = ' '.repeat(width + 4);
  const [first = '', ...rest] = hardWrap(type, Math.max(8, columns - width - 14));
  return [
    [span(start), span(first, styles.accent), span(required ? '  required' : '', styles.dim)],
    ...rest.map((text) => [span(indent), span(text, styles.accent)]),
    ...(description === ''
      ? []
      : wordWrap(description, columns - width - 4).map((text) => [span(indent + text, styles.dim)])),
  ];
}
