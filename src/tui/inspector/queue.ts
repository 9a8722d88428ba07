/** The Queue page: waiting calls of all panes, oldest first, then recent ones with their outcome. */
import { visible } from '../../cells/visible.ts';
import type { CallSummary } from '../../rpc/api/calls.ts';
import type { Picture } from '../../rpc/api/session.ts';
import { callWords, settledWords } from '../call-words.ts';
import { justify, type Line, span, wordWrap } from '../text.ts';
import type { Theme } from '../theme.ts';
import { troubles } from '../trouble.ts';
import type { InspectorRow } from './rows.ts';

/** `ageOf` says how long ago a time was. */
export function queueRows(
  picture: Picture,
  turned: ReadonlySet<string>,
  columns: number,
  theme: Theme,
  ageOf: (at: number) => string,
): InspectorRow[] {
  const { waiting, recent } = picture;
  const { styles, glyphs } = theme;
  const rows: InspectorRow[] = [];
  for (const words of troubles(picture)) {
    rows.push({
      key: words,
      lines: wordWrap(`${words}.`, columns).map((text) => [span(text, styles.danger)]),
    });
  }
  for (const call of waiting) {
    const left: Line = [
      span(`${glyphs.waiting} `, styles.warning),
      span(callWords(call), styles.strong),
      span(`  ${visible(call.agent_name)}`, styles.dim),
    ];
    const line = justify(left, ageOfCall(call, theme, ageOf), columns);
    rows.push({ key: call.call, lines: [line], open: { call: call.call } });
  }
  if (waiting.length === 0) rows.push({ key: 'none', lines: [[span('Nothing waits.', styles.dim)]] });
  const settled = [...recent].reverse();
  if (settled.length > 0) rows.push({ key: 'recent', lines: [[], [span('Recent', styles.dim)]] });
  // Unknown ones first: somebody has to find out what became of them.
  for (const call of [...settled.filter(isUnknown), ...settled.filter((other) => !isUnknown(other))]) {
    rows.push(recentRow(call, turned.has(call.call), columns, theme, ageOf));
  }
  return rows;
}

function isUnknown({ state }: CallSummary): boolean {
  return state === 'unknown';
}

function recentRow(
  call: CallSummary,
  unfolded: boolean,
  columns: number,
  theme: Theme,
  ageOf: (at: number) => string,
): InspectorRow {
  const { styles, glyphs } = theme;
  const style = isUnknown(call) ? styles.danger : call.state === 'failed' ? styles.warning : styles.dim;
  const mark = isUnknown(call) ? glyphs.waiting : unfolded ? glyphs.unfolded : glyphs.folded;
  const left: Line = [
    span(`${mark} `, style),
    span(callWords(call)),
    span('  '),
    span(call.state, style),
    span(`  ${visible(call.agent_name)}`, styles.dim),
  ];
  const lines: Line[] = [justify(left, ageOfCall(call, theme, ageOf), columns)];
  if (unfolded || isUnknown(call)) {
    const detail = `${call.call}  ${settledWords(call)}`;
    lines.push(...wordWrap(detail, columns - 4).map((text) => [span(`    ${text}`, style)]));
  }
  return { key: call.call, lines, open: { fold: call.call } };
}

function ageOfCall(call: CallSummary, { styles }: Theme, ageOf: (at: number) => string): Line {
  return [span(ageOf(call.proposed_at), styles.dim)];
}
