/**
 * Finds the file that a command names and checks that it can be run, before anything is started.
 * It never runs anything: the point is to tell "cannot start" from "started and exited with 127".
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { codeOf, LaunchError, reasonOf } from './errors.ts';

/** What a shell searches when PATH is not set. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin';

/** Linux reads at most this many bytes of a first line (BINPRM_BUF_SIZE). */
const firstLineBytes = 256;

/**
 * The absolute path of the program that `command` names (tick H-4.1-1): a command with a slash is taken
 * relative to `cwd`, any other is searched in `PATH`.
 * @throws LaunchError with `ENOENT`, `ENOTDIR`, `EACCES` or `EISDIR`; also when `cwd` cannot be entered or the
 * interpreter of a `#!` line is missing
 */
export function resolveProgram(command: string, cwd: string, PATH: string | undefined): string {
  checkDirectory(cwd);
  const program = command.includes('/')
    ? checkFile(command, resolve(cwd, command))
    : search(command, cwd, PATH);
  checkInterpreter(command, program, cwd, PATH);
  return program;
}

function checkDirectory(cwd: string): void {
  const fail = (why: string, code: string, cause?: unknown) =>
    new LaunchError(`Cannot start in ${cwd}: ${why}. Choose another directory.`, cwd, code, cause);
  if (!isAbsolute(cwd)) throw fail('it is not an absolute path', 'EINVAL');
  let isDirectory: boolean;
  try {
    isDirectory = statSync(cwd).isDirectory();
    accessSync(cwd, constants.X_OK);
  } catch (error) {
    throw fail(`it ${explain(codeOf(error), error)}`, codeOf(error), error);
  }
  if (!isDirectory) throw fail('it is not a directory', 'ENOTDIR');
}

/** @returns `path` when it is a file that this user may run */
function checkFile(command: string, path: string): string {
  const fail = (why: string, next: string, code: string, cause?: unknown) =>
    new LaunchError(`Cannot start ${quote(command)}: ${path} ${why}. ${next}`, path, code, cause);
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw fail('is a directory', 'Name a program inside it.', 'EISDIR');
    if (!stat.isFile()) throw fail('is not a regular file', 'Name a program.', 'EACCES');
    accessSync(path, constants.X_OK);
    return path;
  } catch (error) {
    if (error instanceof LaunchError) throw error;
    const code = codeOf(error);
    if (code === 'EACCES')
      throw fail('may not be run by you', `Make it executable: chmod +x ${path}`, code, error);
    throw fail(explain(code, error), 'Check the spelling.', code, error);
  }
}

function search(command: string, cwd: string, PATH: string | undefined): string {
  let denied: LaunchError | undefined;
  if (command !== '') {
    for (const directory of (PATH ?? defaultPath).split(':')) {
      try {
        // An empty entry means the working directory, as in a shell.
        return checkFile(command, resolve(cwd, directory, command));
      } catch (error) {
        // A shell remembers a file it may not run, and goes on looking for one it may.
        if (error instanceof LaunchError && error.code === 'EACCES') denied ??= error;
      }
    }
  }
  if (denied) throw denied;
  throw new LaunchError(
    `Cannot start ${quote(command)}: no program of that name in PATH. Check the spelling, or give its full path.`,
    command,
    'ENOENT',
  );
}

/** Follows a `#!` line, through `env NAME` too, since those failures look like an exit of the program itself. */
function checkInterpreter(command: string, program: string, cwd: string, PATH: string | undefined): void {
  const line = firstLine(program);
  if (!line?.startsWith('#!')) return;
  const [interpreter, argument] = line
    .slice(2)
    .trimStart()
    .split(/[ \t]+/);
  if (!interpreter) return;
  const missing = (path: string, why: string, cause: unknown) => {
    const windows = line.endsWith('\r')
      ? 'The line ends with a carriage return: save the file with Unix line ends.'
      : 'Install it, or correct the first line.';
    return new LaunchError(
      `Cannot start ${quote(command)}: the first line of ${program} asks for ${quote(path)}, which ${why}. ${windows}`,
      path,
      codeOf(cause, 'ENOENT'),
      cause,
    );
  };
  try {
    checkFile(interpreter, resolve(cwd, interpreter));
  } catch (error) {
    throw missing(interpreter, codeOf(error) === 'ENOENT' ? 'does not exist' : 'cannot be run', error);
  }
  if (!interpreter.endsWith('/env') || !argument || /^-|=/.test(argument)) return;
  try {
    if (!argument.includes('/')) search(argument, cwd, PATH);
  } catch (error) {
    throw missing(argument, 'is not in PATH', error);
  }
}

/** The first line without its newline, or undefined when the file may be run but not read. */
function firstLine(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY);
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.alloc(firstLineBytes);
    const text = bytes.toString('latin1', 0, readSync(descriptor, bytes));
    // As bytes first: only a `#!` line is text for certain.
    if (!text.startsWith('#!')) return text.slice(0, 2);
    return bytes.toString('utf8', 0, text.length).split('\n', 1)[0];
  } finally {
    closeSync(descriptor);
  }
}

function explain(code: string, error: unknown): string {
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES') return 'may not be entered by you';
  if (code === 'ENOTDIR') return 'has a parent that is not a directory';
  return `cannot be read (${reasonOf(error)})`;
}

/** Control characters in a command must not act on the terminal that shows the message. */
function quote(text: string): string {
  return JSON.stringify(text);
}
