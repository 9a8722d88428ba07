/** Commands about calls of tools. */
import { callId, instanceId, jsonObject, textOrInput, wholeNumber } from '../values.ts';
import type { Define } from './define.ts';

export function defineCalls({ context, command, json, proposing }: Define): void {
  proposing(
    command<{ reason?: string; wait: boolean }>(
      'call <id> <tool> [arguments]',
      'call a tool, arguments as JSON or - for standard input; changes wait for a person',
      async ({ args, options, paths, output }) => {
        const [id, tool, given = '{}'] = args as [string, string, string?];
        const instance = instanceId(id);
        const values = jsonObject(await textOrInput(given, context.stdin));
        const { call } = await import('../commands/calls.ts');
        return call({ ...options, instance, tool, arguments: values }, paths, context, output);
      },
    ),
  );

  json(
    command<{ secret: string; wait: number }>(
      'status <call>',
      'how a call made with --no-wait stands',
      async ({ args, options, paths, output }) => {
        const { status } = await import('../commands/calls.ts');
        return status(callId(args[0] as string), options.secret, options.wait, paths, context, output);
      },
    )
      .requiredOption('--secret <secret>', 'what `call --no-wait` printed')
      .option('--wait <seconds>', 'wait that long for the outcome, at most 60', wholeNumber(0, 60), 0),
  );

  json(
    command('pending', 'list the calls that wait for a person', async ({ paths, output }) => {
      const { pending } = await import('../commands/calls.ts');
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
          const { decide } = await import('../commands/calls.ts');
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
}
