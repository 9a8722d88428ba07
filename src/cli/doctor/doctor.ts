/** Looks at everything tickmux stands on, one line each, and puts a terminal in order. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { SessionPaths } from '../../platform/paths.ts';
import type { Context } from '../context.ts';
import { exitCodes, UsageError } from '../exit.ts';
import { type Output, textLines } from '../output.ts';
import type { Check } from './check.ts';
import { checkClock, checkNode, checkPython, checkTerminals } from './machine.ts';
import { checkConfig, checkHost, checkNesting, checkRunDirectory } from './surroundings.ts';
import { checkAnswers, checkVariables, resetSequence } from './terminal.ts';

/** Exit code 1 when something fails; what is merely worth knowing does not. */
export async function doctor(paths: SessionPaths, context: Context, output: Output): Promise<number> {
  const { env } = context;
  const checks: Check[] = [
    { name: 'tickmux', state: 'ok', found: context.version },
    checkNode(),
    await checkTerminals(env),
    checkPython(env),
    checkClock(),
    ...checkVariables(env),
    ...(await checkAnswers(context)),
    checkNesting(env),
    checkRunDirectory(paths, env),
    checkHost(paths),
    ...checkConfig(env),
  ];
  const failed = checks.filter(({ state }) => state === 'fail').length;
  output.answer({ ok: failed === 0, checks }, () => [...checks.map((check) => line(check, output))]);
  return failed === 0 ? exitCodes.ok : exitCodes.refused;
}

function line({ name, state, found, next }: Check, output: Output): string {
  const paint = { ok: output.colour.green, warn: output.colour.yellow, fail: output.colour.red }[state];
  const words = textLines(found).join(' ');
  return `${paint(state.padEnd(4))}  ${name.padEnd(19)}  ${words}${next === undefined ? '' : output.dim(` -> ${next}`)}`;
}

/** Writes to the terminal alone: to anything else the bytes would be noise. */
export async function resetTerminal(context: Context, output: Output): Promise<number> {
  const { stdin, stdout } = context;
  if (!stdout.isTTY) {
    throw new UsageError(
      'There is no terminal to put in order: run `tickmux doctor --reset` in it, output not redirected.',
    );
  }
  const words = output.json ? JSON.stringify({ reset: true }) : 'The terminal is in order again.';
  await new Promise<void>((written) => stdout.write(`${resetSequence}${words}\n`, () => written()));
  if (stdin.isTTY) {
    // The line discipline of the terminal on standard input, which is this one.
    spawnSync('stty', ['sane'], { stdio: ['inherit', 'ignore', 'ignore'] });
    keepModes();
  }
  return exitCodes.ok;
}

/**
 * Node gives a terminal back, at its end, the modes it found at its start, which are the bad ones; but not
 * through descriptors that lead somewhere else by then.
 */
function keepModes(): void {
  for (const descriptor of [0, 1, 2]) {
    closeSync(descriptor);
    // Takes the number that has just become free.
    openSync('/dev/null', 'r+');
  }
}
