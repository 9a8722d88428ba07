/** What surrounds a command: its process, and what all commands are given. Reads the environment, changes nothing. */
import type { ReadStream, WriteStream } from 'node:tty';
import { type SessionPaths, sessionPaths } from '../platform/paths.ts';

export interface Context {
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: ReadStream;
  stdout: WriteStream;
  stderr: WriteStream;
  /** The script that started this process, and starts a host. */
  entry: string;
  version: string;
}

/** Options every command takes. */
export interface CommonOptions {
  session?: string;
  json?: boolean;
}

/** The session meant: named, or the one around this process, or `main`. */
export function chosenSession(options: CommonOptions, context: Context): SessionPaths {
  return sessionPaths(options.session ?? (context.env.TICKMUX_SESSION || 'main'), context.env);
}

/**
 * The instance whose pane this process runs in, if it is one of that session. A pane that does not tell its
 * session counts as one of any: what runs there must not act with an operator's authority by accident.
 */
export function paneOf(session: string, env: NodeJS.ProcessEnv): string | undefined {
  if (!env.TICKMUX_INSTANCE) return undefined;
  return env.TICKMUX_SESSION && env.TICKMUX_SESSION !== session ? undefined : env.TICKMUX_INSTANCE;
}

/** Whether a person's terminal is at both ends. */
export function hasTerminal({ stdin, stdout }: Context): boolean {
  return Boolean(stdin.isTTY && stdout.isTTY);
}
