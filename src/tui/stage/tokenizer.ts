/**
 * Bytes from the terminal to whole tokens, decoded once and for all readers; no byte is lost.
 * Knows nothing of panes, keymaps or focus.
 */

import type { TextToken, Token } from './token.ts';

export interface TokenizerOptions {
  /** Milliseconds after which a lone ESC is the Escape key. Default 25. */
  readonly escapeMs?: number;
  /** Replaceable for tests: runs `callback` after `ms` and returns the way to cancel. */
  readonly delay?: (callback: () => void, ms: number) => () => void;
}

export declare class Tokenizer {
  constructor(onToken: (token: Token) => void, options?: TokenizerOptions);
  /** Takes the next bytes from the terminal; tokens come out before it returns, or after the ESC timer. */
  push(chunk: Uint8Array): void;
  /** Gives out what is held back as if the timer had run out. */
  flush(): void;
  dispose(): void;
}

/** One token for each character (grapheme cluster) of a run, as a keymap wants them. */
export declare function splitText(token: TextToken): TextToken[];
