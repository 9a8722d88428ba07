/**
 * The approval card as lines: what would be done, with which arguments, on whose asking, and how things
 * moved since. Pure; marks the lines that must have been on the screen before anybody may say yes.
 */
import { visible } from '../cells/visible.ts';
import { stringColumns, truncateColumns } from '../cells/widths.ts';
import type { Approval } from '../rpc/api/approvals.ts';
import { argumentLines } from './argument-rows.ts';
import { argumentsOf } from './inspector/schema-words.ts';
import { clipLine, hardWrap, type Line, lineColumns, padEnd, span, wordWrap } from './text.ts';
import type { Theme } from './theme.ts';

export interface CardLine {
  readonly line: Line;
  /** Has to be seen before the call can be approved. */
  readonly must: boolean;
}

/** What goes on while the card is open: it changes words, and moves no line. */
export interface CardNow {
  ageOf(at: number): string;
  leftUntil(at: number): string;
  /** Number of the instance's state now. */
  readonly seq: number | undefined;
}

const labelColumns = 11;

/** The arguments alone: they may be long, and change only with the approval. */
export function cardArguments(approval: Approval, columns: number, theme: Theme): Line[] {
  return argumentLines(approval.arguments_text, columns, theme, schemaNotes(approval));
}

/** `args` is what `cardArguments` made of the same. */
export function cardLines(
  approval: Approval,
  args: readonly Line[],
  columns: number,
  theme: Theme,
  now: CardNow,
): CardLine[] {
  const must = (lines: readonly Line[]) => lines.map((line) => ({ line, must: true }));
  const may = (lines: readonly Line[]) => lines.map((line) => ({ line, must: false }));
  const gap = may([[]]);
  return [
    ...must(whatLines(approval, columns, theme)),
    ...may(quoted(approval.description, columns, theme)),
    ...gap,
    ...must(args),
    ...gap,
    ...(approval.context ? [...must(contextLines(approval.context, columns, theme)), ...gap] : []),
    ...must(againLines(approval, columns, theme)),
    ...may(askedLines(approval, columns, theme, now)),
    ...may(standingLines(approval, columns, theme, now)),
  ];
}

/** What a yes would do, in words; for a tool its name and where it runs. */
function whatLines(approval: Approval, columns: number, { styles }: Theme): Line[] {
  const { summary, title, instance_kind: kind, edited } = approval;
  const name = [summary.instance, title && visible(title)].filter(Boolean).join(' ');
  const where = kind ? `${name} (${visible(kind)})` : name;
  const words = {
    tool: () => `   on ${where}`,
    open: () => '   the command below would run on this machine',
    close: () => `   ${where}: its program would be ended`,
    restart: () => `   ${where}: its command would be started again`,
    input: () => `   ${where}: the text below would be typed into its terminal`,
  }[summary.kind]();
  const head = summary.kind === 'tool' ? visible(summary.tool) : kindHead[summary.kind];
  const lines: Line[] =
    stringColumns(head) + stringColumns(words) <= columns
      ? [[span(head, styles.strong), span(words)]]
      : [
          ...hardWrap(head, columns).map((text): Line => [span(text, styles.strong)]),
          ...wordWrap(words.trim(), columns).map((text): Line => [span(text)]),
        ];
  if (edited) lines.push([span('edited by a person: not what was asked for', styles.warning)]);
  return lines;
}

const kindHead = { open: 'Start a program', close: 'End', restart: 'Restart', input: 'Type into' } as const;

/** Words of strangers stand dimmed behind a bar that only we draw. */
function quoted(text: string, columns: number, { styles, glyphs }: Theme): Line[] {
  if (text === '') return [];
  return text
    .split(/\r?\n/)
    .flatMap((line) => wordWrap(visible(line), columns - 2))
    .map((line) => [span(`${glyphs.quote} ${line}`, styles.dim)]);
}

function schemaNotes({ schema, summary }: Approval): Map<string, string> {
  if (summary.kind !== 'tool') return new Map();
  return new Map(argumentsOf(schema).map(({ name, type }) => [name, type]));
}

