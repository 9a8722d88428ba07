/**
 * Makes true pipes, which Node cannot: its own `pipe` stdio is a socket pair, on which `cat /dev/stdin` and
 * `> /dev/stdout` in a Tick fail. It never keeps a name in the file system longer than it takes to open it.
 * One difference from pipe(2) remains: opening /dev/stdin anew waits for ever once the host has closed its end.
 */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, LaunchError, reasonOf } from './errors.ts';

/** Descriptors of the two pipes of one Tick. All are close-on-exec; the host's ends are non-blocking. */
export interface PipePair {
  /** What the Tick gets as 0 and 1: blocking, as programs expect. */
  readonly child: { readonly stdin: number; readonly stdout: number };
  /** The other ends. */
  readonly host: { readonly stdin: number; readonly stdout: number };
}

/** One run of mkfifo serves this many Ticks. */
const pairsPerBatch = 8;
/** Below this many a new batch is made in the background, so that a launch seldom waits for one. */
const lowWater = 3;

/** A stock of pipe pairs, made in batches because each batch costs a process. */
export class PipePool {
  readonly #ready: PipePair[] = [];
  #refill: Promise<void> | undefined;

  /**
   * A pair for one Tick; the caller closes its descriptors.
   * @throws LaunchError when pipes cannot be made
   */
  async take(): Promise<PipePair> {
    let pair = this.#ready.pop();
    while (!pair) {
      await this.#refillOnce();
      pair = this.#ready.pop();
    }
    // A failure here is met again, and reported, by the launch that finds the pool empty.
    if (this.#ready.length < lowWater) this.#refillOnce().catch(() => undefined);
    return pair;
  }

  #refillOnce(): Promise<void> {
    this.#refill ??= this.#makeBatch().finally(() => {
      this.#refill = undefined;
    });
    return this.#refill;
  }

  async #makeBatch(): Promise<void> {
    const parent = tmpdir();
    let directory: string | undefined;
    try {
      directory = await mkdtemp(join(parent, 'tickmux-pipes-'));
      const paths = Array.from({ length: 2 * pairsPerBatch }, (_, index) =>
        join(directory as string, String(index)),
      );
      await promisify(execFile)('mkfifo', ['-m', '600', ...paths]);
      for (let index = 0; index < paths.length; index += 2) {
        this.#ready.push(openPair(paths[index] as string, paths[index + 1] as string));
      }
    } catch (error) {
      throw new LaunchError(
        `Cannot make pipes in ${parent}: ${reasonOf(error)}. Check that the directory can be written, that ` +
          'mkfifo is installed, and the limit of open files (ulimit -n).',
        parent,
        codeOf(error),
        error,
      );
    } finally {
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    }
  }
}

function openPair(inPath: string, outPath: string): PipePair {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const opened: number[] = [];
  const open = (path: string, flags: number): number => {
    const descriptor = openSync(path, flags);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    // Opening one end of a FIFO blocks or fails until the other is open. Each end is opened for itself, since
    // O_NONBLOCK is shared by all copies of a handle and a program must not find it set on its own.
    const probe = open(inPath, O_RDONLY | O_NONBLOCK);
    const hostStdin = open(inPath, O_WRONLY | O_NONBLOCK);
    const childStdin = open(inPath, O_RDONLY);
    const hostStdout = open(outPath, O_RDONLY | O_NONBLOCK);
    const childStdout = open(outPath, O_WRONLY);
    closeSync(probe);
    return {
      child: { stdin: childStdin, stdout: childStdout },
      host: { stdin: hostStdin, stdout: hostStdout },
    };
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
}

/** Closes the ends that the started program now holds itself. */
export function closeChildEnds(pair: PipePair): void {
  closeSync(pair.child.stdin);
  closeSync(pair.child.stdout);
}

/** Closes the host's ends of a pair that never got streams. */
export function closeHostEnds(pair: PipePair): void {
  closeSync(pair.host.stdin);
  closeSync(pair.host.stdout);
}
