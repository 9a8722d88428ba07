/**
 * The private parts of @xterm/headless that a screen drives, as types, and the check that they are the
 * ones these types describe. Never runs anything itself.
 */
import { createRequire } from 'node:module';
import type { Cursor } from '../cells/frame.ts';

/** Private parts change without notice, so that only this version will do. */
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
  /** Gives back the memory of lines that became narrower, by timers of its own. */
  _memoryCleanupQueue: { enqueue(task: () => boolean): void; clear(): void };
}

interface Attributes {
  extended: { urlId: number; clone(): Attributes['extended'] };
  updateExtended(): void;
}

export interface CsiParameters {
  params: Int32Array;
  length: number;
}

export type SequenceId = { prefix?: string; intermediates?: string; final: string };

/** Takes the payload of an OSC sequence as it arrives, as code points. */
export interface OscHandler {
  start(): void;
  put(data: Uint32Array, start: number, end: number): void;
  /** `success` is false when the sequence was cancelled. */
  end(success: boolean): boolean;
}

/** The same for a DCS sequence. */
export interface DcsHandler {
  hook(): void;
  put(data: Uint32Array, start: number, end: number): void;
  unhook(success: boolean): boolean;
}

export interface EmulatorCore {
  _inputHandler: {
    parse(bytes: Uint8Array): unknown;
    onRequestRefreshRows(listener: (rows: { start: number; end: number } | undefined) => void): void;
    onRequestReset(listener: () => void): void;
    _parser: {
      reset(): void;
      clearOscHandler(id: number): void;
      registerOscHandler(id: number, handler: OscHandler): void;
      clearDcsHandler(id: SequenceId): void;
      registerDcsHandler(id: SequenceId, handler: DcsHandler): void;
    };
    setTitle(title: string): void;
    /** Answers DECRQSS. */
    requestStatusString(data: string): boolean;
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
  coreMouseService: { activeProtocol: string };
  registerCsiHandler(id: SequenceId, handler: (params: CsiParameters) => boolean): void;
}

/** Throws when another version of the emulator is installed. */
export function checkVersion(): void {
  const require = createRequire(import.meta.url);
  const { version } = require('@xterm/headless/package.json') as { version: string };
  if (version === requiredVersion) return;
  throw new Error(
    `tickmux needs @xterm/headless ${requiredVersion} exactly and found ${version}: reinstall tickmux's dependencies.`,
  );
}
