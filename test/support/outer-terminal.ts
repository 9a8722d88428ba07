/**
 * The terminal a person sits at, for tests of the whole product: a program on a real pseudo-terminal, its
 * output read by an emulator that answers queries as a terminal does. Waits for what the grid shows, never
 * for time to pass.
 */
import { Terminal as Emulator, type IBufferLine } from '@xterm/headless';
import { type IPty, spawn } from 'node-pty';
import type { Row } from '../../src/cells/row.ts';
import { widthTable } from '../../src/cells/widths.ts';
import { copyRow } from '../../src/screen/copy-row.ts';

/** The machine may be busy with other things: this only says when something is wrong. */
const patienceMs = 45_000;
const pollMs = 15;

interface OuterOptions {
  cols?: number;
  rows?: number;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export interface Rect {
  x: number;
  y: number;
  cols: number;
  rows: number;
}

export class OuterTerminal {
  /** Resolves once the program has exited and all it wrote is on the screen. */
  readonly exited: Promise<{ code: number; signal: number }>;
  readonly #emulator: Emulator;
  readonly #pty: IPty;
  #raw = '';
  #exit: { code: number; signal: number } | undefined;

  constructor(command: readonly string[], { cols = 160, rows = 45, cwd, env }: OuterOptions) {
    this.#emulator = new Emulator({ cols, rows, scrollback: 0, allowProposedApi: true });
    this.#emulator.unicode.register(widthTable as never);
    this.#emulator.unicode.activeVersion = widthTable.version;
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
      this.#emulator.write(bytes);
    });
    this.#emulator.onData((reply) => {
      if (!this.#exit) this.#pty.write(reply);
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => {
        this.#emulator.write('', () => {
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

  /** The visible rows without trailing blanks. */
  get lines(): string[] {
    return Array.from({ length: this.#emulator.rows }, (_, y) => this.#line(y).translateToString(true));
  }

  get text(): string {
    return this.lines.join('\n');
  }

  get cursor(): { x: number; y: number; visible: boolean } {
    const { cursorX: x, cursorY: y } = this.#emulator.buffer.active;
    const { _core } = this.#emulator as unknown as { _core: { coreService: { isCursorHidden: boolean } } };
    return { x, y, visible: !_core.coreService.isCursorHidden };
  }

  /** What a program must give back before its terminal is another's. */
  get modes() {
    const {
      mouseTrackingMode: mouse,
      bracketedPasteMode: paste,
      sendFocusMode: focus,
    } = this.#emulator.modes;
    const { wraparoundMode: wraps, applicationCursorKeysMode: cursorKeys } = this.#emulator.modes;
    const { type: screen } = this.#emulator.buffer.active;
    return { screen, cursor: this.cursor.visible, mouse, paste, focus, wraps, cursorKeys };
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  resize(cols: number, rows: number): void {
    // The emulator does not bear a resize between two halves of a write.
    this.#emulator.write('', () => this.#emulator.resize(cols, rows));
    this.#pty.resize(cols, rows);
  }

  /** Ends the program, stopped or not. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.#exit) this.#pty.kill(signal);
    await this.exited;
  }

  /** Waits until the screen shows each of these. */
  async shows(...wanted: (string | RegExp)[]): Promise<void> {
    for (const one of wanted) await this.until(`the screen shows ${one}`, () => this.holds(one));
  }

  async hides(unwanted: string | RegExp): Promise<void> {
    await this.until(`the screen no longer shows ${unwanted}`, () => !this.holds(unwanted));
  }

  holds(wanted: string | RegExp): boolean {
    return typeof wanted === 'string' ? this.text.includes(wanted) : wanted.test(this.text);
  }

  /**
   * Presses keys, again every tenth of a second, until the screen shows it: for keys that do not count for a
   * moment, as on a card.
   */
  async pressUntil(keys: string, wanted: string | RegExp): Promise<void> {
    let last = 0;
    await this.until(`${JSON.stringify(keys)} makes the screen show ${wanted}`, () => {
      if (this.holds(wanted)) return true;
      if (Date.now() - last > 100) {
        last = Date.now();
        this.press(keys);
      }
      return false;
    });
  }

  async exits(): Promise<{ code: number; signal: number }> {
    await this.until('the program ends', () => this.#exit !== undefined);
    return this.exited;
  }

  /** Waits until `condition` holds; the failure says what was awaited and what the screen shows instead. */
  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    await until(what, condition, () => `The screen shows\n${this.text}`);
  }

  /** The pane whose border carries this title, without the border. */
  pane(title: string): Rect {
    const rows = Array.from({ length: this.#emulator.rows }, (_, y) => this.#flat(y));
    const corner = `┌ ${title}`;
    const y = rows.findIndex((row) => row.includes(corner));
    const left = rows[y]?.indexOf(corner) ?? -1;
    const right = rows[y]?.indexOf('┐', left) ?? -1;
    const bottom = rows.findIndex((row, at) => at > y && row[left] === '└');
    if (y < 0 || right < 0 || bottom < 0) throw new Error(`No pane is titled ${title}:\n${this.text}`);
    for (let at = y + 1; at < bottom; at++) {
      if (rows[at]?.[left] !== '│' || rows[at]?.[right] !== '│') {
        throw new Error(`The border of ${title} is broken in row ${at}:\n${this.text}`);
      }
    }
    return { x: left + 1, y: y + 1, cols: right - left - 1, rows: bottom - y - 1 };
  }

  /** The text inside the border of a pane; empty while there is no such pane. */
  paneText(title: string): string {
    if (!this.holds(`┌ ${title}`)) return '';
    const { x, y, cols, rows } = this.pane(title);
    return Array.from({ length: rows }, (_, row) =>
      this.#line(y + row)
        .translateToString(false, x, x + cols)
        .trimEnd(),
    ).join('\n');
  }

  /** A row of cells with all attributes, links left out. */
  row(y: number): Row {
    const { _line } = this.#line(y) as unknown as { _line: Parameters<typeof copyRow>[0] };
    return copyRow(_line, this.#emulator.cols, noLinks);
  }

  /** One character a cell, whatever stands in it. */
  #flat(y: number): string {
    const line = this.#line(y);
    return Array.from({ length: this.#emulator.cols }, (_, x) => {
      const chars = line.getCell(x)?.getChars() ?? '';
      return chars.length === 1 ? chars : ' ';
    }).join('');
  }

  #line(y: number): IBufferLine {
    const { active } = this.#emulator.buffer;
    return active.getLine(active.baseY + y) as IBufferLine;
  }
}

const noLinks = { get: () => undefined } as unknown as Parameters<typeof copyRow>[2];

/** Waits until `condition` holds; `context` is added to the failure. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  context: () => string = () => '',
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`It never came to this: ${what}. ${context()}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
