import { Terminal as Emulator, type IBufferLine } from '@xterm/headless';
import { widthTable } from '../../src/cells/widths.ts';
import type { Terminal } from '../../src/tui/stage/index.ts';
import { OuterInput } from '../../src/tui/stage/outer-input.ts';
import { enterSequence, leaveSequence } from '../../src/tui/stage/terminal.ts';

interface Internals {
  _core: { coreService: { isCursorHidden: boolean } };
}

/**
 * An operator's terminal for tests: what is written to it can be read as a grid, and keys can be typed.
 * `hold()` makes it take nothing more, as a slow line does, until `release()`.
 */
export class HeadlessTerminal implements Terminal {
  readonly emulator: Emulator;
  /** All frames written, in order. */
  readonly frames: Uint8Array[] = [];
  readonly input = new OuterInput();
  /** All that was written, frames and what is around them. */
  written = '';
  suspended = 0;
  entered = false;
  #input: (chunk: Uint8Array) => void = () => {};
  #resized: () => void = () => {};
  #resumed: () => void = () => {};
  #held: (() => void)[] | undefined;

  constructor(cols = 80, rows = 24) {
    this.emulator = newEmulator(cols, rows);
  }

  get size(): { cols: number; rows: number } {
    return { cols: this.emulator.cols, rows: this.emulator.rows };
  }

  enter(): void {
    if (!this.entered) this.#tell(enterSequence + this.input.enter());
    this.entered = true;
  }

  leave(): void {
    if (this.entered) this.#tell(this.input.leave() + leaveSequence);
    this.entered = false;
  }

  #tell(sequences: string): void {
    this.written += sequences;
    this.emulator.write(sequences);
  }

  /** What must be as it was once the terminal is given back. */
  get modes() {
    const { modes, buffer } = this.emulator;
    const { isCursorHidden } = (this.emulator as unknown as Internals)._core.coreService;
    return { ...modes, screen: buffer.active.type, isCursorHidden };
  }

  write(bytes: Uint8Array, taken: () => void): void {
    this.frames.push(bytes);
    this.written += Buffer.from(bytes).toString('latin1');
    this.emulator.write(bytes, () => (this.#held ? this.#held.push(taken) : taken()));
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const taken of held) taken();
  }

  onInput(listener: (chunk: Uint8Array) => void): void {
    this.#input = listener;
  }

  onResize(listener: () => void): void {
    this.#resized = listener;
  }

  onResume(listener: () => void): void {
    this.#resumed = listener;
  }

  suspend(): void {
    this.suspended++;
    this.leave();
  }

  resume(): void {
    this.enter();
    this.#resumed();
  }

  dispose(): void {
    this.leave();
  }

  type(text: string | Uint8Array): void {
    this.#input(typeof text === 'string' ? Buffer.from(text) : text);
  }

  resize(cols: number, rows: number): void {
    this.emulator.resize(cols, rows);
    this.#resized();
  }

  /** The visible rows as text, without trailing blanks. */
  lines(): string[] {
    const { active } = this.emulator.buffer;
    return Array.from({ length: this.emulator.rows }, (_, y) =>
      (active.getLine(active.baseY + y) as IBufferLine).translateToString(true),
    );
  }
}

/** An emulator with the product's own table of widths. */
function newEmulator(cols: number, rows: number): Emulator {
  const emulator = new Emulator({ cols, rows, scrollback: 100, allowProposedApi: true });
  emulator.unicode.register(widthTable as never);
  emulator.unicode.activeVersion = widthTable.version;
  return emulator;
}
