/** Commands about the programs of a session. */
import { instanceId, textOrInput } from '../values.ts';
import type { Define } from './define.ts';

export function definePrograms({ context, command, json, proposing }: Define): void {
  proposing(
    command<{ shell?: boolean; cwd?: string; name?: string }>(
      'open [cmd...]',
      "start a Tick, or with --shell another program (by default the user's shell)",
      async ({ args, options, paths, output }) => {
        const { open } = await import('../commands/instances.ts');
        return open({ ...options, command: args }, paths, context, output);
      },
    )
      .option('--shell', 'CMD is an ordinary program, which speaks no Tick protocol')
      .option('--cwd <dir>', 'where it starts (default: here)')
      .option('--name <name>', "title of its pane (default: the Tick's own, or the program's name)"),
  );

  json(
    command('ls', 'list what runs', async ({ paths, output }) => {
      const { ls } = await import('../commands/instances.ts');
      return ls(paths, context, output);
    }),
  );

  json(
    command('describe <id>', 'what a Tick can do: its descriptor', async ({ args, paths, output }) => {
      const { describe } = await import('../commands/instances.ts');
      return describe(instanceId(args[0] as string), paths, context, output);
    }),
  );

  json(
    command('read <id>', 'the present state of a Tick', async ({ args, paths, output }) => {
      const { read } = await import('../commands/instances.ts');
      return read(instanceId(args[0] as string), paths, context, output);
    }),
  );

  json(
    command('screen <id>', 'the visible text of an instance', async ({ args, paths, output }) => {
      const { screen } = await import('../commands/instances.ts');
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
        const { type } = await import('../commands/instances.ts');
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
          const { endOrRestart } = await import('../commands/instances.ts');
          return endOrRestart(action, instanceId(args[0] as string), options, paths, context, output);
        },
      ),
    );
  }
}
