/** All commands by name, and how a command line is run and completed. */
import { keyFor } from '../keymap.ts';
import type { Ui } from '../ui.ts';
import { splitWords } from '../words.ts';
import { arrangeCommands } from './arrange.ts';
import { type Command, CommandError } from './command.ts';
import { instanceCommands } from './instances.ts';
import { paneCommands } from './panes.ts';
import { sessionCommands } from './session.ts';

export const commands: readonly Command[] = [
  ...instanceCommands,
  ...paneCommands,
  ...arrangeCommands,
  ...sessionCommands,
];

/** Runs one line; what is wrong with it, and what the host refuses, goes to the status line. */
export async function runCommand(ui: Ui, line: string): Promise<void> {
  try {
    const words = splitWords(line);
    if (!words) throw new CommandError('A quote is not closed: add the missing one.');
    const [name, ...rest] = words;
    if (name === undefined) return;
    const command = commands.find((candidate) => candidate.name === name);
    if (!command)
      throw new CommandError(
        `There is no command "${name}": ${keyFor(ui.keymap, 'help')} lists the keys, Tab completes.`,
      );
    await command.run(ui, rest);
  } catch (error) {
    ui.complain(error);
  }
}

/** The lines that `line` can grow into: names of commands, then what may follow them. */
export function completions(ui: Ui, line: string): string[] {
  const command = commandOf(line);
  const whole = command
    ? (command.choices?.(ui) ?? []).map(({ word }) => `${command.name} ${word}`)
    : commands.map(({ name }) => name);
  return whole.filter((candidate) => candidate.startsWith(line));
}

/** The command whose words are being typed; undefined as long as its name is. */
export function commandOf(line: string): Command | undefined {
  const end = line.indexOf(' ');
  return end < 0 ? undefined : commands.find(({ name }) => name === line.slice(0, end));
}
