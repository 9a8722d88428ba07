/** The line at the bottom: keys worth knowing now on the left, what happened or is wrong on the right. */
import { justify, type Line, span } from './text.ts';
import type { Theme } from './theme.ts';

export interface Message {
  /** Already made visible. */
  readonly text: string;
  readonly level: 'info' | 'warning' | 'error';
}

export function statusLine(
  hints: readonly (readonly [string, string])[],
  message: Message | undefined,
  { styles }: Theme,
  columns: number,
): Line {
  const left = hints.flatMap(([key, what], index) => [
    span(index === 0 ? ' ' : '   '),
    span(key, styles.accent),
    span(` ${what}`, styles.dim),
  ]);
  if (!message) return justify(left, [], columns);
  const style = { info: styles.text, warning: styles.warning, error: styles.danger }[message.level];
  return justify(left, [span(message.text, style), span(' ')], columns);
}
