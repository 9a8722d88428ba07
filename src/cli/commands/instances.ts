/** Commands about instances: list, describe, read, look at the screen, open, type, close, restart. */
import { resolve } from 'node:path';
import { visible } from '../../cells/visible.ts';
import type { SessionPaths } from '../../platform/paths.ts';
import { agentApi, operatorApi } from '../../rpc/api/index.ts';
import type { Client } from '../../rpc/client.ts';
import { withAgent, withOperator } from '../connection.ts';
import { type Context, paneOf } from '../context.ts';
import { CliError, exitCodes, UsageError } from '../exit.ts';
import { jsonLines, type Output, textLines } from '../output.ts';
import { ask, type Proposal } from '../proposals.ts';

export async function ls(paths: SessionPaths, context: Context, output: Output): Promise<number> {
  const answer = await withAgent(paths, context, (host) =>
    host.request(agentApi.tickManage, { action: 'list' }),
  );
  if (!('instances' in answer)) throw new CliError('The host answered with something else than a list.');
  const { instances } = answer;
  await output.answerTable(
    { instances },
    'Nothing runs in this session.',
    ['ID', 'STATUS', 'TITLE', 'KIND', 'WAITING', 'COMMAND'],
    instances.map((one) => [
      one.instance,
      one.status === 'ended' ? (one.ended ?? 'ended') : one.status,
      one.title,
      one.kind ?? '',
      one.waiting > 0 ? String(one.waiting) : '',
      one.command.join(' '),
    ]),
  );
  return exitCodes.ok;
}

export async function describe(
  instance: string,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  const answer = await withAgent(paths, context, (host) => host.request(agentApi.tickDescribe, { instance }));
  output.answer(answer, () => jsonLines(answer.descriptor));
  return exitCodes.ok;
}

export async function read(
  instance: string,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  const answer = await withAgent(paths, context, (host) => host.request(agentApi.tickRead, { instance }));
  output.answer(answer, () => jsonLines(answer.data));
  output.progress(`${answer.instance} seq ${answer.seq}, ${visible(answer.at)}`);
  return exitCodes.ok;
}

export async function screen(
  instance: string,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  const answer = await withOperator(paths, context, (host) => host.request(operatorApi.screen, { instance }));
  output.answer(answer, () =>
    textLines(
      answer.lines
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd(),
    ),
  );
  return exitCodes.ok;
}

export interface OpenOptions extends Proposal {
  command: string[];
  shell?: boolean;
  cwd?: string;
  name?: string;
}

export async function open(
  { command, shell = false, cwd, name, ...proposal }: OpenOptions,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  if (command.length === 0 && !shell) {
    throw new UsageError(
      'Name the Tick to start: `tickmux open -- CMD`; for a shell: `tickmux open --shell`.',
    );
  }
  // Only what starts a program needs the configuration, and with it a validator.
  const { configuredEnvironment } = await import('../config.ts');
  const configured = { ...context, env: { ...context.env, ...configuredEnvironment(context.env) } };
  const what = {
    command: command.length > 0 ? command : [configured.env.SHELL || '/bin/sh'],
    cwd: resolve(context.cwd, cwd ?? '.'),
    ...(shell ? { shell } : {}),
    ...(name === undefined ? {} : { name }),
  };
  if (paneOf(paths.session, context.env)) {
    return withAgent(paths, context, (host) =>
      ask(host, { action: 'open', ...what }, { ...proposal, session: paths.session }, output),
    );
  }
  const opened = await withOperator(paths, context, (host) => openAsOperator(host, what, configured));
  output.answer(opened, () => [opened.instance]);
  return exitCodes.ok;
}

/** The environment programs get from this process. */
export function environmentOf({ env }: Context): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Opens a program with this process's environment, in a tab of its own. */
export async function openAsOperator(
  host: Client,
  what: { command?: string[]; shell?: boolean; cwd: string; name?: string },
  context: Context,
) {
  try {
    return await host.request(operatorApi.open, {
      ...what,
      env: environmentOf(context),
      place: { in: 'tab' },
    });
  } catch (error) {
    if (what.shell || !(error instanceof Error)) throw error;
    throw new CliError(
      `${error.message}\nAn ordinary program, which speaks no Tick protocol, is opened with --shell.`,
    );
  }
}

export async function type(
  instance: string,
  text: string,
  proposal: Proposal,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  if (paneOf(paths.session, context.env)) {
    return withAgent(paths, context, (host) =>
      ask(host, { action: 'input', instance, text }, { ...proposal, session: paths.session }, output),
    );
  }
  await withOperator(paths, context, (host) => host.request(operatorApi.typeText, { instance, text }));
  output.answer({ instance }, () => []);
  return exitCodes.ok;
}

export async function endOrRestart(
  action: 'close' | 'restart',
  instance: string,
  proposal: Proposal,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  if (paneOf(paths.session, context.env)) {
    return withAgent(paths, context, (host) =>
      ask(host, { action, instance }, { ...proposal, session: paths.session }, output),
    );
  }
  await withOperator(paths, context, (host) => host.request(operatorApi[action], { instance }));
  output.answer({ instance }, () => []);
  return exitCodes.ok;
}
