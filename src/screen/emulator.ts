/**
 * The one place that touches @xterm/headless, inside and out: it parses synchronously, without the
 * emulator's own write queue and timers, and reads rows as packed words. Never keeps a copy of a screen.
 */
import headless from '@xterm/headless';
import type { Cursor, ScreenModes } from '../cells/frame.ts';
import { widthTable } from '../cells/widths.ts';
import { checkVersion, type EmulatorCore, type EmulatorLine } from './core.ts';
import { type GuardEvents, guard } from './guard.ts';
import { Keyboard } from './keyboard.ts';
import { LinkTable } from './links.ts';
import { MouseEncoding } from './mouse-encoding.ts';
import { answerQueries } from './queries.ts';
import { incompleteTail } from './utf8.ts';

export interface EmulatorEvents extends GuardEvents {
  /** Rows `start` to `end` of the screen may have changed. */
  touched(start: number, end: number): void;
  /** Lines fell off the top of the history. */
  trimmed(lines: number): void;
  reply(text: string): void;
  bell(): void;
  title(text: string): void;
}

export class Emulator {
  readonly links = new LinkTable();
  readonly #terminal: headless.Terminal;
  readonly #core: EmulatorCore;
  readonly #events: EmulatorEvents;
  readonly #keyboard: Keyboard;
  readonly #mouseEncoding: MouseEncoding;
  #trimming: { dispose(): void } | undefined;
  /** The beginning of a character whose other bytes are still to come. */
  #tail: Uint8Array = new Uint8Array(0);

  constructor(cols: number, rows: number, scrollback: number, events: EmulatorEvents) {
    checkVersion();
    this.#events = events;
    this.#terminal = new headless.Terminal({
      cols,
      rows,
      scrollback,
      allowProposedApi: true,
      // It would write to the console, which is somebody's screen.
      logLevel: 'off',
      // Saving and restoring a title is harmless, as is telling the size. Reporting a title back as input is
      // not, nor is resizing.
      windowOptions: { pushTitle: true, popTitle: true, getWinSizeChars: true },
    });
    this.#core = (this.#terminal as unknown as { _core: EmulatorCore })._core;
    this.#terminal.unicode.register(widthTable);
    this.#terminal.unicode.activeVersion = widthTable.version;
    this.#keyboard = new Keyboard(
      this.#core,
      () => this.#isAlternate(),
      (text) => events.reply(text),
    );
    this.#mouseEncoding = new MouseEncoding(this.#core, (text) => events.reply(text));
    answerQueries(this.#core, (text) => events.reply(text));
    this.#listen();
    guard(this.#core, this, this.links, events);
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /**
   * Parses at once. An error of the emulator ends the sequence at fault, never the host: the rest of
   * these bytes is lost, and the next ones start afresh.
   */
  parse(bytes: Uint8Array): void {
    // The emulator's decoder takes a 0x80 at the end of a piece for a missing byte, and so loses characters
    // like U+2014 and U+200D: it only ever gets whole ones.
    const joined = this.#tail.length > 0 ? Buffer.concat([this.#tail, bytes]) : bytes;
    const end = joined.length - incompleteTail(joined);
    this.#tail = Buffer.from(joined.subarray(end));
    if (end === 0) return;
    try {
      this.#core._inputHandler.parse(joined.subarray(0, end));
    } catch {
      this.#core._inputHandler._parser.reset();
      this.#touchAll();
    }
  }

  resize(cols: number, rows: number): void {
    this.#terminal.resize(cols, rows);
  }

  /** The line `y` of the screen. */
  line(y: number): EmulatorLine | undefined {
    const { active } = this.#core._bufferService.buffers;
    return active.lines.get(active.ybase + y);
  }

  /** Lines above the ordinary screen, also while a program shows the alternate one. */
  get historyLength(): number {
    return this.#core._bufferService.buffers.normal.ybase;
  }

  historyLine(index: number): EmulatorLine | undefined {
    return this.#core._bufferService.buffers.normal.lines.get(index);
  }

  cursor(): Cursor {
    const { active } = this.#core._bufferService.buffers;
    const { isCursorHidden, decPrivateModes } = this.#core.coreService;
    return {
      // Past the last column while a wrap is pending.
      x: Math.min(active.x, this.cols - 1),
      y: Math.min(active.y, this.rows - 1),
      visible: !isCursorHidden,
      shape: decPrivateModes.cursorStyle ?? 'block',
      blink: decPrivateModes.cursorBlink ?? this.#terminal.options.cursorBlink ?? false,
    };
  }

  modes(): ScreenModes {
    const { decPrivateModes } = this.#core.coreService;
    const { activeProtocol } = this.#core.coreMouseService;
    return {
      applicationCursor: decPrivateModes.applicationCursorKeys,
      applicationKeypad: decPrivateModes.applicationKeypad,
      bracketedPaste: decPrivateModes.bracketedPasteMode,
      focusEvents: decPrivateModes.sendFocus,
      mouse: mouseNames[activeProtocol] ?? 'none',
      mouseEncoding: this.#mouseEncoding.current,
      alternateScreen: this.#isAlternate(),
      kittyKeyboard: this.#keyboard.kittyFlags,
      modifyOtherKeys: this.#keyboard.modifyOtherKeys,
    };
  }

  dispose(): void {
    this.#trimming?.dispose();
    this.#terminal.dispose();
  }

  #isAlternate(): boolean {
    const { buffers } = this.#core._bufferService;
    return buffers.active === buffers.alt;
  }

  #touchAll(): void {
    this.#events.touched(0, this.rows - 1);
  }

  #listen(): void {
    const { _inputHandler } = this.#core;
    _inputHandler.onRequestRefreshRows((rows) => {
      if (rows) this.#events.touched(rows.start, rows.end);
      else this.#touchAll();
    });
    // The emulator replaces its buffers on a reset and reports no row.
    _inputHandler.onRequestReset(() => {
      this.#core.coreService.isCursorHidden = false;
      this.#keyboard.reset();
      this.#mouseEncoding.reset();
      this.#adoptBuffers();
      this.#touchAll();
    });
    this.#adoptBuffers();
    this.#terminal.onData((text) => this.#events.reply(text));
    this.#terminal.onBell(() => this.#events.bell());
    this.#terminal.onTitleChange((text) => this.#events.title(text));
  }

  #adoptBuffers(): void {
    const { normal, alt } = this.#core._bufferService.buffers;
    // It warns on the console when it is slow; the memory goes with the lines soon enough.
    for (const buffer of [normal, alt]) buffer._memoryCleanupQueue = { enqueue: () => {}, clear: () => {} };
    this.#trimming?.dispose();
    this.#trimming = normal.lines.onTrim((lines) => this.#events.trimmed(lines));
  }
}

const mouseNames: Record<string, ScreenModes['mouse']> = {
  X10: 'x10',
  VT200: 'normal',
  DRAG: 'button',
  ANY: 'any',
};
