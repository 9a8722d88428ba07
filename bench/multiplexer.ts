/**
 * Starts any multiplexer in a terminal of 200x50 and tells when a text reached that terminal. The same
 * for all of them: nothing here knows how one works inside.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pty from 'node-pty';

const cli = new URL('../dist/cli.mjs', import.meta.url).pathname;

/** How one multiplexer is told to do what all can do. */
export interface Multiplexer {
  name: string;
  /** The command line that opens a session with one pane that runs `command`. */
  start(command: string[], place: Place): string[];
  /** The command line that shows that session once more. */
  attach(place: Place): string[];
  /** Keys that split the pane; the new one runs a shell and has the focus. */
  split: string;
  end(place: Place): void;
}

/** Somewhere that no other run knows of. */
export interface Place {
  directory: string;
  env: Record<string, string>;
}

export const bare: Multiplexer = {
  name: 'no multiplexer',
  start: (command) => command,
  attach: () => ['true'],
  split: '',
  end: () => {},
};

export const tickmux: Multiplexer = {
  name: 'tickmux',
  start: (command) => [process.execPath, cli, '-s', 'bench', '--shell', '--', ...command],
  attach: () => [process.execPath, cli, '-s', 'bench'],
  split: '\x02%',
  end: ({ env }) => void spawnSync(process.execPath, [cli, '-s', 'bench', 'kill-session'], { env }),
};

export const tmux: Multiplexer = {
  name: 'tmux',
  start: (command, { directory }) => [
    ...['tmux', '-S', join(directory, 'tmux.sock'), '-f', '/dev/null', 'new-session', '-s', 'bench'],
    ...['--', ...command],
  ],
  attach: ({ directory }) => ['tmux', '-S', join(directory, 'tmux.sock'), 'attach-session', '-t', 'bench'],
  split: '\x02%',
  end: ({ directory, env }) =>
    void spawnSync('tmux', ['-S', join(directory, 'tmux.sock'), 'kill-server'], { env }),
};

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** Those that can be compared on this machine. */
export function multiplexers(): Multiplexer[] {
  return isInstalled('tmux') ? [tickmux, tmux] : [tickmux];
}

export function makePlace(): Place {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-bench-'));
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    PATH,
    HOME,
    XDG_STATE_HOME: directory,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    PS1: '$ ',
    SHELL: '/bin/sh',
  };
  return { directory, env };
}

/** One view of a multiplexer with one pane, in a terminal of its own. */
export class Running {
  readonly #multiplexer: Multiplexer;
  readonly #place: Place;
  readonly #program: pty.IPty;
  readonly startedAt: number;
  #seen = '';
  #waiting: { text: string; found: () => void } | undefined;
  /** That came so far. */
  characters = 0;

  /** @param command what a new session runs; without one, the session of `place` is shown once more */
  constructor(multiplexer: Multiplexer, command?: string[], place = makePlace()) {
    this.#multiplexer = multiplexer;
    this.#place = place;
    const [file = '', ...args] = command ? multiplexer.start(command, place) : multiplexer.attach(place);
    this.startedAt = performance.now();
    this.#program = pty.spawn(file, args, { cols: 200, rows: 50, cwd: place.directory, env: place.env });
    this.#program.onData((data) => this.#take(data));
  }

  /** Shows the same session in another terminal. */
  again(): Running {
    return new Running(this.#multiplexer, undefined, this.#place);
  }

  write(keys: string): void {
    this.#program.write(keys);
  }

  /** Milliseconds, on the clock of `performance.now()`, at which `text` arrives from now on. */
  arrival(text: string, timeoutMs = 30_000): Promise<number> {
    this.#seen = '';
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new Error(
              `${this.#multiplexer.name} never showed ${JSON.stringify(text)}: ${JSON.stringify(this.#seen.slice(-400))}`,
            ),
          ),
        timeoutMs,
      );
      this.#waiting = {
        text,
        found: () => {
          clearTimeout(timer);
          resolve(performance.now());
        },
      };
    });
  }

  /** Settles when so many more characters have come. */
  async output(characters: number): Promise<void> {
    const enough = this.characters + characters;
    while (this.characters < enough) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Ends this view only. */
  leave(): void {
    this.#program.kill('SIGKILL');
  }

  end(): void {
    this.#multiplexer.end(this.#place);
    this.leave();
    rmSync(this.#place.directory, { recursive: true, force: true });
  }

  #take(data: string): void {
    this.characters += data.length;
    if (!this.#waiting) return;
    this.#seen = (this.#seen + data).slice(-4_096);
    if (!this.#seen.includes(this.#waiting.text)) return;
    const { found } = this.#waiting;
    this.#waiting = undefined;
    found();
  }
}

/** Tools whose absence is said rather than failed on. */
export function versions(): string[] {
  const of = (program: string, ...args: string[]) =>
    isInstalled(program)
      ? (execFileSync(program, args, { encoding: 'utf8' }).trim().split('\n')[0] ?? '')
      : `${program}: not installed`;
  return [`node ${process.version}`, of('tmux', '-V')];
}
