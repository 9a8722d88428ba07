/**
 * The only place that knows node-pty: opens pseudo-terminals, resizes them, and keeps their masters out of
 * later children. It never reads, writes or starts anything.
 */
import type { StdioOptions } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { codeOf, LaunchError, reasonOf } from './errors.ts';

/** The part of node-pty's `native` object in use. Not public there, hence the exact version in package.json. */
interface NativePty {
  open(cols: number, rows: number): { master: number; slave: number; pty: string };
  resize(master: number, cols: number, rows: number): void;
}

/** An open pseudo-terminal. `master` is non-blocking. */
export interface Pty {
  readonly master: number;
  /**
   * The host's own handle on the program's side, close-on-exec. While it is open the kernel reports no end of
   * output, even if the program closes all its own handles for a moment.
   */
  readonly slave: number;
  /** The device, such as `/dev/pts/7`. */
  readonly path: string;
  /** @throws Error when the terminal is gone */
  resize(cols: number, rows: number): void;
  /** Takes `master` off the list of descriptors hidden from children. Closing it is the reader's business. */
  forget(): void;
}

/**
 * node-pty opens masters without close-on-exec and Node cannot set the flag later, so every child would hold
 * its siblings' terminals open. Descriptor numbers belong to the process, therefore so does this list.
 */
const masters = new Map<number, Pty>();

/** @throws LaunchError when node-pty cannot be loaded */
export async function loadNative(
  load: () => Promise<unknown> = () => import('node-pty'),
): Promise<NativePty> {
  let why: string;
  try {
    const loaded = (await load()) as {
      native?: Partial<NativePty>;
      default?: { native?: Partial<NativePty> };
    };
    const native = loaded.native ?? loaded.default?.native;
    if (native?.open && native.resize) return native as NativePty;
    why = 'this version has no native.open';
  } catch (error) {
    why = reasonOf(error);
  }
  throw new LaunchError(
    `Cannot open a terminal: node-pty does not load (${why}). Rebuild it with "npm rebuild node-pty"; ` +
      'that needs python3, make and g++.',
    'node-pty',
    'ERR_DLOPEN_FAILED',
  );
}

/**
 * Opens a terminal of the given size.
 * @throws LaunchError when the system has no terminal or descriptor left
 */
export function openPty(native: NativePty, cols: number, rows: number): Pty {
  let opened: ReturnType<NativePty['open']>;
  try {
    opened = native.open(cols, rows);
  } catch (error) {
    throw new LaunchError(
      `Cannot open a terminal (${reasonOf(error)}). Close some panes, or raise the limits of open files ` +
        '(ulimit -n) and of terminals (on Linux kernel.pty.max).',
      '/dev/ptmx',
      'EMFILE',
      error,
    );
  }
  const { master, slave, pty: path } = opened;
  let own: number;
  try {
    // Reopened because node-pty's handle is inherited by children; NOCTTY because the host may be a session
    // leader without a terminal, and must not get this one.
    own = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch (error) {
    closeSync(master);
    throw new LaunchError(
      `Cannot open the terminal ${path}: ${reasonOf(error)}. Close some panes and try again.`,
      path,
      codeOf(error),
      error,
    );
  } finally {
    closeSync(slave);
  }
  const pty: Pty = {
    master,
    slave: own,
    path,
    resize: (cols, rows) => native.resize(master, cols, rows),
    forget: () => {
      // The number may already belong to a newer terminal.
      if (masters.get(master) === pty) masters.delete(master);
    },
  };
  masters.set(master, pty);
  return pty;
}

/**
 * The `stdio` of a child that inherits no terminal of ours: `first` for descriptors 0, 1 and 2, and `nothing`
 * (a handle on /dev/null) in the place of every master.
 */
export function withoutMasters(first: [number, number, number], nothing: number): StdioOptions {
  const stdio: (number | 'ignore')[] = [...first];
  for (const master of masters.keys()) {
    while (stdio.length < master) stdio.push('ignore');
    stdio[master] = nothing;
  }
  return stdio;
}
