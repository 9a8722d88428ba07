/** Where sessions live, what is configured, and what this terminal runs in. Creates and changes nothing. */
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { configPaths } from '../../platform/config.ts';
import { type SessionPaths, stateDirectory } from '../../platform/paths.ts';
import { sessionHolder } from '../../platform/session-lock.ts';
import { readConfig } from '../config.ts';
import { type Check, fail, ok, warn } from './check.ts';

export function checkRunDirectory(paths: SessionPaths, env: NodeJS.ProcessEnv): Check {
  const name = 'run directory';
  const { run } = paths;
  const bytes = Buffer.byteLength(paths.operatorSocket);
  const stat = lstatSync(run, { throwIfNoEntry: false });
  if (!stat) {
    const parent = existing(run);
    try {
      accessSync(parent, constants.W_OK);
    } catch {
      return fail(
        name,
        `${run} cannot be made: ${parent} is not yours to write`,
        'set XDG_STATE_HOME to a directory of yours',
      );
    }
  } else if (!stat.isDirectory()) {
    return fail(name, `${run} is no directory (a link does not count)`, 'remove it');
  } else if (process.getuid && stat.uid !== process.getuid()) {
    return fail(name, `${run} belongs to user ${stat.uid}`, 'remove it, or set XDG_STATE_HOME');
  } else if ((stat.mode & 0o077) !== 0) {
    const mode = (stat.mode & 0o777).toString(8);
    return warn(
      name,
      `${run} is open to others (mode ${mode})`,
      `chmod 700 ${run}; the next host does it by itself`,
    );
  }
  if (!run.startsWith(stateDirectory(env))) {
    return warn(
      name,
      `${run}, since the usual path is too long for a socket`,
      'set XDG_STATE_HOME to a shorter directory: systems clean up temporary ones',
    );
  }
  return ok(name, `${run} (${bytes} bytes to the socket)`);
}

function existing(path: string): string {
  let parent = path;
  while (!statSync(parent, { throwIfNoEntry: false }) && parent !== '/') parent = dirname(parent);
  return parent;
}

export function checkHost(paths: SessionPaths): Check {
  const holder = sessionHolder(paths.run);
  const found = holder ? `runs as process ${holder.pid}` : 'does not run';
  return ok(`session ${paths.session}`, found);
}

export function checkConfig(env: NodeJS.ProcessEnv): Check[] {
  const paths = configPaths(env);
  const { problems, exists } = readConfig(paths, env);
  if (problems.length === 0) {
    return [ok('configuration', exists ? paths.file : `${paths.file} is not there: all is at its default`)];
  }
  return problems.map((problem) =>
    fail('configuration', problem, 'mend that line; `tickmux schema config` lists what there is'),
  );
}

/** Of a terminal in a terminal, the outer one takes its keys first. */
export function checkNesting(env: NodeJS.ProcessEnv): Check {
  const name = 'nesting';
  if (env.TICKMUX_INSTANCE) {
    return warn(
      name,
      `this is ${env.TICKMUX_INSTANCE} of session ${env.TICKMUX_SESSION ?? 'unknown'}`,
      'show other sessions from here if you like; the prefix then goes to the outer one, twice for the inner one',
    );
  }
  if (env.TMUX) {
    return warn(
      name,
      'this runs inside tmux, whose prefix is C-b too',
      'press it twice, or set "prefix" in your configuration; in tmux `set -g extended-keys on` and `set -g focus-events on` let more keys through',
    );
  }
  if (env.STY)
    return warn(
      name,
      'this runs inside screen',
      'screen shows few colours and no mouse: run tickmux outside',
    );
  if (env.ZELLIJ) return warn(name, 'this runs inside zellij', 'lock its keys (C-g), or run tickmux outside');
  return ok(name, 'in no other multiplexer');
}
