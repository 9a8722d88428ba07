/**
 * The built product as people run it: a session of its own for each test, in a state directory that nobody
 * else sees, with terminals, agents and operators on it. When the test is over nothing of it is alive, or
 * the test fails.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { type SessionPaths, sessionPaths } from '../../src/platform/paths.ts';
import { sessionHolder } from '../../src/platform/session-lock.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import type { Picture } from '../../src/rpc/api/session.ts';
import type { Client } from '../../src/rpc/client.ts';
import { connect } from '../../src/rpc/socket.ts';
import { ensureBuilt } from './built.ts';
import { OuterTerminal, until } from './outer-terminal.ts';

// Longer than any wait in `outer-terminal.ts`, whose failures say more than a test's that ran out of time.
vi.setConfig({ testTimeout: 240_000 });

const staleMs = 60 * 60 * 1_000;

export const root = new URL('../../', import.meta.url).pathname;

/** What is pressed before every key of tickmux's own. */
export const prefix = '\x02';
export const keys = {
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  end: '\x1b[F',
  home: '\x1b[H',
  pageDown: '\x1b[6~',
  escape: '\x1b',
  enter: '\r',
} as const;

/**
 * The command line of a copy of the build, so that another build beside this run does not take away what a
 * running `tickmux` has yet to load.
 */
export function builtCli(): string {
  ensureBuilt();
  const stamp = () => readFileSync(join(root, 'dist/.stamp'), 'utf8').slice(0, 16);
  const before = stamp();
  // Inside `node_modules`, so that what is not bundled is found from there.
  const cache = join(root, 'node_modules/.cache/tickmux-end-to-end');
  const kept = join(cache, before);
  const cli = join(kept, 'dist/cli.mjs');
  if (existsSync(cli)) return cli;
  removeStale(cache);
  const draft = `${kept}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  cpSync(join(root, 'dist'), join(draft, 'dist'), { recursive: true });
  if (stamp() !== before) {
    rmSync(draft, { recursive: true });
    return builtCli();
  }
  for (const name of ['demo', 'themes', 'package.json']) symlinkSync(join(root, name), join(draft, name));
  try {
    renameSync(draft, kept);
  } catch {
    // Another test file was faster.
    rmSync(draft, { recursive: true });
  }
  return cli;
}

function removeStale(cache: string): void {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const copy = join(cache, name);
    const made = statSync(copy, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - made > staleMs) rmSync(copy, { recursive: true, force: true });
  }
}

/** A call as the ledger wrote it down. */
export interface Entry {
  tool: string;
  args: Record<string, unknown>;
  revision: string;
  at: number;
  pid: number;
}

export class TestSession {
  readonly name: string;
  readonly directory = mkdtempSync(join(tmpdir(), 'tickmux-e2e-'));
  readonly paths: SessionPaths;
  readonly env: NodeJS.ProcessEnv;
  readonly cli: string;
  readonly #terminals: OuterTerminal[] = [];
  readonly #clients: Client[] = [];

  /** Ends with the test. */
  constructor(cli: string, name = 'e2e') {
    this.cli = cli;
    this.name = name;
    const { PATH, HOME } = process.env;
    this.env = {
      PATH,
      HOME,
      SHELL: '/bin/sh',
      PS1: '$ ',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      XDG_STATE_HOME: this.directory,
      XDG_CONFIG_HOME: join(this.directory, 'config'),
    };
    this.paths = sessionPaths(name, this.env);
    onTestFinished(() => this.#end(), 60_000);
  }

  /** The command that shows the session. */
  command(...args: string[]): string[] {
    return [process.execPath, this.cli, '-s', this.name, ...args];
  }

  /** Runs `tickmux` in a terminal of its own. */
  tickmux(args: readonly string[] = [], size: { cols?: number; rows?: number } = {}): OuterTerminal {
    return this.terminal(this.command(...args), size);
  }

  /** Runs any program in a terminal of its own. */
  terminal(command: readonly string[], size: { cols?: number; rows?: number } = {}): OuterTerminal {
    const terminal = new OuterTerminal(command, { ...size, cwd: this.directory, env: this.env });
    this.#terminals.push(terminal);
    return terminal;
  }

  /** Shows a session in which the ledger runs as hosted:1. */
  async withLedger(size: { cols?: number; rows?: number } = {}): Promise<OuterTerminal> {
    const screen = this.tickmux(['--', ...this.ledgerCommand], size);
    await screen.shows('hosted:1 Ledger', /calls 0/);
    return screen;
  }

  get ledgerCommand(): string[] {
    return [process.execPath, join(root, 'test/fixtures/end-to-end/ledger.mjs'), this.#ledger];
  }

  /** What the ledger executed, oldest first. */
  get entries(): Entry[] {
    if (!existsSync(this.#ledger)) return [];
    const lines = readFileSync(this.#ledger, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Entry);
  }

  get #ledger(): string {
    return join(this.directory, 'ledger.jsonl');
  }

  async agent(name = 'tester'): Promise<Client> {
    const client = await connect(this.paths.agentSocket);
    this.#clients.push(client);
    await client.request(agentApi.hello, { name, version: '1' });
    return client;
  }

  async operator(): Promise<Client> {
    const client = await connect(this.paths.operatorSocket);
    this.#clients.push(client);
    await client.request(operatorApi.hello, { name: 'test', version: '1' });
    return client;
  }

  async picture(): Promise<Picture> {
    const client = await this.operator();
    const picture = await client.request(operatorApi.picture, {});
    client.close();
    return picture;
  }

  /** The process of an instance. */
  async pid(instance: string): Promise<number> {
    const { instances } = await this.picture();
    const pid = instances.find((one) => one.instance === instance)?.pid;
    if (pid === undefined) throw new Error(`${instance} does not run.`);
    return pid;
  }

  get host(): number {
    const pid = sessionHolder(this.paths.run)?.pid;
    if (pid === undefined) throw new Error(`Session ${this.name} has no host.`);
    return pid;
  }

  /** Every living process that was started in this session's surroundings: hosts, views, programs in panes. */
  get processes(): { pid: number; command: string }[] {
    const mark = `XDG_STATE_HOME=${this.directory}\0`;
    return processes().filter(({ environment }) => environment.includes(mark));
  }

  /** The processes whose command line matches. */
  running(pattern: RegExp): number[] {
    return this.processes.filter(({ command }) => pattern.test(command)).map(({ pid }) => pid);
  }

  async #end(): Promise<void> {
    try {
      for (const client of this.#clients) client.close();
      // First let go of who waits for them.
      for (const { pid } of this.processes) signal(pid, 'SIGCONT');
      for (const terminal of this.#terminals) await terminal.kill();
      const host = sessionHolder(this.paths.run);
      if (host) signal(host.pid, 'SIGKILL');
      await until(
        'no process of the session is left',
        () => this.processes.length === 0,
        () => this.processes.map(({ pid, command }) => `\n${pid} ${command}`).join(''),
      );
    } finally {
      for (const { pid } of this.processes) signal(pid, 'SIGKILL');
      rmSync(this.directory, { recursive: true, force: true });
      rmSync(this.paths.run, { recursive: true, force: true });
    }
  }
}

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status === 0;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}

function processes(): { pid: number; command: string; environment: string }[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' });
    return stdout.split('\n').flatMap((line) => {
      const [, pid, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid ? [{ pid: Number(pid), command, environment: command.replaceAll(' ', '\0') }] : [];
    });
  }
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), command, environment: readFileSync(`/proc/${name}/environ`, 'utf8') }];
    } catch {
      return [];
    }
  });
}
