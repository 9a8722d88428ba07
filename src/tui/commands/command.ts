/** What a command is: a name that keys, palette and help share. */
import type { Ui } from '../ui.ts';

/** Thrown by a command that cannot be run as it was written; the message is for the person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface Command {
  readonly name: string;
  /** What follows the name. */
  readonly usage?: string;
  readonly help: string;
  run(ui: Ui, words: readonly string[]): void | Promise<void>;
}
