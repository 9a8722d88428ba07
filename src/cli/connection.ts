/**
 * A command's connection to the host of a session, and in what words it fails. Never starts a host
 * (see start-host.ts).
 */

import { type SessionPaths, sessionNames, sessionPaths } from '../platform/paths.ts';
import { isStopped } from '../platform/process-identity.ts';
import { sessionHolder } from '../platform/session-lock.ts';
import { agentApi, operatorApi } from '../rpc/api/index.ts';
import type { Result } from '../rpc/api/message.ts';
import { type Client, ConnectionEnded } from '../rpc/client.ts';
import { connect } from '../rpc/socket.ts';
import type { Context } from './context.ts';
import { CliError } from './exit.ts';

/** A host that has not greeted after this is looked at: it may have been stopped. */
const lookMs = 3_000;

/** How long a host that was not stopped may take to greet. A busy machine is no reason to have it killed. */
const greetingMs = 30_000;

/** No socket, or nobody behind it. */
export class NoHost extends CliError {
  override name = 'NoHost';
}

export interface OperatorConnection {
  client: Client;
  host: Result<typeof operatorApi.hello>;
}

/** Connects as the person at this terminal. */
export async function connectOperator(paths: SessionPaths, context: Context): Promise<OperatorConnection> {
  const client = await open(paths.operatorSocket, paths, context);
  const hello = client.request(operatorApi.hello, { name: 'tickmux cli', version: context.version });
  return { client, host: await greeted(hello, client, paths) };
}

/** Connects as an agent like any other. */
async function connectAgent(paths: SessionPaths, context: Context): Promise<Client> {
  const client = await open(context.env.TICKMUX_AGENT_SOCKET || paths.agentSocket, paths, context);
  await greeted(
    client.request(agentApi.hello, { name: 'tickmux cli', version: context.version }),
    client,
    paths,
  );
  return client;
}

/** Runs `use` with a connection, and ends it whatever happens. */
export async function withOperator<T>(
  paths: SessionPaths,
  context: Context,
  use: (client: Client, host: OperatorConnection['host']) => Promise<T>,
): Promise<T> {
  const { client, host } = await connectOperator(paths, context);
  try {
    return await use(client, host);
  } finally {
    client.close();
  }
}

/** As {@link withOperator}, on the agents' socket. */
export async function withAgent<T>(
  paths: SessionPaths,
  context: Context,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connectAgent(paths, context);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

async function open(socket: string, paths: SessionPaths, context: Context): Promise<Client> {
  try {
    return await connect(socket);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') {
      throw new CliError(`The socket ${socket} belongs to another user: run this as that user.`);
    }
    if (code !== 'ENOENT' && code !== 'ECONNREFUSED') {
      throw new CliError(`Cannot connect to the host of session ${paths.session} at ${socket}: ${message}.`);
    }
    const holder = sessionHolder(paths.run);
    if (holder) {
      throw new NoHost(
        `The host of session ${paths.session} (process ${holder.pid}) runs, but its socket ${socket} is gone: ` +
          `\`kill -USR1 ${holder.pid}\` makes it anew.`,
      );
    }
    const others = othersRunning(paths.session, context);
    throw new NoHost(
      `No host runs for session ${paths.session}: start it with \`tickmux -s ${paths.session}\`.` +
        (others.length > 0 ? ` Running: ${others.join(', ')}; \`-s ${others[0]}\` names one.` : ''),
    );
  }
}

/** The names of other sessions that have a host; a few are enough to tell. */
function othersRunning(session: string, { env }: Context): string[] {
  return sessionNames(env)
    .filter((name) => name !== session && sessionHolder(sessionPaths(name, env).run))
    .slice(0, 5);
}

async function greeted<T>(hello: Promise<T>, client: Client, paths: SessionPaths): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const until = Date.now() + greetingMs;
    timer = setInterval(() => {
      const holder = sessionHolder(paths.run);
      if ((holder && isStopped(holder.pid)) || Date.now() >= until) reject(silent(paths));
    }, lookMs);
  });
  try {
    return await Promise.race([hello, late]);
  } catch (error) {
    client.close();
    if (error instanceof ConnectionEnded) {
      throw new NoHost(`The host of session ${paths.session} ended the connection: it is ending itself.`);
    }
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** A host that was stopped is still the host: nothing is started in its place. */
function silent(paths: SessionPaths): CliError {
  const holder = sessionHolder(paths.run);
  const who = `The host of session ${paths.session}${holder ? ` (process ${holder.pid})` : ''}`;
  if (!holder) return new CliError(`${who} does not answer. Its log is ${paths.log}.`);
  if (isStopped(holder.pid)) {
    return new CliError(
      `${who} is stopped: \`kill -CONT ${holder.pid}\` lets it go on, ` +
        `\`kill -KILL ${holder.pid}\` ends it with all its programs.`,
    );
  }
  return new CliError(
    `${who} has not answered for ${greetingMs / 1_000} s. Its log is ${paths.log}; ` +
      `\`kill -KILL ${holder.pid}\` ends it with all its programs.`,
  );
}
