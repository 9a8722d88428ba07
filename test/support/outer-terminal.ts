/**
 * The terminal a person sits at, for tests of the whole product: a program on a real pseudo-terminal, its
 * output read by an emulator that answers queries as a terminal does. Waits for what the grid shows, never
 * for time to pass.
 */
import { type IPty, spawn } from 'node-pty';
import { TerminalGrid } from './terminal-grid.ts';

/** The machine may be busy with other things: this only says when something is wrong. */
const patienceMs = 90_000;
const pollMs = 15;
/** A frame that is not whole after this was left so by a program that died. */
const frameMs = 1_000;

interface OuterOptions {
  cols?: number;
  rows?: number;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export class OuterTerminal extends TerminalGrid {
  /** Resolves once the program has exited and all it wrote is on the screen. */
  readonly exited: Promise<{ code: number; signal: number }>;
  readonly #pty: IPty;
  #raw = '';
  /** When the frame was first seen that has begun and is not whole; in milliseconds since 1970. */
  #frameSince: number | undefined;
  #exit: { code: number; signal: number } | undefined;

  constructor(command: readonly string[], { cols = 160, rows = 45, cwd, env }: OuterOptions) {
    super(cols, rows);
    const [program = '', ...args] = command;
    this.#pty = spawn(program, args, {
      cols,
      rows,
      cwd,
      env: env as Record<string, string>,
      // Bytes: the emulator puts cut characters together itself.
      encoding: null,
    });
    this.#pty.onData((data) => {
      const bytes = data as unknown as Uint8Array;
      this.#raw += Buffer.from(bytes).toString('latin1');
      this.emulator.write(bytes);
    });
    this.emulator.onData((reply) => {
      if (!this.#exit) this.#pty.write(reply);
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => {
        this.emulator.write('', () => {
          this.#exit = { code: exitCode, signal: signal ?? 0 };
          resolve(this.#exit);
        });
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get running(): boolean {
    return this.#exit === undefined;
  }

  /** Every byte the program wrote, each as one character. */
  get raw(): string {
    return this.#raw;
  }

  /** What a program must give back before its terminal is another's. */
  get modes() {
    const { mouseTrackingMode: mouse, bracketedPasteMode: paste, sendFocusMode: focus } = this.emulator.modes;
    const { wraparoundMode: wraps, applicationCursorKeysMode: cursorKeys } = this.emulator.modes;
    const { type: screen } = this.emulator.buffer.active;
    return { screen, cursor: this.cursor.visible, mouse, paste, focus, wraps, cursorKeys };
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  resize(cols: number, rows: number): void {
    // The emulator does not bear a resize between two halves of a write.
    this.emulator.write('', () => this.emulator.resize(cols, rows));
    this.#pty.resize(cols, rows);
  }

  /** Ends the program, stopped or not. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.#exit) this.#pty.kill(signal);
    await this.exited;
  }

  /** Waits until the screen shows each of these. */
  async shows(...wanted: (string | RegExp)[]): Promise<void> {
    for (const one of wanted) await this.#comesToShow(`it shows ${one}`, () => this.holds(one));
  }

  async hides(unwanted: string | RegExp): Promise<void> {
    await this.#comesToShow(`it no longer shows ${unwanted}`, () => !this.holds(unwanted));
  }

  /**
   * Presses keys, again every tenth of a second, until the screen shows it: for keys that do not count for a
   * moment, as on a card.
   */
  async pressUntil(keys: string, wanted: string | RegExp): Promise<void> {
    let last = 0;
    await this.#comesToShow(`${JSON.stringify(keys)} makes it show ${wanted}`, () => {
      if (this.holds(wanted)) return true;
      if (Date.now() - last > 100) {
        last = Date.now();
        this.press(keys);
      }
      return false;
    });
  }

  /** Does not wait for a program that is gone. */
  async #comesToShow(what: string, condition: () => boolean): Promise<void> {
    await this.until(what, () => {
      const { running } = this;
      if (condition()) return true;
      if (running) return false;
      throw new Error(`The program ended (${JSON.stringify(this.#exit)}) before ${what}:\n${this.text}`);
    });
  }

  async exits(): Promise<{ code: number; signal: number }> {
    await this.until('the program ends', () => this.#exit !== undefined);
    return this.exited;
  }

  /**
   * Waits until `condition` holds of a whole picture; the failure says what was awaited and what the screen shows
   * instead.
   */
  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const holds = () => !this.#isMidFrame() && condition();
    await until(what, holds, () => `The screen shows\n${this.text}`);
  }

  /** A terminal that knows mode 2026 shows no half of a frame; like real ones it waits no longer than a second. */
  #isMidFrame(): boolean {
    if (!this.running || !this.emulator.modes.synchronizedOutputMode) this.#frameSince = undefined;
    else this.#frameSince ??= Date.now();
    return this.#frameSince !== undefined && Date.now() - this.#frameSince < frameMs;
  }
}

/** Waits until `condition` holds; `context` is added to the failure. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  context: () => string = () => '',
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let trouble = '';
  for (;;) {
    try {
      if (await condition()) return;
      trouble = '';
    } catch (error) {
      // What a condition looks at may not be there yet.
      trouble = ` ${(error as Error).message}`;
    }
    if (Date.now() > deadline) throw new Error(`It never came to this: ${what}.${trouble} ${context()}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
