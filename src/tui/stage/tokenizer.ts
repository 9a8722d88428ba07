/**
 * Bytes from the terminal to whole tokens, decoded once and for all readers; no byte is lost.
 * Knows nothing of panes, keymaps or focus.
 */

import { scanPaste, scanToken } from './scan.ts';
import type { TextToken, Token } from './token.ts';

export interface TokenizerOptions {
  /** Milliseconds after which a lone ESC is the Escape key. Default 25. */
  readonly escapeMs?: number;
  /** Replaceable for tests: runs `callback` after `ms` and returns the way to cancel. */
  readonly delay?: (callback: () => void, ms: number) => () => void;
}

/** Nobody types the middle of a sequence: a cut one may take this many times longer than a lone ESC. */
const patience = 20;

const nothing = new Uint8Array(0);

export class Tokenizer {
  readonly #onToken: (token: Token) => void;
  readonly #escapeMs: number;
  readonly #delay: (callback: () => void, ms: number) => () => void;
  #held: Uint8Array = nothing;
  /** Undefined outside a paste; inside: whether its first part has been given out. */
  #paste: { started: boolean } | undefined;
  #cancel: (() => void) | undefined;

  constructor(onToken: (token: Token) => void, options: TokenizerOptions = {}) {
    this.#onToken = onToken;
    this.#escapeMs = options.escapeMs ?? 25;
    this.#delay = options.delay ?? delayByTimer;
  }

  /** Takes the next bytes from the terminal; tokens come out before it returns, or after the ESC timer. */
  push(chunk: Uint8Array): void {
    this.#stopWaiting();
    // A copy: the caller may use its buffer again, tokens keep theirs.
    this.#held = this.#held.length ? Buffer.concat([this.#held, chunk]) : Uint8Array.from(chunk);
    this.#scan(false);
    if (this.#held.length === 0 || this.#paste) return;
    const ms = this.#held.length <= 2 ? this.#escapeMs : this.#escapeMs * patience;
    this.#cancel = this.#delay(() => this.flush(), ms);
  }

  /** Gives out what is held back as if the timer had run out. A paste waits for its end all the same. */
  flush(): void {
    this.#stopWaiting();
    this.#scan(true);
  }

  dispose(): void {
    this.#stopWaiting();
    this.#held = nothing;
  }

  #scan(flush: boolean): void {
    const bytes = this.#held;
    let at = 0;
    const found: Token[] = [];
    while (at < bytes.length) {
      if (this.#paste) {
        const part = scanPaste(bytes, at, this.#paste.started);
        if (!part) break;
        found.push(part);
        at += part.bytes.length;
        this.#paste = part.last ? undefined : { started: true };
        continue;
      }
      const next = scanToken(bytes, at, flush);
      if (next === undefined) break;
      if (next === 'paste') {
        this.#paste = { started: false };
        continue;
      }
      found.push(next);
      at += next.bytes.length;
    }
    this.#held = bytes.subarray(at);
    // Given out last, so that a listener that throws or pushes leaves nothing half done.
    for (const token of found) this.#onToken(token);
  }

  #stopWaiting(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

function delayByTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

let segmenter: Intl.Segmenter | undefined;

/** One token for each character (grapheme cluster) of a run, as a keymap wants them. */
export function splitText(token: TextToken): TextToken[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const characters = [...segmenter.segment(token.text)];
  if (characters.length <= 1) return [token];
  return characters.map(({ segment }) => ({ ...token, text: segment, bytes: Buffer.from(segment) }));
}
