/** How a command ends: its exit codes, and the error that carries one with words for a person. */

export const exitCodes = {
  ok: 0,
  /** Refused or failed: nothing more will happen. */
  refused: 1,
  /** The command line makes no sense, or there is no terminal where one is needed. */
  usage: 2,
  /** A call may have run; nobody knows. */
  unknown: 3,
} as const;

/** A failure in words that say what failed, which thing, and what to do next. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** As {@link CliError}, for what is wrong with the command line itself. */
export class UsageError extends CliError {
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}
