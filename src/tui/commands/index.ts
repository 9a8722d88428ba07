/** All commands by name, and how a command line is run and completed. */
import { themes } from '../theme.ts';
import type { Ui } from '../ui.ts';
import { splitWords } from '../words.ts';
import { type Command, CommandError } from './command.ts';
import { instanceCommands } from './instances.ts';
import { paneCommands } from './panes.ts';
import { sessionCommands } from './session.ts';

export const commands: readonly Command[] = [...instanceCommands, ...paneCommands, ...sessionCommands];

/** Runs one line; what is wrong with it, and what the host refuses, goes to the status line. */
export async function runCommand(ui: Ui, line: string): Promise<void> {
  try {
    const words = splitWords(line);
    if (!words) throw new CommandError('A quote is not closed: add the missing one.');
    const [name, ...rest] = words;
    if (name === undefined) return;
    const command = commands.find((candidate) => candidate.name === name);
    if (!command) throw new CommandError(`There is no command "${name}": C-b ? lists them.`);
    await command.run(ui, rest);
  } catch (error) {
    ui.complain(error);
  }
}

/** The lines that `line` can grow into: names of commands, then of themes and the like. */
export function completions(line: string): string[] {
  if (!line.includes(' ')) {
    return commands.map(({ name }) => name).filter((name) => name.startsWith(line));
  }
  if (!line.startsWith('theme ')) return [];
  return themes.map(({ name }) => `theme ${name}`).filter((whole) => whole.startsWith(line));
}
