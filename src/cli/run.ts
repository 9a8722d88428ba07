/** Runs one command line to its exit code; every failure ends here, in words for a person. */
import { CommanderError } from 'commander';
import { visible } from '../cells/visible.ts';
import { PathError } from '../platform/paths.ts';
import { RpcError, rpcCodes } from '../rpc/api/errors.ts';
import { ConnectionEnded } from '../rpc/client.ts';
import type { Context } from './context.ts';
import { CliError, exitCodes } from './exit.ts';
import { createProgram } from './program.ts';

export async function run(argv: readonly string[], context: Context): Promise<number> {
  let code: number = exitCodes.ok;
  const program = createProgram(context, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(withDefaultCommand(argv), { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed its own words, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const failure = describeFailure(error);
    if (argv.slice(0, endOfOptions(argv)).includes('--json')) {
      context.stdout.write(`${JSON.stringify({ error: failure.value })}\n`);
    }
    for (const line of failure.message.split('\n')) context.stderr.write(`tickmux: ${visible(line)}\n`);
    return failure.exitCode;
  }
}

/** `tickmux` alone, or with no more than options and `-- CMD`, means `tickmux attach`. */
function withDefaultCommand(argv: readonly string[]): string[] {
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] as string;
    if (word === '-s' || word === '--session') at += 2;
    else if (/^(--session=|-s.)/.test(word)) at += 1;
    else break;
  }
  const word = argv[at];
  const isOwn = word !== undefined && (!word.startsWith('-') || /^(-h|--help|-V|--version)$/.test(word));
  return isOwn ? [...argv] : [...argv.slice(0, at), 'attach', ...argv.slice(at)];
}

function endOfOptions(argv: readonly string[]): number {
  const at = argv.indexOf('--');
  return at === -1 ? argv.length : at;
}

interface Failure {
  message: string;
  exitCode: number;
  value: object;
}

function describeFailure(error: unknown): Failure {
  if (error instanceof RpcError) {
    const name = Object.entries(rpcCodes).find(([, code]) => code === error.code)?.[0];
    const { message, code } = error;
    return { message, exitCode: exitCodes.refused, value: { message, code, name } };
  }
  const { message, exitCode } = wordsAndCode(error);
  return { message, exitCode, value: { message } };
}

function wordsAndCode(error: unknown): { message: string; exitCode: number } {
  if (error instanceof CliError) return error;
  if (error instanceof PathError) return { message: error.message, exitCode: exitCodes.usage };
  if (error instanceof ConnectionEnded) {
    return { message: 'The host ended before it answered.', exitCode: exitCodes.refused };
  }
  // Not foreseen: the words of whatever threw, which is more than a stack trace tells most people.
  const message = error instanceof Error ? error.message : String(error);
  return { message: `Unexpected: ${message}`, exitCode: exitCodes.refused };
}
