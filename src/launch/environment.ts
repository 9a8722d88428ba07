/**
 * Decides which variables a started program sees (tick H-4.1-3, table D).
 * It never reads or changes the environment of this process.
 */

/** Variables that describe the terminal or multiplexer around the host, not the one the program gets. */
const stale = new Set([
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WINDOW',
  'WINDOWID',
  'TERMCAP',
  // Fixed at start, wrong after the first resize.
  'COLUMNS',
  'LINES',
  // A program that takes these for true talks to a terminal that is not there.
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'VTE_VERSION',
]);

const stalePrefixes = ['ZELLIJ', 'TICKMUX_', 'TICKLOOP_', 'KITTY_', 'WEZTERM_'];

/**
 * A copy of `env` fit for a program in a pane: without what belongs to the outer terminal, to another
 * multiplexer or to tickmux, and with the terminal type the pane emulates.
 * @param secrets names of further variables to leave out: those that hold tickmux's own keys
 */
export function cleanEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[] = [],
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || stale.has(name) || secrets.includes(name)) continue;
    if (stalePrefixes.some((prefix) => name.startsWith(prefix))) continue;
    clean[name] = value;
  }
  clean.TERM = 'xterm-256color';
  clean.COLORTERM = 'truecolor';
  return clean;
}
