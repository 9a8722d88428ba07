/** Runs the built command line as people and programs do: a process of its own, with a state directory of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type SessionPaths, sessionPaths } from '../../src/platform/paths.ts';
import { sessionHolder } from '../../src/platform/session-lock.ts';
import { ensureBuilt } from './built.ts';
import { until } from './outer-terminal.ts';

const listens = (socket: string) =>
  new Promise<boolean>((resolve) => {
    const client = createConnection(socket);
    client.on('error', () => resolve(false));
    client.on('connect', () => {
      client.destroy();
      resolve(true);
    });
  });

export const root = new URL('../../', import.meta.url).pathname;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** One place for all tests of a file, with the product built before them; it ends after them. */
export function useCliPlace(): CliPlace {
  const place = new CliPlace();
  beforeAll(ensureBuilt, 60_000);
  afterAll(() => place.end());
  return place;
}

/** A place for sessions that no other test sees. `end` ends every host and command started in it. */
export class CliPlace {
  readonly directory = mkdtempSync(join(tmpdir(), 'tickmux-cli-'));
  readonly env: NodeJS.ProcessEnv;
  readonly #children: ChildProcess[] = [];
  readonly #sessions = new Set<string>();

  constructor() {
    const { PATH, HOME } = process.env;
    this.env = {
      PATH,
      HOME,
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      XDG_STATE_HOME: this.directory,
      XDG_CONFIG_HOME: join(this.directory, 'config'),
    };
  }

  paths(session: string): SessionPaths {
    this.#sessions.add(session);
    return sessionPaths(session, this.env);
  }

  /** Starts a command and lets it run. */
  start(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Running {
    const child = spawn(process.execPath, [join(root, 'dist/cli.mjs'), ...args], {
      cwd: this.directory,
      env: { ...this.env, ...env },
      stdio: 'pipe',
    });
    this.#children.push(child);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin.end(input);
    const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
    return { child, ended };
  }

  /** Starts a host, and resolves when it takes connections. */
  async host(session: string, args: readonly string[] = []): Promise<Running> {
    const { operatorSocket } = this.paths(session);
    const host = this.start(['host', '-s', session, ...args]);
    await until(`a host of ${session} listens`, () => listens(operatorSocket));
    return host;
  }

  /** Runs a command to its end. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<Ended> {
    return this.start(args, env, input).ended;
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    for (const session of this.#sessions) {
      const { run } = sessionPaths(session, this.env);
      const holder = existsSync(run) ? sessionHolder(run) : undefined;
      if (holder && holder.pid !== process.pid) process.kill(holder.pid, 'SIGKILL');
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}
