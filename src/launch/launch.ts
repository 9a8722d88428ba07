/**
 * Starts one program on a terminal of its own, for a Tick with true pipes on 0 and 1 (tick H-3.1-1, table A), and
 * holds what belongs to it until it is gone. It never looks at what flows, and never restarts anything.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { codeOf, LaunchError, reasonOf } from './errors.ts';
import { closeChildEnds, closeHostEnds, type PipePair, PipePool } from './pipes.ts';
import { processRow } from './processes.ts';
import { resolveProgram } from './program.ts';
import { loadNative, openPty, type Pty, withoutMasters } from './pty.ts';
import { endWithin } from './streams.ts';
import { checkSize, type ProgramTerminal, PtyTerminal } from './terminal.ts';
import { shellSignals, terminate, tickSignals } from './terminate.ts';

export interface LaunchOptions {
  /** A path, or a name to be found in `env.PATH`. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute (tick H-4.1-2). */
  readonly cwd: string;
  /** The whole environment of the program; see `cleanEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  /** 120 unless given (tick H-4.1-5). */
  readonly cols?: number;
  /** 30 unless given (tick H-4.1-5). */
  readonly rows?: number;
  /** True for a Tick: pipes on 0 and 1, the terminal on 2. Otherwise the terminal on 0, 1 and 2. */
  readonly pipes: boolean;
  /** From the first signal of `terminate` to SIGKILL, in milliseconds; 2000 unless given. */
  readonly terminateMs?: number;
  /** How long after the exit output is still awaited, in milliseconds; 200 unless given. */
  readonly drainMs?: number;
}

export interface Exit {
  /** Null when a signal ended the program. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** A started program. */
export interface Launched {
  /** Also the id of its session and of its first process group. */
  readonly pid: number;
  /** The absolute path that was run, which is also its argv[0] (tick H-4.1-1). */
  readonly argv0: string;
  /** With `pipes` only. Writing after the program's exit raises `error`, which may be left unheard. */
  readonly stdin?: Writable;
  /**
   * With `pipes` only. Always comes to `close`; without an `end` before it when something that outlived the
   * program still held the pipe.
   */
  readonly stdout?: Readable;
  readonly terminal: ProgramTerminal;
  /** Resolves once the program has exited and its output has come to an end, `drainMs` later at the latest. */
  readonly exited: Promise<Exit>;
  /**
   * Ends the program and all that is in its session, also what it left there when it exited by itself.
   * Resolves after `exited`, with the pids that had left the session and live on; those are not signalled.
   */
  terminate(): Promise<{ escaped: number[] }>;
  /** Closes all descriptors at once; a program still running sees end of input and SIGHUP. */
  dispose(): void;
}

/**
 * Run by /bin/sh, and replaced by the program: no process is left between. The shell is the leader of a new
 * session without a terminal, so the terminal it opens becomes its controlling terminal and its group the
 * foreground (tick H-4.1-4). `stty` is the one way to IUTF8 without native code; it takes 3 ms of the new process's
 * time and none of the host's.
 */
const prologue = 't=$1; shift; stty iutf8 <&2 2>/dev/null; exec "$@"';
const asTick = `${prologue} 2<>"$t"`;
const asProgram = `${prologue} 0<>"$t" 1>&0 2>&0`;

/** Names that every sh passes on. dash drops other variables, such as exported functions of bash. */
const shellName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Tells what a program started from everything else, when it is to be ended. */
const markerName = 'TICKMUX_LAUNCH';

/** A stock of descriptors, which belong to the process and not to any one of its hosts. */
const pipePool = new PipePool();

/**
 * Starts a program. When the promise resolves the process exists.
 * @throws LaunchError when it cannot be started
 * @throws RangeError for an impossible size
 */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { cols = 120, rows = 30 } = options;
  checkSize(cols, rows);
  const argv0 = resolveProgram(options.command, options.cwd, options.env.PATH);
  const native = await loadNative();
  const pipes = options.pipes ? await pipePool.take() : undefined;
  const marker = { name: markerName, value: randomUUID() };

