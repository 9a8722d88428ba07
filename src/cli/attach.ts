/** Attaches this terminal to a session, starting its host if it has none. */
import { resolve } from 'node:path';
import type { SessionPaths } from '../platform/paths.ts';
import { operatorApi } from '../rpc/api/index.ts';
import type { Client } from '../rpc/client.ts';
import type { TuiEnd } from '../tui/index.ts';
import { environmentOf, openAsOperator } from './commands/instances.ts';
import { type Context, hasTerminal, paneOf } from './context.ts';
import { CliError, exitCodes, UsageError } from './exit.ts';
import { hostEnd } from './host-end.ts';
import { openWorkspace } from './open-workspace.ts';
import type { Output } from './output.ts';
import { connectOrStart, type FoundHost } from './start-host.ts';
import { viewSettings } from './view-settings.ts';
import type { ReadWorkspace } from './workspace.ts';

export interface AttachOptions {
  /** What to open in a new tab first. */
  command?: string[];
  shell?: boolean;
  /** A workspace file: what to open in a new session. */
  file?: string;
}

export async function attach(
  { command = [], shell = false, file }: AttachOptions,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  requireTerminal(paths, context);
  if (file !== undefined) {
    if (command.length > 0 || shell) {
      throw new UsageError('Name a workspace with -f or a program after --, not both.');
    }
    return attachWorkspace(file, paths, context, output);
  }
  loadAhead();
  const found = await connectOrStart(paths, context);
  return show(found, paths, context, output, async (host, configured) => {
    const cwd = context.cwd;
    if (command.length > 0) return openAsOperator(host, { command, shell, cwd }, configured);
    if (found.started) await openAsOperator(host, { shell: true, cwd }, configured);
    return {};
  });
}

async function attachWorkspace(
  file: string,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  const { readWorkspace, workspaceValues } = await import('./workspace.ts');
  const workspace = readWorkspace(resolve(context.cwd, file), workspaceValues, context.env);
  loadAhead();
  const found = await connectOrStart(paths, context, hostOptions(workspace));
  if (!found.started) {
    const { instances } = await found.client.request(operatorApi.list, {});
    if (instances.length > 0) {
      found.client.close();
      const count = instances.length === 1 ? 'a program' : `${instances.length} programs`;
      throw new CliError(
        `Session ${paths.session} already has ${count}, and a workspace is opened in a session of its own: ` +
          `\`tickmux -s NAME -f ${file}\`. To see what is there: \`tickmux -s ${paths.session}\`.`,
      );
    }
  }
  return showWorkspace(workspace, found, paths, context, output);
}

/** What `tickmux host` is told of a workspace. */
export function hostOptions({ playbook }: ReadWorkspace): string[] {
  return playbook === undefined ? [] : ['--playbook', playbook];
}

/** Opens the workspace, then shows the session. */
export function showWorkspace(
  workspace: ReadWorkspace,
  found: FoundHost,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  return show(found, paths, context, output, async (host, configured) => {
    const { opened, problems } = await openWorkspace(workspace, host, environmentOf(configured));
    if (opened === 0 && problems.length > 0) throw new CliError(problems.join('\n'));
    if (workspace.playbook !== undefined && !found.started) {
      problems.push(`The playbook ${workspace.playbook} was not started: the session had a host already.`);
    }
    return { problems };
  });
}

/** Loads the screen's code while the host is being found or started; whoever needs it hears of a failure. */
export function loadAhead(): void {
  void import('../tui/index.ts').catch(() => {});
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

/** What is there before the session is shown. */
interface Prepared {
  /** The pane to focus. */
  pane?: string;
  /** What went wrong, for the person. */
  problems?: string[];
}

/** Shows the session until the person detaches or it ends. `prepare` opens what is to be there at first. */
async function show(
  { client, host, started }: FoundHost,
  paths: SessionPaths,
  context: Context,
  output: Output,
  prepare: (client: Client, configured: Context) => Promise<Prepared>,
): Promise<number> {
  if (host.host.version !== context.version) {
    client.close();
    throw new CliError(
      `The host of session ${paths.session} is tickmux ${host.host.version}, this is ${context.version}. Attach with that ` +
        `version, or end the session and its programs with \`tickmux kill-session -s ${paths.session}\`.`,
    );
  }
  const settings = viewSettings(context.env);
  const configured = { ...context, env: { ...context.env, ...settings.env } };
  let prepared: Prepared;
  try {
    prepared = await prepare(client, configured);
  } catch (error) {
    // Nobody wants the empty session that only this command made.
    if (started) await client.request(operatorApi.kill, {}).catch(() => {});
    client.close();
    throw error;
  }
  const { pane, problems = [] } = prepared;
  const [problem] = problems;
  const { runTui } = await import('../tui/index.ts');
  const end = await runTui({
    ...settings.options,
    client,
    hello: host,
    env: configured.env,
    cwd: context.cwd,
    ...(pane === undefined ? {} : { pane }),
    ...(problem === undefined ? {} : { remark: { text: problem, level: 'warning' } }),
  });
  const forgotten = await settings.finish();
  for (const line of forgotten === undefined ? problems : [...problems, forgotten]) output.remark(line);
  return await tellEnd(end, paths, context);
}

async function tellEnd({ reason, message }: TuiEnd, paths: SessionPaths, context: Context): Promise<number> {
  const { session } = paths;
  if (reason === 'host-gone') {
    throw new CliError(
      `The host of session ${session} is gone${message ? `: ${message}` : '.'} Its log is ${paths.log}.`,
    );
  }
  // What the person reads next is a prompt, at which the programs are gone as the words say.
  if (reason === 'killed') await hostEnd(paths);
  const words =
    reason === 'detached'
      ? `Detached. Session ${session} goes on: \`tickmux -s ${session}\` shows it again.`
      : `Session ${session} ended.`;
  context.stdout.write(`${message ?? words}\n`);
  return exitCodes.ok;
}
