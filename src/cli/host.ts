/**
 * The process behind a session: takes the session, opens the sockets, hands connections to the host and ends
 * with it. What happens on a connection is the host's business.
 */
import { rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Playbook } from '../agents/embedded/index.ts';
import { visible } from '../cells/visible.ts';
import { Host } from '../host/index.ts';
import { configPaths } from '../platform/config.ts';
import { type FileLog, openLog } from '../platform/log.ts';
import { ensureSessionDirectories, type SessionPaths } from '../platform/paths.ts';
import { SessionHeld, type SessionLock, takeSessionLock } from '../platform/session-lock.ts';
import { agentApi, operatorApi } from '../rpc/api/index.ts';
import { serve, Unread } from '../rpc/server.ts';
import { connect } from '../rpc/socket.ts';
import { readConfig, type Settings } from './config.ts';
import type { Context } from './context.ts';
import { CliError, exitCodes } from './exit.ts';
import type { Output } from './output.ts';
import { readPlaybookFile, runPlaybook } from './playbook.ts';

export interface HostOptions {
  allowCliDecisions?: boolean;
  /** Where agent.sock is to be, instead of the run directory. */
  agentSocket?: string;
  /** Playbook of the rules driver. */
  playbook?: string;
}

/** Runs until the host ends or a signal ends it; then nothing of it is left. */
export async function runHost(
  options: HostOptions,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  ensureSessionDirectories(paths);
  const lock = await take(paths);
  const log = openLog(paths.log);
  logBugs(log);
  try {
    const { settings, problems } = readConfig(configPaths(context.env), context.env);
    const playbook =
      options.playbook === undefined ? undefined : readPlaybookFile(resolve(context.cwd, options.playbook));
    const { scrollback } = settings;
    const host = await Host.create({
      session: paths.session,
      journal: paths.journal,
      env: context.env,
      version: context.version,
      allowCliDecisions: options.allowCliDecisions ?? false,
      log: log.logger,
      ...(scrollback !== undefined && { scrollback }),
    });
    for (const problem of problems) host.log.warn(visible(problem));
    const configured = playbook ?? configuredPlaybook(settings, host);
    if (configured) runPlaybook(configured, host, context.version);
    await serveUntilEnd(host, options, paths, context, output, log);
    return exitCodes.ok;
  } catch (error) {
    log.logger.error({ err: error }, 'The host could not run.');
    throw error;
  } finally {
    lock.release();
    log.close();
  }
}

/** A mistake in a file of the configuration stops nothing. */
function configuredPlaybook({ playbook }: Settings, host: Host): Playbook | undefined {
  if (playbook === undefined) return undefined;
  try {
    return readPlaybookFile(playbook);
  } catch (error) {
    for (const line of (error as Error).message.split('\n')) host.log.warn(visible(line));
    return undefined;
  }
}

async function take(paths: SessionPaths): Promise<SessionLock> {
  let lock: SessionLock;
  try {
    lock = await takeSessionLock(paths.run);
  } catch (error) {
    if (error instanceof SessionHeld) throw taken(paths, error.holder?.pid);
    throw error;
  }
  // A host in another network namespace (a container that shares the directory) holds another lock.
  const other = await connect(paths.operatorSocket).catch(() => undefined);
  if (!other) return lock;
  other.close();
  lock.release();
  throw taken(paths, undefined);
}

function taken(paths: SessionPaths, pid: number | undefined): CliError {
  return new CliError(
    `Session ${paths.session} has a host already${pid === undefined ? '' : ` (process ${pid})`}: ` +
      `attach to it with \`tickmux -s ${paths.session}\`.`,
  );
}

/** A bug in one place must not end everybody's programs: it is written down, and the host goes on. */
function logBugs({ logger }: FileLog): void {
  process.on('uncaughtException', (err) => logger.error({ err }, 'Uncaught exception.'));
  process.on('unhandledRejection', (err) => logger.error({ err }, 'Unhandled rejection.'));
}

async function serveUntilEnd(
  host: Host,
  { agentSocket }: HostOptions,
  paths: SessionPaths,
  context: Context,
  output: Output,
  { logger }: FileLog,
): Promise<void> {
  const onBug = (method: string, err: unknown) => logger.error({ err, method }, 'A request failed.');
  const operators = new Unread(mostUnread);
  const agents = new Unread(mostUnread);
  const doors = [
    new Door(paths.operatorSocket, (socket) =>
      serve(socket, operatorApi, (outlet) => host.acceptOperator(outlet), { onBug, unread: operators }),
    ),
    new Door(agentSocket === undefined ? paths.agentSocket : resolve(context.cwd, agentSocket), (socket) =>
      serve(socket, agentApi, (outlet) => host.acceptAgent(outlet), { onBug, unread: agents }),
    ),
  ] as const;
  const openDoors = async () => {
    for (const door of doors) await door.open();
    // Commands look for it in the run directory.
    if (agentSocket !== undefined) {
      rmSync(paths.agentSocket, { force: true });
      symlinkSync(doors[1].path, paths.agentSocket);
    }
  };
  const reopen = () => {
    openDoors().then(
      () => logger.info({}, 'Made the sockets anew.'),
      (err) => logger.error({ err }, 'Could not make the sockets anew.'),
    );
  };
  const shutdown = (signal: NodeJS.Signals) => {
    host
      .shutDown(`The host got ${signal}.`, `the signal ${signal} to its host`)
      .catch((err: unknown) => logger.error({ err }, 'Ending went wrong.'));
  };
  const ending = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of ending) process.on(signal, shutdown);
  process.on('SIGUSR1', reopen);
  try {
    await openDoors();
    logger.info({ version: context.version }, 'The host runs.');
    output.progress(`The host of session ${paths.session} runs. Ctrl-C ends it with all its programs.`);
    const reason = await host.ended;
    logger.info({ reason }, 'The host ended.');
  } catch (error) {
    await host.shutDown('The sockets could not be opened.');
    throw error;
  } finally {
    for (const door of doors) door.close();
    if (agentSocket !== undefined) rmSync(paths.agentSocket, { force: true });
    process.off('SIGUSR1', reopen);
    for (const signal of ending) process.off(signal, shutdown);
  }
}

/** Those who connect beyond it are hung up on, so that descriptors are left for programs and operators. */
const mostConnections = 512;
/** Bytes that all who came in by one door may leave unread together. */
const mostUnread = 256 * 1024 * 1024;

/** One socket to come in by. */
class Door {
  readonly path: string;
  readonly #connected: (socket: Socket) => void;
  #server: Server | undefined;

  constructor(path: string, connected: (socket: Socket) => void) {
    this.path = path;
    this.#connected = connected;
  }

  /** Listens, in place of whatever is left there; those who came in before stay. */
  async open(): Promise<void> {
    this.close();
    rmSync(this.path, { force: true });
    const server = createServer(this.#connected);
    server.maxConnections = mostConnections;
    this.#server = server;
    await new Promise<void>((opened, failed) => {
      server.once('error', (error) =>
        failed(new CliError(`Cannot listen on ${this.path}: ${error.message}.`)),
      );
      // The socket is made within this call; programs started later must not inherit the mask.
      const mask = process.umask(0o177);
      server.listen(this.path, opened);
      process.umask(mask);
    });
  }

  close(): void {
    this.#server?.close();
    this.#server = undefined;
  }
}
