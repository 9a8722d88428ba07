/** Completion scripts, made from the very command line that commander knows. */
import type { Command, Option } from 'commander';
import { schemaNames } from '../commands/schema.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** What an argument or the value of an option can be. */
export type Kind = 'session' | 'instance' | 'file' | 'directory' | 'program' | 'other' | readonly string[];

export interface CompletedOption {
  /** `-s`, `--session` */
  names: string[];
  description: string;
  /** Undefined: it takes no value. */
  value: Kind | undefined;
}

export interface CompletedCommand {
  name: string;
  description: string;
  options: CompletedOption[];
  /** By position; the last one goes on when it is variadic. */
  operands: Kind[];
  variadic: boolean;
}

export interface Completed {
  commands: CompletedCommand[];
  options: CompletedOption[];
}

const scripts: Record<string, (completed: Completed) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export async function completion(shell: string, program: Command, { stdout }: Context): Promise<number> {
  stdout.write(scripts[shell]?.(describe(program)) ?? '');
  return exitCodes.ok;
}

function describe(program: Command): Completed {
  const help: CompletedOption = {
    names: ['-h', '--help'],
    description: 'tell all about it',
    value: undefined,
  };
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [...command.options.map(optionOf), help],
    operands: command.registeredArguments.map(
      (argument) =>
        argument.argChoices ??
        operandKinds[`${command.name()} ${argument.name()}`] ??
        kinds[argument.name()] ??
        'other',
    ),
    variadic: command.registeredArguments.at(-1)?.variadic ?? false,
  }));
  // `tickmux` alone is `tickmux attach`.
  const own = commands.find(({ name }) => name === 'attach')?.options ?? [];
  return {
    commands,
    options: [...own, ...program.options.map(optionOf).filter(({ names }) => !names.includes('-s'))],
  };
}

const kinds: Record<string, Kind> = { id: 'instance', cmd: 'program', file: 'file' };
const operandKinds: Record<string, Kind> = { 'schema name': schemaNames };
const valueKinds: Record<string, Kind> = {
  '--session': 'session',
  '--file': 'file',
  '--playbook': 'file',
  '--agent-socket': 'file',
  '--cwd': 'directory',
};

function optionOf({ short, long, description, required, optional }: Option): CompletedOption {
  const names = [short, long].filter((name) => name !== undefined);
  return {
    names,
    description,
    value: required || optional ? (valueKinds[long ?? ''] ?? 'other') : undefined,
  };
}
