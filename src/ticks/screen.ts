/**
 * What the bundled Ticks' screens share: getting a terminal, and the lines at the top and the bottom.
 */
import { ends, openTerminal, style, type Terminal, width } from '../sdk/index.ts';

/** The terminal, or, for a person who has none to offer, a word on what to do and the end. */
export function terminalFor(name: string, hosted: boolean): Terminal | undefined {
  const terminal = openTerminal();
  if (!terminal && !hosted) {
    process.stderr.write(
      `${name} draws on a terminal and found none. Run it in one, or open it in tickmux.\n`,
    );
    process.exit(1);
  }
  return terminal;
}

/** `[keys, what they do]`. */
export type Hint = readonly [keys: string, meaning: string];

/** The bottom line: as many hints as fit whole. */
export function hintLine(hints: readonly Hint[], cols: number): string {
  let line = '';
  for (const [keys, meaning] of hints) {
    const hint = `  ${style(keys, 'cyan')} ${style(meaning, 'grey')}`;
    if (width(line) + width(hint) > cols) break;
    line += hint;
  }
  return line;
}

/** The top line: a bold title with a margin of two cells, and something at the right. */
export function titleLine(title: string, right: string, cols: number): string {
  return ends(`  ${style(title, 'bold')}`, `${right}  `, cols);
}
