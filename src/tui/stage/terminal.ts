/**
 * The edge to the operator's terminal: modes, size, bytes in and out, and giving all of it back.
 * Never knows what is drawn. Tests have an implementation of their own, a headless emulator.
 */

export interface Terminal {
  /** In cells, as the terminal says now. */
  readonly size: { readonly cols: number; readonly rows: number };
  /** Raw mode, alternate screen, bracketed paste, mouse, focus events. Idempotent. */
  enter(): void;
  /** Everything `enter` changed, given back synchronously. Idempotent. */
  leave(): void;
  /** Writes one whole frame; `taken` is called once the kernel has all of it. Never blocks. */
  write(bytes: Uint8Array, taken: () => void): void;
  onInput(listener: (chunk: Uint8Array) => void): void;
  onResize(listener: () => void): void;
  /** Leaves, stops this process by SIGTSTP; enters and calls `resumed` after SIGCONT. */
  suspend(resumed: () => void): void;
  /** Leaves, and stops listening to anything. */
  dispose(): void;
}

/** The terminal on this process's standard input and output, given back on exit, crash and signals. */
export declare function ttyTerminal(): Terminal;