function contextLines(context: readonly string[], columns: number, theme: Theme): Line[] {
  const rows = context.flatMap((text) => hardWrap(visible(text), columns - 2));
  return [
    [span('it would go to', theme.styles.dim)],
    ...rows.map((text): Line => [span(`${theme.glyphs.quote} `, theme.styles.dim), span(text)]),
  ];
}

function againLines({ again }: Approval, columns: number, { styles }: Theme): Line[] {
  if (!again) return [];
  return labelled('again', visible(again), columns, styles.warning, styles.dim);
}

function askedLines(approval: Approval, columns: number, theme: Theme, { ageOf }: CardNow): Line[] {
  const { styles, glyphs } = theme;
  const { agent, agent_name: name, proposed_at: at } = approval.summary;
  // The longest age has its place: the line stays one line as the age grows.
  const longestAge = ', 59 min ago'.length;
  const room = Math.max(8, columns - labelColumns - longestAge);
  const whole: Line = [
    span(padEnd('asked by', labelColumns), styles.dim),
    span(truncateColumns(visible(name), room, glyphs.cut)),
    span(`, ${ageOf(at)} ago   ${agent}`, styles.dim),
  ];
  const asked = clipLine(whole, columns);
  if (!approval.reason) return [asked];
  const label = padEnd('its words', labelColumns);
  const rows = approval.reason
    .split(/\r?\n/)
    .flatMap((line) => wordWrap(visible(line), columns - labelColumns - 2));
  return [
    asked,
    ...rows.map((text, index) => [
      span(index === 0 ? label : ' '.repeat(labelColumns), styles.dim),
      span(`${glyphs.quote} ${text}`, styles.dim),
    ]),
  ];
}

function standingLines(
  approval: Approval,
  columns: number,
  { styles }: Theme,
  { leftUntil, seq }: CardNow,
): Line[] {
  const { seq_then: then, seq_now: now, revision, expires_at: expires, summary } = approval;
  const lines: Line[] = [];
  if (now !== undefined) lines.push(stateLine(then, seq ?? now, columns, styles));
  if (revision !== undefined) {
    lines.push(...labelled('catalogue', `revision ${visible(revision)}`, columns, styles.text, styles.dim));
  }
  lines.push(...labelled('digest', shortDigest(summary.digest), columns, styles.text, styles.dim));
  if (expires !== undefined) {
    lines.push(...labelled('expires', leftUntil(expires), columns, styles.text, styles.dim));
  }
  return lines;
}

/** One line whatever the numbers are, so that a state that moves moves nothing else. */
function stateLine(then: number | undefined, now: number, columns: number, styles: Theme['styles']): Line {
  const label = span(padEnd('state', labelColumns), styles.dim);
  if (then === undefined) return [label, span(`seq ${now}; it never looked`)];
  if (then === now) return [label, span(`as it looked: seq ${now}`)];
  const seqs = `seq ${then} → ${now}`;
  const words = [`moved since it looked: ${seqs}`, `${seqs} since it looked`].find(
    (text) => stringColumns(text) <= columns - labelColumns,
  );
  return [label, span(words ?? `moved: ${seqs}`, styles.warning)];
}

/** The first eight digits: `9f2c 41ab`. */
function shortDigest(digest: string): string {
  return `${digest.slice(0, 4)} ${digest.slice(4, 8)}`;
}

function labelled(
  label: string,
  text: string,
  columns: number,
  style: Theme['styles']['text'],
  labelStyle: Theme['styles']['text'],
): Line[] {
  return wordWrap(text, columns - labelColumns).map((row, index) => [
    span(padEnd(index === 0 ? label : '', labelColumns), labelStyle),
    span(row, style),
  ]);
}

/** `Approve?   ◆ fox-42` and the card's place among the waiting ones. */
export function cardHead(title: string, mark: string, place: string, columns: number, theme: Theme): Line {
  const left: Line = [
    span(title, theme.styles.warning),
    span('   '),
    span(`${theme.glyphs.mark} ${mark}`, theme.styles.accent),
  ];
  const gap = Math.max(2, columns - lineColumns(left) - place.length);
  return [...left, span(' '.repeat(gap)), span(place, theme.styles.dim)];
}
