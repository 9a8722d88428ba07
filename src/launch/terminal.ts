/**
 * The host's side of a program's terminal: what the program draws, what is typed, and the size.
 * It never interprets a byte; that is the screen's business.
 */
import { execFile } from 'node:child_process';
import { closeSync, readSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { processRow } from './processes.ts';
import type { Pty } from './pty.ts';
import { endWithin } from './streams.ts';
import { WriteQueue } from './write-queue.ts';

/** The terminal of one started program. */
export interface ProgramTerminal {
  /** Bytes as the program wrote them, cut anywhere. Nothing is read before the first listener. */
  onData(listener: (bytes: Buffer) => void): void;
  /** Called once, when nothing more will come; at once if that is so already. */
  onEnd(listener: () => void): void;
  /**
   * Types `bytes`, which must not be changed afterwards. Never blocks: what the terminal does not take waits.
   * @returns false, with nothing taken, after the end or when more than 8 MiB would wait
   */
  write(bytes: Uint8Array): boolean;
  /** Bytes written and not yet taken by the terminal. */
  readonly pendingBytes: number;
  /**
   * Columns and rows, 1 to 65,535; the kernel signals SIGWINCH (tick H-4.1-6). Does nothing after the end.
   * @throws RangeError for other sizes
   */
  resize(cols: number, rows: number): void;
  /** Stops reading, so that a program that floods is held up by the kernel. */
  pause(): void;
  resume(): void;
  /**
   * The process group in the foreground; undefined once the program is gone. On macOS it costs a run of `ps`.
   */
  foregroundGroup(): number | undefined;
  /** Whether the terminal echoes what is typed; undefined once the program is gone. Costs a run of `stty`. */
  echo(): Promise<boolean | undefined>;
}

/** @throws RangeError unless both fit a terminal's size */
export function checkSize(cols: number, rows: number): void {
  const fits = (count: number) => Number.isInteger(count) && count >= 1 && count <= 65_535;
  if (fits(cols) && fits(rows)) return;
  throw new RangeError(
    `A terminal of ${cols} by ${rows} is not possible: use whole numbers from 1 to 65535.`,
  );
}

/** As much as the kernel gives in one read. */
const restBytes = 4096;

export class PtyTerminal implements ProgramTerminal {
  readonly #pty: Pty;
  readonly #leader: number;
  readonly #stream: ReadStream;
  readonly #queue: WriteQueue;
  readonly #listeners: ((bytes: Buffer) => void)[] = [];
  #slaveOpen = true;

  /** Takes over the descriptors of `pty`. @param leader the pid of the started program */
  constructor(pty: Pty, leader: number) {
    this.#pty = pty;
    this.#leader = leader;
    this.#queue = new WriteQueue(pty.master);
    // For reading only: libuv writes to a master in blocking mode.
    this.#stream = new ReadStream(pty.master);
    // On Linux the end of output is told as EIO.
    this.#stream.on('error', () => this.#stream.destroy());
    this.#stream.once('end', () => this.#readRest());
    this.#stream.once('close', () => {
      this.#queue.close();
      pty.forget();
    });
  }

  get pendingBytes(): number {
    return this.#queue.pendingBytes;
  }

  onData(listener: (bytes: Buffer) => void): void {
    this.#listeners.push(listener);
    if (this.#listeners.length === 1) this.#stream.on('data', (bytes: Buffer) => this.#deliver(bytes));
  }

  onEnd(listener: () => void): void {
    if (this.#stream.closed) listener();
    else this.#stream.once('close', listener);
  }

  write(bytes: Uint8Array): boolean {
    return this.#queue.write(bytes);
  }

  resize(cols: number, rows: number): void {
    checkSize(cols, rows);
    if (!this.#stream.destroyed) this.#pty.resize(cols, rows);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  foregroundGroup(): number | undefined {
    // After the exit the number may belong to someone else.
    return this.#slaveOpen ? processRow(this.#leader)?.foreground : undefined;
  }

  echo(): Promise<boolean | undefined> {
    if (!this.#slaveOpen) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const device = process.platform === 'linux' ? '-F' : '-f';
      execFile('stty', [device, this.#pty.path, '-a'], (error, stdout) => {
        const echo = /(?:^|\s)(-?)echo(?:\s|;|$)/m.exec(stdout);
        resolve(error || !echo ? undefined : echo[1] === '');
      });
    });
  }

  /** The program has exited: reads what is left, for at most about `drainMs` (twice that after a pause). */
  async drain(drainMs: number): Promise<void> {
    this.#releaseSlave();
    await endWithin(this.#stream, drainMs);
  }

  /** Closes everything at once. */
  dispose(): void {
    this.#releaseSlave();
    this.#queue.close();
    this.#stream.destroy();
  }

  #deliver(bytes: Buffer): void {
    for (const listener of this.#listeners) listener(bytes);
  }

  /**
   * When a hang-up meets a short read, libuv takes it for the end. A terminal reads at most 4 KB at a time, so
   * some 60 KB may still wait. Nobody can add to them any more.
   */
  #readRest(): void {
    try {
      for (;;) {
        const bytes = Buffer.allocUnsafe(restBytes);
        const count = readSync(this.#pty.master, bytes);
        if (count === 0) return;
        this.#deliver(bytes.subarray(0, count));
      }
    } catch {
      // EIO, the true end.
    }
  }

  #releaseSlave(): void {
    if (!this.#slaveOpen) return;
    this.#slaveOpen = false;
    closeSync(this.#pty.slave);
  }
}
