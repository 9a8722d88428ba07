/** Commands about tickmux itself: is all well, what may be written where, completion. */
import { Argument, type Command } from 'commander';
import type { Define } from './define.ts';

export function defineSetup({ context, command, json }: Define): void {
  json(
    command<{ reset?: boolean }>(
      'doctor',
      'check this terminal, this machine and the configuration',
      async ({ options, paths, output }) => {
        const { doctor, resetTerminal } = await import('../doctor/doctor.ts');
        return options.reset ? resetTerminal(context, output) : doctor(paths, context, output);
      },
    ).option('--reset', 'instead, put a terminal in order that a program left in a bad state'),
  );

  command('schema [name]', 'print the JSON Schema of a file that people write', async ({ args }) => {
    const { schema } = await import('../commands/schema.ts');
    return schema(args[0], context);
  });

  const made: Command = command(
    'completion',
    'print a script that lets a shell complete tickmux',
    async ({ args }) => {
      const { completion } = await import('../completion/completion.ts');
      return completion(args[0] as string, made.parent as Command, context);
    },
  ).addArgument(new Argument('<shell>', 'whose').choices(['bash', 'zsh', 'fish']));
}
