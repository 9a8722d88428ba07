/**
 * The one place that touches @xterm/headless, inside and out: it parses synchronously, without the
 * emulator's own write queue and timers, and reads rows as packed words. Never keeps a copy of a screen.
 */
import { createRequire } from 'node:module';
import headless from '@xterm/headless';
import type { Cursor, ScreenModes } from '../cells/frame.ts';
import { widthTable } from '../cells/widths.ts';
import { LinkTable } from './links.ts';
import { incompleteTail } from './utf8.ts';

/** What follows reaches into private parts, so that only the version it was written for will do. */
const requiredVersion = '6.0.0';

/** A line of the emulator: three words a cell, and what does not fit into them. */
export interface EmulatorLine {
  _data: Uint32Array;
  _combined: Record<number, string | undefined>;
  _extendedAttrs: Record<number, { _ext: number; _urlId: number } | undefined>;
  isWrapped: boolean;
}

interface EmulatorBuffer {
  lines: {
    get(index: number): EmulatorLine | undefined;
    onTrim(listener: (amount: number) => void): { dispose(): void };
  };
  /** Lines above the screen. */
  ybase: number;
  x: number;
  y: number;
}

interface Attributes {
  extended: { urlId: number; clone(): Attributes['extended'] };
  updateExtended(): void;
}

interface Parameters {
  params: Int32Array;
  length: number;
}

type CsiId = { prefix?: string; intermediates?: string; final: string };

interface Core {
  _inputHandler: {
    parse(bytes: Uint8Array): unknown;
    onRequestRefreshRows(listener: (rows: { start: number; end: number } | undefined) => void): void;
    onRequestReset(listener: () => void): void;
    _parser: { reset(): void };
    _curAttrData: Attributes;
  };
  _bufferService: { buffers: { active: EmulatorBuffer; normal: EmulatorBuffer; alt: EmulatorBuffer } };
  coreService: {
    isCursorHidden: boolean;
    decPrivateModes: {
      applicationCursorKeys: boolean;
      applicationKeypad: boolean;
      bracketedPasteMode: boolean;
      sendFocus: boolean;
      cursorStyle: Cursor['shape'] | undefined;
      cursorBlink: boolean | undefined;
    };
  };
  coreMouseService: { activeProtocol: string; activeEncoding: string };
  registerCsiHandler(id: CsiId, handler: (params: Parameters) => boolean): void;
  registerOscHandler(id: number, handler: (data: string) => boolean): void;
}

/** Sequences whose parameter is a number of repetitions, each of which the emulator carries out. */
const repeatedByRows: CsiId[] = ['L', 'M', 'S', 'T'].map((final) => ({ final }));
const repeatedByColumns: CsiId[] = [
  ...['@', 'P', 'X', 'I', 'Z'].map((final) => ({ final })),
  { intermediates: ' ', final: '@' },
  { intermediates: ' ', final: 'A' },
  { intermediates: "'", final: '}' },
  { intermediates: "'", final: '~' },
];

/** The longest title or directory taken from a program, in UTF-16 units; longer ones are ignored. */
const maxTextUnits = 4_096;

export interface EmulatorEvents {
  /** Rows `start` to `end` of the screen may have changed. */
  touched(start: number, end: number): void;
  /** Mode 2026 is about to be set (true) or reset. */
  synchronized(on: boolean): void;
  /** Lines fell off the top of the history. */
  trimmed(lines: number): void;
  reply(text: string): void;
  bell(): void;
  title(text: string): void;
  workingDirectory(uri: string): void;
}