  let pty: Pty | undefined;
  let child: ChildProcess;
  try {
    pty = openPty(native, cols, rows);
    child = start(options, argv0, marker, pty, pipes);
    await spawned(child);
  } catch (error) {
    if (pipes) {
      closeChildEnds(pipes);
      closeHostEnds(pipes);
    }
    if (pty) {
      pty.forget();
      closeSync(pty.slave);
      closeSync(pty.master);
    }
    throw startError(error, options, argv0);
  }
  if (pipes) closeChildEnds(pipes);
  return hold(options, argv0, marker, pty, child, pipes);
}

function start(
  options: LaunchOptions,
  argv0: string,
  marker: { name: string; value: string },
  pty: Pty,
  pipes: PipePair | undefined,
): ChildProcess {
  // A stale PWD of the caller would mislead; a right one keeps symbolic links in the path.
  const env: Record<string, string> = { ...options.env, PWD: options.cwd, [marker.name]: marker.value };
  const dropped = Object.keys(env).filter((name) => !shellName.test(name) && env[name] !== undefined);
  const bridge =
    dropped.length > 0 && !argv0.includes('=') ? dropped.map((name) => `${name}=${env[name]}`) : [];
  const program = [...(bridge.length > 0 ? ['/usr/bin/env', ...bridge] : []), argv0, ...options.args];
  const nothing = openSync('/dev/null', constants.O_RDWR);
  try {
    return spawn('/bin/sh', ['-c', options.pipes ? asTick : asProgram, 'sh', pty.path, ...program], {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: withoutMasters(
        pipes ? [pipes.child.stdin, pipes.child.stdout, pty.slave] : [pty.slave, pty.slave, pty.slave],
        nothing,
      ),
    });
  } finally {
    closeSync(nothing);
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      resolve();
    });
  });
}

function startError(error: unknown, options: LaunchOptions, argv0: string): LaunchError {
  if (error instanceof LaunchError) return error;
  try {
    // It may have gone since it was looked at; then that is the better report.
    resolveProgram(options.command, options.cwd, options.env.PATH);
  } catch (changed) {
    if (changed instanceof LaunchError) return changed;
  }
  return new LaunchError(
    `Cannot start ${argv0}: ${reasonOf(error)}. Check its arguments, and the limits of processes (ulimit -u) ` +
      'and open files (ulimit -n).',
    argv0,
    codeOf(error),
    error,
  );
}

/** Gives a started program its streams, and watches for its end. */
function hold(
  options: LaunchOptions,
  argv0: string,
  marker: { name: string; value: string },
  pty: Pty,
  child: ChildProcess,
  pipes: PipePair | undefined,
): Launched {
  const { terminateMs = 2000, drainMs = 200 } = options;
  const pid = child.pid as number;
  const terminal = new PtyTerminal(pty, pid);
  const stdin = pipes && new Socket({ fd: pipes.host.stdin, readable: false, writable: true });
  const stdout = pipes && new Socket({ fd: pipes.host.stdout, readable: true, writable: false });
  // A broken pipe is reported by the exit; whoever wants to hear of it earlier adds a listener.
  stdin?.on('error', () => undefined);
  stdout?.on('error', () => undefined);

  let running = child.exitCode === null && child.signalCode === null;
  const exit = running
    ? new Promise<void>((resolve) => child.once('exit', () => resolve()))
    : Promise.resolve();
  const exited = exit.then(async () => {
    running = false;
    stdin?.destroy();
    await Promise.all([terminal.drain(drainMs), stdout && endWithin(stdout, drainMs)]);
    return { code: child.exitCode, signal: child.signalCode };
  });

  const target = {
    pid,
    startTime: processRow(pid)?.startTime,
    device: pty.path,
    marker,
    gentle: options.pipes ? tickSignals : shellSignals,
    graceMs: terminateMs,
    running: () => running,
    exit,
  };
  let termination: Promise<{ escaped: number[] }> | undefined;

  return {
    pid,
    argv0,
    ...(stdin && stdout ? { stdin, stdout } : {}),
    terminal,
    exited,
    terminate: () => {
      termination ??= terminate(target).then(async (result) => {
        await exited;
        return result;
      });
      return termination;
    },
    dispose: () => {
      terminal.dispose();
      stdin?.destroy();
      stdout?.destroy();
    },
  };
}
