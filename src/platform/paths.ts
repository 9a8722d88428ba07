/**
 * Where a session lives on disk: its run directory with the sockets, its journal, its log.
 * Creates and checks directories; never opens what is in them.
 */
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Longest path a Unix socket may have here; the kernel's own limit is 103 to 107 bytes. */
const socketPathBytes = 100;

export interface SessionPaths {
  session: string;
  /** 0700; holds the sockets. */
  run: string;
  operatorSocket: string;
  agentSocket: string;
  /** 0700; holds journal and log, and outlives the host. */
  state: string;
  journal: string;
  log: string;
}

/** A path that cannot be used, in words for a person. */
export class PathError extends Error {
  override name = 'PathError';
}

function isSessionName(name: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,31}$/.test(name);
}

/** Session names are file names: letters, digits, `_`, `-` and `.`, not beginning with a dot, at most 32. */
function checkSessionName(name: string): string {
  if (!isSessionName(name)) {
    throw new PathError(
      `"${name.slice(0, 64)}" cannot name a session: use 1 to 32 letters, digits, "_", "-" or ".", not beginning with a dot.`,
    );
  }
  return name;
}

/**
 * The paths of a session. Not XDG_RUNTIME_DIR: it is emptied at logout, while sessions live on.
 * Creates nothing.
 */
export function sessionPaths(name: string, env: NodeJS.ProcessEnv = process.env): SessionPaths {
  checkSessionName(name);
  const base = stateDirectory(env);
  const state = join(base, 'sessions', name);
  let run = join(base, 'run', name);
  if (Buffer.byteLength(join(run, 'operator.sock')) > socketPathBytes) {
    // Sessions of one name under two state homes must not meet in the shared fallback.
    const tag = createHash('sha256').update(run).digest('hex').slice(0, 12);
    run = join(tmpdir(), `tickmux-${process.getuid?.() ?? 0}`, tag);
  }
  return {
    session: name,
    run,
    operatorSocket: join(run, 'operator.sock'),
    agentSocket: join(run, 'agent.sock'),
    state,
    journal: join(state, 'journal.jsonl'),
    log: join(state, 'host.log'),
  };
}

/** Sessions that have left something on this disk, running or not, in the order of their names. */
export function sessionNames(env: NodeJS.ProcessEnv): string[] {
  const base = stateDirectory(env);
  const names = ['run', 'sessions'].flatMap((folder) => {
    try {
      return readdirSync(join(base, folder));
    } catch {
      return [];
    }
  });
  return [...new Set(names.filter(isSessionName))].sort();
}

/** What belongs to no one session: the directories of all of them, and what is remembered. Creates nothing. */
export function stateDirectory(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_STATE_HOME;
  // The XDG rules: a relative path is to be ignored.
  const home = given?.startsWith('/') ? given : join(env.HOME || homedir(), '.local', 'state');
  return join(home, 'tickmux');
}

/** Where what the program remembers is kept (remembered.ts). */
export function rememberedPath(env: NodeJS.ProcessEnv): string {
  return join(stateDirectory(env), 'remembered.json');
}

/** Makes the directories of a session, private to this user, and refuses ones that are not. */
export function ensureSessionDirectories(paths: SessionPaths): void {
  for (const directory of [paths.run, paths.state]) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    ensurePrivate(directory);
  }
  // The shared parent in the temporary directory could be somebody else's.
  const parent = resolve(paths.run, '..');
  if (parent.startsWith(tmpdir())) ensurePrivate(parent);
}

function ensurePrivate(directory: string): void {
  const stat = lstatSync(directory);
  if (!stat.isDirectory()) {
    throw new PathError(
      `${directory} is not a directory (a link does not count): remove it and start again.`,
    );
  }
  if (process.getuid && stat.uid !== process.getuid()) {
    throw new PathError(
      `${directory} belongs to another user (${stat.uid}): remove it or set XDG_STATE_HOME.`,
    );
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(directory, 0o700);
}
