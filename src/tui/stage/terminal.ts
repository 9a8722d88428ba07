/**
 * The edge to the operator's terminal: modes, size, bytes in and out, and giving all of it back.
 * Never knows what is drawn. Tests have an implementation of their own, a headless emulator.
 */

import { onExit } from 'signal-exit';
import { OuterInput } from './outer-input.ts';
import { TtyWriter } from './tty-writer.ts';

export interface Terminal {
  /** In cells, as the terminal says now. */
  readonly size: { readonly cols: number; readonly rows: number };
  /** What its keys and its mouse are asked to say. `enter` and `leave` say so at once, each frame what has changed since. */
  readonly input: OuterInput;
  /** Raw mode, alternate screen, bracketed paste, mouse, focus events. Idempotent. */
  enter(): void;
  /** Everything `enter` changed, given back synchronously; what is still being written is dropped. Idempotent. */
  leave(): void;
  /**
   * Writes one whole frame; `taken` is called later, once the kernel has all of it. Never blocks. One at a
   * time. While the terminal is left, and when it is left before, nothing is written and `taken` never called.
   */
  write(bytes: Uint8Array, taken: () => void): void;
  /** One listener each. */
  onInput(listener: (chunk: Uint8Array) => void): void;
  onResize(listener: () => void): void;
  /** The terminal is entered again after this process was stopped: it shows anything. */
  onResume(listener: () => void): void;
  /** Leaves, stops this process by SIGTSTP, and enters again when it goes on. */
  suspend(): void;
  /** Leaves, and stops listening to anything. */
  dispose(): void;
}

/**
 * In this order: title kept, alternate screen, no automatic wrap (a terminal that disagrees on a width
 * must not scroll), ordinary cursor and keypad keys, bracketed paste, mouse buttons and drags in SGR
 * form, focus events.
 */
export const enterSequence =
  '\x1b[22;0t\x1b[?1049h\x1b[?7l\x1b[?1l\x1b>\x1b[?2004h\x1b[?1002h\x1b[?1006h\x1b[?1004h';

/** The way back, from any state a frame can be cut in once the sequence at hand is cancelled. */
export const leaveSequence =
  '\x1b[?2026l\x1b[0m\x1b]8;;\x1b\\\x1b[?1004l\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?2004l\x1b[?7h\x1b[0 q\x1b[?25h\x1b[?1049l\x1b[23;0t';

/** CAN: ends a sequence that was cut in the middle. */
const cancel = '\x18';

/** How long giving back waits for a terminal that takes nothing. */
const leaveMs = 250;

/** A process that could not be stopped (it leads the terminal's session) goes on after this. */
const stopMs = 500;

/**
 * The terminal on this process's standard input and output, given back on exit, crash and signals.
 * Throws when one of them is no terminal.
 */
export function ttyTerminal(): Terminal {
  const { stdin, stdout } = process;
  for (const [name, stream] of [['input', stdin] as const, ['output', stdout] as const]) {
    if (stream.isTTY) continue;
    throw new Error(
      `Cannot open the screen: standard ${name} is not a terminal. Run tickmux directly in a terminal window.`,
    );
  }
  return new TtyTerminal(stdin, stdout);
}

class TtyTerminal implements Terminal {
  readonly #input: typeof process.stdin;
  readonly #output: typeof process.stdout;
  readonly #writer: TtyWriter;
  readonly input = new OuterInput();
  #entered = false;
  /** Whether to enter again after a stop. */
  #wanted = false;
  #onInput: (chunk: Uint8Array) => void = () => {};
  #onResize: () => void = () => {};
  #onResume: () => void = () => {};
  #stopTimer: NodeJS.Timeout | undefined;
  readonly #offExit: () => void;

  constructor(input: typeof process.stdin, output: typeof process.stdout) {
    this.#input = input;
    this.#output = output;
    this.#writer = new TtyWriter(output.fd);
    this.#offExit = onExit(() => this.leave());
    input.on('data', this.#data);
    input.on('end', this.#hangUp);
    input.on('error', this.#hangUp);
    output.on('resize', this.#resized);
    process.on('SIGCONT', this.#continued);
    process.on('SIGTSTP', this.#stopped);
  }

  get size(): { cols: number; rows: number } {
    // A serial line may say 0.
    return { cols: this.#output.columns || 80, rows: this.#output.rows || 24 };
  }

  enter(): void {
    this.#wanted = true;
    if (this.#entered) return;
    this.#entered = true;
    // Off and on: Node takes the mode as still set after a shell has changed it.
    this.#input.setRawMode(false);
    this.#input.setRawMode(true);
    this.#setBlocking(false);
    this.#writer.writeNow(enterSequence + this.input.enter(), leaveMs);
    this.#input.resume();
  }

  leave(): void {
    this.#wanted = false;
    this.#giveBack();
  }

  #giveBack(): void {
    if (!this.#entered) return;
    this.#entered = false;
    const cut = this.#writer.abort();
    this.#writer.writeNow(`${cut ? cancel : ''}${this.input.leave()}${leaveSequence}`, leaveMs);
    this.#setBlocking(true);
    try {
      this.#input.setRawMode(false);
    } catch {
      // The terminal is gone: there is nothing to give back.
    }
  }

  write(bytes: Uint8Array, taken: () => void): void {
    if (this.#entered) this.#writer.write(bytes, taken);
  }

  onInput(listener: (chunk: Uint8Array) => void): void {
    this.#onInput = listener;
  }

  onResize(listener: () => void): void {
    this.#onResize = listener;
  }

  onResume(listener: () => void): void {
    this.#onResume = listener;
  }

  suspend(): void {
    this.#giveBack();
    process.removeListener('SIGTSTP', this.#stopped);
    this.#stopTimer = setTimeout(this.#continued, stopMs);
    // The whole group, as the terminal would do on Ctrl-Z: a shell waits for what started us.
    process.kill(0, 'SIGTSTP');
  }

  dispose(): void {
    this.leave();
    this.#offExit();
    clearTimeout(this.#stopTimer);
    this.#input.removeListener('data', this.#data);
    this.#input.removeListener('end', this.#hangUp);
    this.#input.removeListener('error', this.#hangUp);
    this.#output.removeListener('resize', this.#resized);
    process.removeListener('SIGCONT', this.#continued);
    process.removeListener('SIGTSTP', this.#stopped);
    this.#input.pause();
  }

  readonly #data = (chunk: Uint8Array): void => this.#onInput(chunk);

  readonly #resized = (): void => this.#onResize();

  /** A terminal that went away without a word ends us as one that hangs up does. */
  readonly #hangUp = (): void => {
    process.kill(process.pid, 'SIGHUP');
  };

  /** Someone else stops us: the terminal is given back first. */
  readonly #stopped = (): void => this.suspend();

  /** Also after a stop that could not be caught: the shell has changed the terminal meanwhile. */
  readonly #continued = (): void => {
    clearTimeout(this.#stopTimer);
    if (!process.listeners('SIGTSTP').includes(this.#stopped)) process.on('SIGTSTP', this.#stopped);
    if (!this.#wanted) return;
    this.#giveBack();
    this.enter();
    this.#onResume();
  };

  /** Node makes terminals blocking; a slow one would then hold up everything else. */
  #setBlocking(blocking: boolean): void {
    const { _handle: handle } = this.#output as unknown as {
      _handle?: { setBlocking?(blocking: boolean): void };
    };
    handle?.setBlocking?.(blocking);
  }
}
