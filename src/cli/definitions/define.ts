/** How a command of the command line is declared: usage, words, options, and what runs. */
import type { Command } from 'commander';
import type { SessionPaths } from '../../platform/paths.ts';
import type { CommonOptions, Context } from '../context.ts';
import type { Output } from '../output.ts';

export type Action<O> = (given: {
  args: string[];
  options: O & CommonOptions;
  paths: SessionPaths;
  output: Output;
}) => Promise<number>;

export interface Define {
  readonly context: Context;
  command<O>(usage: string, description: string, action: Action<O>): Command;
  /** With `--json`. */
  json(made: Command): Command;
  /** Of something that an agent may only propose. */
  proposing(made: Command): Command;
}
