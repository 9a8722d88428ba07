/** What a command is: a name that keys, palette and help share. */
import type { Ui } from '../ui.ts';

/** Thrown by a command that cannot be run as it was written; the message is for the person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** A word that may follow the name of a command. */
export interface Choice {
  readonly word: string;
  /** What it stands for, in words of strangers that are made visible. */
  readonly detail?: string;
}

export interface Command {
  readonly name: string;
  /** What follows the name; what stands in brackets may be left out. */
  readonly usage?: string;
  readonly help: string;
  /** All that can follow the name now, where that is a list. */
  choices?(ui: Ui): readonly Choice[];
  run(ui: Ui, words: readonly string[]): void | Promise<void>;
}

/** Whether the command does nothing without words behind its name. */
export function needsWords({ usage = '' }: Command): boolean {
  return usage.replace(/\[[^\]]*\]/g, '').trim() !== '';
}
