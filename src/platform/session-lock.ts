/**
 * One host per session, held by something the kernel lets go of together with the process: on Linux
 * an abstract socket, elsewhere a file that names pid and start time. Never decided by age: a host
 * that was stopped for an hour is still the host.
 */
import { createHash } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts';

export interface SessionLock {
  /** Lets the session go. The end of the process does the same. */
  release(): void;
}

/** Another process holds the session. */
export class SessionHeld extends Error {
  override name = 'SessionHeld';
  /** Who holds it, as far as that is known. */
  readonly holder: ProcessIdentity | undefined;

  constructor(holder: ProcessIdentity | undefined) {
    super(holder ? `Process ${holder.pid} holds the session.` : 'Another process holds the session.');
    this.holder = holder;
  }
}

export type LockWay = 'socket' | 'file';

/**
 * Takes the session whose run directory this is; the directory must exist.
 * @throws SessionHeld when another process has it.
 */
export async function takeSessionLock(run: string, way: LockWay = bestWay()): Promise<SessionLock> {
  const lock = way === 'socket' ? await lockBySocket(run) : undefined;
  return lock ?? lockByFile(run);
}

/** Who holds the session, by the note the holder left; undefined when nobody living does. */
export function sessionHolder(run: string): ProcessIdentity | undefined {
  const holder = readIdentity(join(run, noteName));
  return holder && isAlive(holder) ? holder : undefined;
}

/**
 * When whoever holds the session, or held it last and did not let it go by itself, took it: milliseconds since
 * 1970. Undefined when nobody left a note.
 */
export function heldSince(run: string): number | undefined {
  return statSync(join(run, noteName), { throwIfNoEntry: false })?.mtimeMs;
}

const noteName = 'host.pid';

function bestWay(): LockWay {
  return process.platform === 'linux' ? 'socket' : 'file';
}

/** Resolves to undefined where abstract sockets turn out not to work. */
async function lockBySocket(run: string): Promise<SessionLock | undefined> {
  const { dev, ino } = statSync(run, { bigint: true });
  // Filled up to the size of sun_path: some versions of Node pad a shorter name with NUL bytes and
  // others do not, which would make two names, and so two hosts, of one session.
  const name = `tickmux-${dev}-${ino}-`.padEnd(107, '-');
  const server = createServer((socket) => socket.destroy());
  try {
    await listen(server, `\0${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw new SessionHeld(sessionHolder(run));
    return undefined;
  }
  // A Node that cuts the name at its NUL byte binds something else, and locks nothing.
  if (!readFileSync('/proc/net/unix', 'latin1').includes(`@${name}`)) {
    server.close();
    return undefined;
  }
  server.unref();
  const note = join(run, noteName);
  writeIdentity(note);
  return {
    release: () => {
      rmSync(note, { force: true });
      server.close();
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}

/**
 * The note itself is the lock: it appears complete and only once, by link(2). A dead holder's note is
 * replaced by whoever links the claim named after that very holder; there can be but one.
 */
function lockByFile(run: string): SessionLock {
  const note = join(run, noteName);
  const mine = `${note}.${process.pid}`;
  writeIdentity(mine);
  try {
    if (!tryLink(mine, note)) takeOver(note, mine);
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    release: () => {
      if (readIdentity(note)?.pid === process.pid) rmSync(note, { force: true });
    },
  };
}

function takeOver(note: string, mine: string): void {
  const left = readIdentity(note);
  if (!left || isAlive(left)) throw new SessionHeld(left);
  const tag = createHash('sha256').update(`${left.pid} ${left.started}`).digest('hex').slice(0, 16);
  const claim = `${note}.after-${tag}`;
  if (!tryLink(mine, claim)) {
    const claimant = readIdentity(claim);
    throw new SessionHeld(claimant && isAlive(claimant) ? claimant : undefined);
  }
  try {
    // Whoever held this claim before us has replaced the note, and may be gone again.
    const now = readIdentity(note);
    if (now && now.pid === left.pid && now.started === left.started) {
      const fresh = `${mine}.fresh`;
      writeIdentity(fresh);
      renameSync(fresh, note);
    } else if (!tryLink(mine, note)) {
      throw new SessionHeld(readIdentity(note));
    }
  } finally {
    rmSync(claim, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function writeIdentity(path: string): void {
  writeFileSync(path, `${JSON.stringify(ownIdentity())}\n`, { mode: 0o600 });
}

function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity>;
    if (!Number.isSafeInteger(value.pid) || typeof value.started !== 'string') return undefined;
    return { pid: value.pid as number, started: value.started };
  } catch {
    return undefined;
  }
}
