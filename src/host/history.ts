/** What views see of an instance's screen and of what scrolled off it. Reads only. */
import { matchesIn } from '../cells/text.ts';
import { encodeRow } from '../cells/wire.ts';
import type { operatorApi } from '../rpc/api/index.ts';
import type { Params, Result } from '../rpc/api/message.ts';
import type { Instance } from './instance.ts';

/** Rows looked through in one go, so that a long history does not hold up everybody else. */
const rowsAtATime = 1_000;

export function historyOf(
  { screen }: Instance,
  { start, count }: Params<typeof operatorApi.history>,
): Result<typeof operatorApi.history> {
  const from = Math.max(start, screen.historyDropped);
  return {
    cols: screen.cols,
    first: screen.historyDropped,
    screen: screen.screenStart,
    end: screen.screenStart + screen.rows,
    start: from,
    rows: screen.rowsFrom(from, start + count - from).map(encodeRow),
  };
}

export function findIn(
  { screen }: Instance,
  { text, row, column, backward }: Params<typeof operatorApi.find>,
): Result<typeof operatorApi.find> {
  const first = screen.historyDropped;
  const end = screen.screenStart + screen.rows;
  const from = Math.max(first, Math.min(row, end - 1));
  const start = backward ? Math.max(first, from - rowsAtATime + 1) : from;
  const rows = screen.rowsFrom(start, Math.min(end, backward ? from + 1 : from + rowsAtATime) - start);
  for (let step = 0; step < rows.length; step++) {
    const index = backward ? rows.length - 1 - step : step;
    const at = start + index;
    const matches = matchesIn(rows[index] as (typeof rows)[number], text).filter(
      (match) => at !== row || (backward ? match.from < column : match.from > column),
    );
    const match = backward ? matches.at(-1) : matches[0];
    if (match) return { found: { row: at, column: match.from } };
  }
  const next = backward ? start - 1 : start + rows.length;
  return next < first || next >= end ? {} : { next };
}
