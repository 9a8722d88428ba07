/** The command line as commander knows it. Each command's code is loaded when it runs, not before. */
import { type Argument, Command } from 'commander';
import type { SessionPaths } from '../platform/paths.ts';
import { type CommonOptions, type Context, chosenSession } from './context.ts';
import { Output } from './output.ts';
import { callId, instanceId, jsonObject, textOrInput, wholeNumber } from './values.ts';

const epilogue = `
Exit codes: 0 done, 1 refused or failed, 2 wrong usage or no terminal, 3 outcome unknown (it may have run).

Examples:
  tickmux                                attach to session main, starting it if need be
  tickmux -s work --shell -- vim a.txt   open vim in a new tab of session work, and attach
  tickmux open -- ./my-tick              start a Tick without attaching
  tickmux call hosted:1 add '{"by":2}'   propose a call and wait for a person's decision
`;

type Action<O> = (given: {
  args: string[];
  options: O & CommonOptions;
  paths: SessionPaths;
  output: Output;
}) => Promise<number>;

function humanReadable(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** @param ended is told the exit code of the command that ran */
export function createProgram(context: Context, ended: (code: number) => void): Command {
  const program = new Command('tickmux')
    .description('A terminal multiplexer for programs that a person and an agent use at the same time.')
    .usage('[-s NAME] [--shell] [-- CMD...]\n       tickmux COMMAND ...')
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
    .addHelpText('after', epilogue);

  function command<O>(usage: string, description: string, action: Action<O>): Command {
    const made = program.command(usage).description(description).option('-s, --session <name>', 'session');
    return made.action(async () => {
      const options = { ...program.opts(), ...made.opts() } as O & CommonOptions;
      const output = new Output(context.stdout, context.stderr, options.json ?? false);
      const args = made.args;
      ended(await action({ args, options, paths: chosenSession(options, context), output }));
    });
  }
  const json = (made: Command) => made.option('--json', 'print one JSON value for programs');
  const proposing = (made: Command) =>
    json(made)
      .option('--reason <text>', 'why, shown to the person who decides')
      .option('--no-wait', 'do not wait for the decision');

  command<{ shell?: boolean }>(
    'attach [cmd...]',
    'attach this terminal (the default command)',
    async (given) => {
      const { attach } = await import('./attach.ts');
      return attach({ command: given.args, ...given.options }, given.paths, context);
    },
  ).option('--shell', 'CMD is an ordinary program, not a Tick');

  proposing(
    command<{ shell?: boolean; cwd?: string; name?: string }>(
      'open [cmd...]',
      "start a Tick, or with --shell another program (by default the user's shell)",
      async ({ args, options, paths, output }) => {
        const { open } = await import('./commands/instances.ts');
        return open({ ...options, command: args }, paths, context, output);
      },
    )
      .option('--shell', 'an ordinary program')
      .option('--cwd <dir>', 'where it starts (default: here)')
      .option('--name <name>', 'title of its pane'),
  );

  json(
    command('ls', 'list what runs', async ({ paths, output }) => {
      const { ls } = await import('./commands/instances.ts');
      return ls(paths, context, output);
    }),
  );

  json(
    command('describe <id>', 'what a Tick can do: its descriptor', async ({ args, paths, output }) => {
      const { describe } = await import('./commands/instances.ts');
      return describe(instanceId(args[0] as string), paths, context, output);
    }),
  );

  json(
    command('read <id>', 'the present state of a Tick', async ({ args, paths, output }) => {
      const { read } = await import('./commands/instances.ts');
      return read(instanceId(args[0] as string), paths, context, output);
    }),
  );

  proposing(
    command<{ reason?: string; wait: boolean }>(
      'call <id> <tool> [arguments]',
      'call a tool, arguments as JSON or - for standard input; changes wait for a person',
      async ({ args, options, paths, output }) => {
        const [id, tool, given = '{}'] = args as [string, string, string?];
        const instance = instanceId(id);
        const values = jsonObject(await textOrInput(given, context.stdin));
        const { call } = await import('./commands/calls.ts');
        return call({ ...options, instance, tool, arguments: values }, paths, context, output);
      },
    ),
  );

  json(
    command<{ secret: string; wait: number }>(
      'status <call>',
      'how a call made with --no-wait stands',
      async ({ args, options, paths, output }) => {
        const { status } = await import('./commands/calls.ts');
        return status(callId(args[0] as string), options.secret, options.wait, paths, context, output);
      },
    )
      .requiredOption('--secret <secret>', 'what `call --no-wait` printed')
      .option('--wait <seconds>', 'wait that long for the outcome, at most 60', wholeNumber(0, 60), 0),
  );

  json(
    command('pending', 'list the calls that wait for a person', async ({ paths, output }) => {
      const { pending } = await import('./commands/calls.ts');
      return pending(paths, context, output);
    }),
  );

  for (const decision of ['approve', 'deny'] as const) {
    json(
      command<{ digest?: string }>(
        decision === 'approve' ? 'approve <call>' : 'deny <call> [words...]',
        `${decision} a waiting call, where the host allows decisions by command`,
        async ({ args, options, paths, output }) => {
          const [id, ...words] = args as [string, ...string[]];
          const { decide } = await import('./commands/calls.ts');
          return decide(
            { ...options, call: callId(id), decision, words: words.join(' ') },
            paths,
            context,
            output,
          );
        },
      ).option('--digest <hex>', 'only if its digest still begins so'),
    );
  }

  json(
    command('screen <id>', 'the visible text of an instance', async ({ args, paths, output }) => {
      const { screen } = await import('./commands/instances.ts');
      return screen(instanceId(args[0] as string), paths, context, output);
    }),
  );

  proposing(
    command<{ enter?: boolean; reason?: string; wait: boolean }>(
      'type <id> <text>',
      'type into an instance; TEXT may be - for standard input',
      async ({ args, options, paths, output }) => {
        const instance = instanceId(args[0] as string);
        const text = await textOrInput(args[1] as string, context.stdin);
        const { type } = await import('./commands/instances.ts');
        return type(instance, options.enter ? `${text}\r` : text, options, paths, context, output);
      },
    ).option('--enter', 'press Enter after it'),
  );

  for (const action of ['close', 'restart'] as const) {
    proposing(
      command<{ reason?: string; wait: boolean }>(
        `${action} <id>`,
        action === 'close' ? 'end a program' : 'start a program that has ended again',
        async ({ args, options, paths, output }) => {
          const { endOrRestart } = await import('./commands/instances.ts');
          return endOrRestart(action, instanceId(args[0] as string), options, paths, context, output);
        },
      ),
    );
  }

  json(
    command<{ follow?: boolean; lines: number }>(
      'log',
      'what happened',
      async ({ options, paths, output }) => {
        const { log } = await import('./commands/session.ts');
        return log({ lines: options.lines, follow: options.follow ?? false }, paths, context, output);
      },
    )
      .option('-f, --follow', 'go on until Ctrl-C')
      .option('-n, --lines <number>', 'how many of the newest entries', wholeNumber(0, 1_000), 20),
  );

  command<{ allowCliDecisions?: boolean; agentSocket?: string; playbook?: string }>(
    'host',
    'be the host of a session, in the foreground and without a screen',
    async ({ options, paths, output }) => {
      const { runHost } = await import('./host.ts');
      return runHost(options, paths, context, output);
    },
  )
    .option('--allow-cli-decisions', 'let `tickmux approve` and `deny` decide, with no view attached')
    .option('--agent-socket <path>', 'where the socket for agents is to be')
    .option('--playbook <file>', 'rules that propose calls');

  json(
    command('kill-session', 'end a session with all its programs', async ({ paths, output }) => {
      const { killSession } = await import('./commands/session.ts');
      return killSession(paths, context, output);
    }),
  );

  command(
    'demo',
    'attach to session demo; a new one opens the bundled Ticks',
    async ({ options, output }) => {
      const { demo } = await import('./demo.ts');
      return demo(chosenSession({ session: options.session ?? 'demo' }, context), context, output);
    },
  );

  return program;
}
