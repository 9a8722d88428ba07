/** Attaches this terminal to a session, starting its host if it has none. */
import type { SessionPaths } from '../platform/paths.ts';
import { operatorApi } from '../rpc/api/index.ts';
import type { Client } from '../rpc/client.ts';
import type { TuiEnd } from '../tui/index.ts';
import { openAsOperator } from './commands/instances.ts';
import { type Context, hasTerminal, paneOf } from './context.ts';
import { CliError, exitCodes, UsageError } from './exit.ts';
import { connectOrStart, type FoundHost } from './start-host.ts';

export interface AttachOptions {
  /** What to open in a new tab first. */
  command?: string[];
  shell?: boolean;
}

export async function attach(
  { command = [], shell = false }: AttachOptions,
  paths: SessionPaths,
  context: Context,
): Promise<number> {
  requireTerminal(paths, context);
  const found = await connectOrStart(paths, context);
  return show(found, paths, context, async (host) => {
    const cwd = context.cwd;
    if (command.length > 0) return (await openAsOperator(host, { command, shell, cwd }, context)).pane;
    if (found.started) await openAsOperator(host, { shell: true, cwd }, context);
    return undefined;
  });
}

/** Refuses, before anything is started, where a view could not be shown. */
export function requireTerminal(paths: SessionPaths, context: Context): void {
  if (!hasTerminal(context)) {
    throw new UsageError(
      'tickmux shows its screen in a terminal, and standard input or output is none here. Run it in a ' +
        'terminal; for scripts there are `tickmux open`, `ls`, `read`, `call` and others (`tickmux --help`), ' +
        `and \`tickmux host -s ${paths.session}\` runs a session without a screen.`,
    );
  }
  if (!context.env.TERM || context.env.TERM === 'dumb') {
    throw new UsageError(
      `This terminal cannot place text (TERM is ${context.env.TERM ? 'dumb' : 'not set'}): use another one.`,
    );
  }
  const pane = paneOf(paths.session, context.env);
  if (pane) {
    throw new CliError(
      `This is a pane (${pane}) of session ${paths.session}, which cannot show itself. Use another session: \`tickmux -s NAME\`.`,
    );
  }
}

/**
 * Shows the session until the person detaches or it ends. `prepare` opens what is to be there at first, and
 * may name the pane to focus.
 */
export async function show(
  { client, host, started }: FoundHost,
  paths: SessionPaths,
  context: Context,
  prepare: (client: Client) => Promise<string | undefined>,
): Promise<number> {
  if (host.host.version !== context.version) {
    client.close();
    throw new CliError(
      `The host of session ${paths.session} is tickmux ${host.host.version}, this is ${context.version}. Attach with that ` +
        `version, or end the session and its programs with \`tickmux kill-session -s ${paths.session}\`.`,
    );
  }
  let pane: string | undefined;
  try {
    pane = await prepare(client);
  } catch (error) {
    // Nobody wants the empty session that only this command made.
    if (started) await client.request(operatorApi.kill, {}).catch(() => {});
    client.close();
    throw error;
  }
  const { runTui } = await import('../tui/index.ts');
  const end = await runTui({
    client,
    hello: host,
    env: context.env,
    cwd: context.cwd,
    ...(pane === undefined ? {} : { pane }),
  });
  return tellEnd(end, paths, context);
}

function tellEnd({ reason, message }: TuiEnd, paths: SessionPaths, context: Context): number {
  const { session } = paths;
  if (reason === 'host-gone') {
    throw new CliError(
      `The host of session ${session} is gone${message ? `: ${message}` : '.'} Its log is ${paths.log}.`,
    );
  }
  const words =
    reason === 'detached'
      ? `Detached. Session ${session} goes on: \`tickmux -s ${session}\` shows it again.`
      : `Session ${session} ended.`;
  context.stdout.write(`${message ?? words}\n`);
  return exitCodes.ok;
}
