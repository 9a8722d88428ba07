/**
 * Handlers that stand before or in place of the emulator's own, so that no program can make the host
 * spend time or memory without bound, or put words into its own input. Never draws.
 */
import { copiedText, longestCopy } from './clipboard.ts';
import type { CsiParameters, DcsHandler, EmulatorCore, OscHandler, SequenceId } from './core.ts';
import type { LinkTable } from './links.ts';

/** Sequences whose parameter is a number of repetitions, each of which the emulator carries out. */
const repeatedByRows: SequenceId[] = ['L', 'M', 'S', 'T'].map((final) => ({ final }));
const repeatedByColumns: SequenceId[] = [
  ...['@', 'P', 'X', 'I', 'Z'].map((final) => ({ final })),
  { intermediates: ' ', final: '@' },
  { intermediates: ' ', final: 'A' },
  { intermediates: "'", final: '}' },
  { intermediates: "'", final: '~' },
];

/** The longest payload that is usually taken from a program, in UTF-16 units; longer sequences are ignored. */
const maxPayloadUnits = 4_096;

/** What the emulator handles itself: titles, links, and colours that nobody here paints with. */
const ownOscHandlers = [0, 1, 2, 4, 8, 10, 11, 12, 104, 110, 111, 112];

export interface GuardEvents {
  /** Mode 2026 is about to be set (true) or reset. */
  synchronized(on: boolean): void;
  /** OSC 7. */
  workingDirectory(uri: string): void;
  /** OSC 52. */
  copied(text: string): void;
}

export function guard(
  core: EmulatorCore,
  size: { readonly cols: number; readonly rows: number },
  links: LinkTable,
  events: GuardEvents,
): void {
  cutRepetitions(core, size);
  watchSynchronization(core, events);
  takePayloads(core, links, events);
}

/** Parameters reach 2^31: uncut, nine bytes would hold the event loop for minutes. */
function cutRepetitions(core: EmulatorCore, size: { readonly cols: number; readonly rows: number }): void {
  const cut = (id: SequenceId, limit: () => number) =>
    core.registerCsiHandler(id, ({ params, length }: CsiParameters) => {
      if (length > 0) params[0] = Math.min(params[0] as number, limit());
      return false;
    });
  for (const id of repeatedByRows) cut(id, () => size.rows);
  for (const id of repeatedByColumns) cut(id, () => size.cols);
  core.registerCsiHandler({ final: 'b' }, ({ params, length }) => {
    // REP: what exceeds a screenful only scrolls; the rest brings the cursor to the right column.
    const count = length > 0 ? (params[0] as number) : 0;
    const screenful = size.cols * size.rows;
    if (count > screenful) params[0] = screenful + (count % size.cols);
    return false;
  });
}

function watchSynchronization(core: EmulatorCore, events: GuardEvents): void {
  for (const final of ['h', 'l']) {
    core.registerCsiHandler({ prefix: '?', final }, ({ params, length }) => {
      if (params.subarray(0, length).includes(2026)) events.synchronized(final === 'h');
      return false;
    });
  }
}

/** The emulator's own handlers gather 10 million characters each, at about 30 bytes a character. */
function takePayloads(core: EmulatorCore, links: LinkTable, events: GuardEvents): void {
  const { _inputHandler } = core;
  const { _parser } = _inputHandler;
  for (const id of ownOscHandlers) _parser.clearOscHandler(id);
  const title = new Payload((data) => _inputHandler.setTitle(data));
  _parser.registerOscHandler(0, title);
  _parser.registerOscHandler(2, title);
  _parser.registerOscHandler(7, new Payload((data) => events.workingDirectory(data)));
  const copy = (data: string) => {
    const text = copiedText(data);
    if (text !== undefined) events.copied(text);
  };
  _parser.registerOscHandler(52, new Payload(copy, longestCopy));
  // The emulator's own table puts a marker on every line of a link, without a bound.
  const link = new Payload((data) => {
    const attributes = _inputHandler._curAttrData;
    attributes.extended = attributes.extended.clone();
    attributes.extended.urlId = links.open(data);
    attributes.updateExtended();
  });
  _parser.registerOscHandler(8, link);
  const statusRequest: SequenceId = { intermediates: '$', final: 'q' };
  _parser.clearDcsHandler(statusRequest);
  _parser.registerDcsHandler(
    statusRequest,
    new Payload((data) => {
      _inputHandler.requestStatusString(data);
    }),
  );
}

/** Gathers one payload of bounded length. */
class Payload implements OscHandler, DcsHandler {
  readonly #take: (data: string) => void;
  readonly #longest: number;
  #data = '';
  #tooLong = false;

  constructor(take: (data: string) => void, longest = maxPayloadUnits) {
    this.#take = take;
    this.#longest = longest;
  }

  start(): void {
    this.#data = '';
    this.#tooLong = false;
  }

  hook(): void {
    this.start();
  }

  put(data: Uint32Array, start: number, end: number): void {
    if (this.#tooLong) return;
    if (this.#data.length + end - start > this.#longest) {
      this.#tooLong = true;
      this.#data = '';
      return;
    }
    this.#data += String.fromCodePoint(...data.subarray(start, end));
  }

  end(success: boolean): boolean {
    const data = this.#data;
    this.#data = '';
    if (success && !this.#tooLong) this.#take(data);
    return true;
  }

  unhook(success: boolean): boolean {
    return this.end(success);
  }
}
