/** The Log page: what happened in the session, newest last. */
import type { LogEntry } from '../../rpc/api/session.ts';
import { timeOfDay } from '../ages.ts';
import { span, wordWrap } from '../text.ts';
import type { Theme } from '../theme.ts';
import type { InspectorRow } from './rows.ts';

export function logRows(entries: readonly LogEntry[], columns: number, { styles }: Theme): InspectorRow[] {
  if (entries.length === 0) return [{ key: 'none', lines: [[span('Nothing yet.', styles.dim)]] }];
  return entries.map((entry, index) => {
    const style = { info: styles.text, warn: styles.warning, error: styles.danger }[entry.level];
    const [first = '', ...rest] = wordWrap(entry.text, Math.max(10, columns - 10));
    return {
      key: `${entry.at} ${index}`,
      lines: [
        [span(`${timeOfDay(entry.at)}  `, styles.dim), span(first, style)],
        ...rest.map((text) => [span(' '.repeat(10)), span(text, style)]),
      ],
    };
  });
}
