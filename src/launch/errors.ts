/**
 * The one error of this folder that a person may see. It never describes what a program did after it started:
 * that is an exit, not an error.
 */

/** A program could not be started. The message says what failed, which path, why, and what to do next. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  /** The file or directory at fault; the command as given when no file was found. */
  readonly path: string;
  /** A system error name: `ENOENT`, `EACCES`, `EISDIR`, `EMFILE`, … */
  readonly code: string;

  constructor(message: string, path: string, code: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.path = path;
    this.code = code;
  }
}

/** The system error name that `error` carries, or `fallback`. */
export function codeOf(error: unknown, fallback = 'EIO'): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : fallback;
}

/** What `error` says, for the middle of a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
