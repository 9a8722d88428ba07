/** Commands about sessions as a whole. */
import { callTransitions } from '../../host/call-states.ts';
import type { CallState } from '../../rpc/api/calls.ts';
import type { CallFilter } from '../commands/past-calls.ts';
import { chosenSession } from '../context.ts';
import { UsageError } from '../exit.ts';
import { callId, instanceId, moment, oneOf, wholeNumber } from '../values.ts';
import type { Define } from './define.ts';

/** Without what commander adds of its own. */
function filterOf({ call, instance, agent, tool, outcome, since }: CallFilter): CallFilter {
  return Object.fromEntries(
    Object.entries({ call, instance, agent, tool, outcome, since }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

export function defineSessions({ context, command, json }: Define): void {
  command<{ shell?: boolean; file?: string }>(
    'attach [cmd...]',
    'attach this terminal (the default command)',
    async ({ args, options, paths, output }) => {
      const { attach } = await import('../attach.ts');
      return attach({ command: args, ...options }, paths, context, output);
    },
  )
    .option('--shell', 'CMD is an ordinary program, not a Tick')
    .option('-f, --file <workspace>', 'open what a workspace file lists, in a new session');

  command<{ force?: boolean }>(
    'save [file]',
    'write the session as a workspace file, or print it',
    async ({ args, options, paths, output }) => {
      const { save } = await import('../commands/save.ts');
      const [file] = args;
      return save({ ...options, ...(file !== undefined && { file }) }, paths, context, output);
    },
  ).option('--force', 'replace a file that is there');

  json(
    command<{ follow?: boolean; lines: number; verify?: boolean; calls?: boolean } & CallFilter>(
      'log',
      'what happened',
      async ({ options, paths, output }) => {
        const { follow, lines, verify, calls, ...filter } = options;
        const asked = filterOf(filter);
        if (calls || Object.keys(asked).length > 0) {
          if (follow || verify) {
            throw new UsageError(
              'Calls are looked up in the journal as it is: leave out --follow and --verify.',
            );
          }
          const { pastCalls } = await import('../commands/past-calls.ts');
          return pastCalls(asked, lines, paths, output);
        }
        if (options.verify) {
          const { verifyJournal } = await import('../commands/journal.ts');
          return verifyJournal(paths, output);
        }
        const { log } = await import('../commands/session.ts');
        return log({ lines: options.lines, follow: options.follow ?? false }, paths, context, output);
      },
    )
      .option('-f, --follow', 'go on until Ctrl-C')
      .option('-n, --lines <number>', 'how many of the newest', wholeNumber(0, 1_000), 20)
      .option('--calls', 'calls from the journal instead, also of a session that ended')
      .option('--call <id>', 'the call of that id', callId)
      .option('--instance <id>', 'calls for that instance', instanceId)
      .option('--agent <agent>', 'calls of that agent: its id or its name')
      .option('--tool <name>', 'calls of that tool')
      .option(
        '--outcome <state>',
        'calls that ended so or stand so',
        oneOf(Object.keys(callTransitions) as CallState[]),
      )
      .option('--since <when>', 'calls proposed since then: 30m, 2h, 7d, or a date', moment)
      .option(
        '--verify',
        'look the journal through instead: is it whole, and was each call approved and sent once',
      ),
  );

  command<{ allowCliDecisions?: boolean; agentSocket?: string; playbook?: string }>(
    'host',
    'be the host of a session, in the foreground and without a screen',
    async ({ options, paths, output }) => {
      const { runHost } = await import('../host.ts');
      return runHost(options, paths, context, output);
    },
  )
    .option('--allow-cli-decisions', 'let `tickmux approve` and `deny` decide, with no view attached')
    .option('--agent-socket <path>', 'where the socket for agents is to be (default: the run directory)')
    .option('--playbook <file>', 'rules that propose calls (default: that of the configuration)');

  json(
    command('list-sessions', 'list the sessions that run', async ({ output }) => {
      const { listSessions } = await import('../commands/list-sessions.ts');
      return listSessions(context, output);
    }).alias('sessions'),
  );

  json(
    command('kill-session', 'end a session with all its programs', async ({ paths, output }) => {
      const { killSession } = await import('../commands/session.ts');
      return killSession(paths, context, output);
    }),
  );

  command(
    'demo',
    'attach to session demo; a new one opens the bundled Ticks',
    async ({ options, output }) => {
      const { demo } = await import('../demo.ts');
      return demo(chosenSession({ session: options.session ?? 'demo' }, context), context, output);
    },
  );
}
