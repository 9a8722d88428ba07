/** The command line as commander knows it. Each command's code is loaded when it runs, not before. */
import { type Argument, Command } from 'commander';
import { type CommonOptions, type Context, chosenSession } from './context.ts';
import { defineCalls } from './definitions/calls.ts';
import type { Action, Define } from './definitions/define.ts';
import { definePrograms } from './definitions/programs.ts';
import { defineSessions } from './definitions/sessions.ts';
import { defineSetup } from './definitions/setup.ts';
import { commandPages, pageText, programPage } from './help.ts';
import { Output } from './output.ts';

/** @param ended is told the exit code of the command that ran */
export function createProgram(context: Context, ended: (code: number) => void): Command {
  const program = new Command('tickmux')
    .description('A terminal multiplexer for programs that a person and an agent use at the same time.')
    .usage('[-s NAME] [-f WORKSPACE | [--shell] -- CMD...]\n       tickmux COMMAND ...')
    .option('-s, --session <name>', 'session to use (default: the one around this process, else main)')
    .version(context.version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({
      subcommandTerm: (made) =>
        [made.name(), ...made.registeredArguments.map((one) => humanReadable(one))].join(' '),
    })
    .showHelpAfterError('(tickmux --help lists commands and options)')
    .addHelpText('after', () => pageText(programPage));

  const define: Define = {
    context,
    command<O>(usage: string, description: string, action: Action<O>): Command {
      const made = program
        .command(usage)
        .description(description)
        .option('-s, --session <name>', 'session to use (default: the one around this process, else main)');
      made.showHelpAfterError(`(tickmux ${made.name()} --help tells its words and options)`);
      const page = commandPages[made.name()];
      if (page) made.addHelpText('after', () => pageText(page));
      return made.action(async () => {
        const options = { ...program.opts(), ...made.opts() } as O & CommonOptions;
        const output = new Output(context.stdout, context.stderr, options.json ?? false);
        const args = made.args;
        ended(await action({ args, options, paths: chosenSession(options, context), output }));
      });
    },
    json: (made) => made.option('--json', 'print one JSON value for programs'),
    proposing: (made) =>
      define
        .json(made)
        .option('--reason <text>', 'why, shown to the person who decides')
        .option('--no-wait', 'do not wait for the decision'),
  };

  program.commandsGroup('Sessions:');
  defineSessions(define);
  program.commandsGroup('Programs:');
  definePrograms(define);
  program.commandsGroup('Calls:');
  defineCalls(define);
  program.commandsGroup('Setting up:');
  defineSetup(define);
  program.helpCommand('help [command]', 'tell all about a command');
  return program;
}

function humanReadable(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
