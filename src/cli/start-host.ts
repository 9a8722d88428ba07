/** Finds the host of a session or starts it as a process of its own, which outlives this one. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureSessionDirectories, type SessionPaths } from '../platform/paths.ts';
import { sessionHolder } from '../platform/session-lock.ts';
import { connectOperator, NoHost, type OperatorConnection } from './connection.ts';
import type { Context } from './context.ts';
import { CliError } from './exit.ts';

/** How long a host may take from its start to its first greeting. */
const startMs = 30_000;

export interface FoundHost extends OperatorConnection {
  /** This very command started it. */
  started: boolean;
}

/** @param hostOptions further options of `tickmux host`, should it have to be started */
export async function connectOrStart(
  paths: SessionPaths,
  context: Context,
  hostOptions: readonly string[] = [],
): Promise<FoundHost> {
  try {
    return { ...(await connectOperator(paths, context)), started: false };
  } catch (error) {
    if (!(error instanceof NoHost)) throw error;
  }
  // Somebody else may be starting it: the session is taken before its sockets are there.
  if (sessionHolder(paths.run)) return { ...(await answering(paths, context, () => false)), started: false };
  ensureSessionDirectories(paths);
  const host = spawnHost(paths, context, hostOptions);
  try {
    const connection = await answering(paths, context, host.ended);
    return { ...connection, started: connection.host.host.pid === host.pid };
  } catch (error) {
    if (!(error instanceof NoHost)) throw error;
    throw new CliError(`The host of session ${paths.session} did not start. ${host.said()}`);
  }
}

/** Connects as soon as a host answers; gives up after a while, or when `hopeless` and nobody has the session. */
async function answering(
  paths: SessionPaths,
  context: Context,
  hopeless: () => boolean,
): Promise<OperatorConnection> {
  const deadline = Date.now() + startMs;
  for (let pause = 5; ; pause = Math.min(pause * 1.5, 20)) {
    try {
      return await connectOperator(paths, context);
    } catch (error) {
      if (!(error instanceof NoHost) || Date.now() > deadline) throw error;
      if (hopeless() && !sessionHolder(paths.run)) throw error;
    }
    await delay(pause);
  }
}

interface SpawnedHost {
  pid: number | undefined;
  ended(): boolean;
  /** What it said before it ended, for a person. */
  said(): string;
}

function spawnHost(paths: SessionPaths, context: Context, hostOptions: readonly string[]): SpawnedHost {
  const words = join(paths.state, 'start.log');
  const file = openSync(words, 'w', 0o600);
  const host = spawn(
    process.execPath,
    [context.entry, 'host', '--session', paths.session, ...hostOptions],
    // The root directory: a host keeps no file system busy.
    { detached: true, cwd: '/', env: context.env, stdio: ['ignore', file, file] },
  );
  closeSync(file);
  let ended = false;
  let failure: string | undefined;
  host.on('exit', () => {
    ended = true;
  });
  host.on('error', (error) => {
    ended = true;
    failure = error.message;
  });
  host.unref();
  return {
    pid: host.pid,
    ended: () => ended,
    said: () => failure || readFileSync(words, 'utf8').trim() || `Its log, ${paths.log}, may say why.`,
  };
}