export class Emulator {
  readonly links = new LinkTable();
  readonly #terminal: headless.Terminal;
  readonly #core: Core;
  readonly #events: EmulatorEvents;
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
      // Saving and restoring a title is harmless. Reporting it back as input is not, nor is resizing.
      windowOptions: { pushTitle: true, popTitle: true },
    });
    this.#core = (this.#terminal as unknown as { _core: Core })._core;
    this.#terminal.unicode.register(widthTable);
    this.#terminal.unicode.activeVersion = widthTable.version;
    this.#listen();
    this.#guard();
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
    const { buffers } = this.#core._bufferService;
    const { decPrivateModes } = this.#core.coreService;
    const { activeProtocol, activeEncoding } = this.#core.coreMouseService;
    return {
      applicationCursor: decPrivateModes.applicationCursorKeys,
      applicationKeypad: decPrivateModes.applicationKeypad,
      bracketedPaste: decPrivateModes.bracketedPasteMode,
      focusEvents: decPrivateModes.sendFocus,
      mouse: mouseNames[activeProtocol] ?? 'none',
      mouseEncoding: encodingNames[activeEncoding] ?? 'default',
      alternateScreen: buffers.active === buffers.alt,
    };
  }

  dispose(): void {
    this.#trimming?.dispose();
    this.#terminal.dispose();
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
      this.#watchHistory();
      this.#touchAll();
    });
    this.#watchHistory();
    this.#terminal.onData((text) => this.#events.reply(text));
    this.#terminal.onBell(() => this.#events.bell());
    this.#terminal.onTitleChange((text) => this.#events.title(text));
  }

  #watchHistory(): void {
    this.#trimming?.dispose();
    this.#trimming = this.#core._bufferService.buffers.normal.lines.onTrim((lines) => {
      this.#events.trimmed(lines);
    });
  }

  /** Handlers that run before the emulator's own; one that returns true replaces it. */
  #guard(): void {
    const core = this.#core;
    // Parameters reach 2^31: uncut, nine bytes would hold the event loop for minutes.
    const cut = (limit: () => number) => (params: Parameters) => {
      if (params.length > 0) params.params[0] = Math.min(params.params[0] as number, limit());
      return false;
    };
    for (const id of repeatedByRows)
      core.registerCsiHandler(
        id,
        cut(() => this.rows),
      );
    for (const id of repeatedByColumns)
      core.registerCsiHandler(
        id,
        cut(() => this.cols),
      );
    core.registerCsiHandler({ final: 'b' }, ({ params, length }) => {
      // REP: what exceeds a screenful only scrolls; the rest brings the cursor to the right column.
      const count = length > 0 ? (params[0] as number) : 0;
      const screenful = this.cols * this.rows;
      if (count > screenful) params[0] = screenful + (count % this.cols);
      return false;
    });
    for (const final of ['h', 'l']) {
      core.registerCsiHandler({ prefix: '?', final }, ({ params, length }) => {
        if (params.subarray(0, length).includes(2026)) this.#events.synchronized(final === 'h');
        return false;
      });
    }
    for (const id of [0, 1, 2]) core.registerOscHandler(id, (data) => data.length > maxTextUnits);
    core.registerOscHandler(7, (data) => {
      if (data.length <= maxTextUnits) this.#events.workingDirectory(data);
      return true;
    });
    core.registerOscHandler(8, (data) => {
      // The emulator's own table puts a marker on every line of a link, without a bound.
      const attributes = core._inputHandler._curAttrData;
      attributes.extended = attributes.extended.clone();
      attributes.extended.urlId = this.links.open(data);
      attributes.updateExtended();
      return true;
    });
  }
}

const mouseNames: Record<string, ScreenModes['mouse']> = {
  X10: 'x10',
  VT200: 'normal',
  DRAG: 'button',
  ANY: 'any',
};
const encodingNames: Record<string, ScreenModes['mouseEncoding']> = { SGR: 'sgr', SGR_PIXELS: 'sgr-pixels' };

function checkVersion(): void {
  const require = createRequire(import.meta.url);
  const { version } = require('@xterm/headless/package.json') as { version: string };
  if (version === requiredVersion) return;
  throw new Error(
    `tickmux needs @xterm/headless ${requiredVersion} exactly and found ${version}: reinstall tickmux's dependencies.`,
  );
}
