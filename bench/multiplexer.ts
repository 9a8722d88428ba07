/**
 * Starts any multiplexer in a terminal of 200x50 and tells when a text reached that terminal. The same
 * for all of them: nothing here knows how one works inside.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pty from 'node-pty';
import { type Cost, costOf } from './cost.ts';

const cli = new URL('../dist/cli.mjs', import.meta.url).pathname;

/** How one multiplexer is told to do what all can do. */
export interface Multiplexer {
  name: string;
  /** The command line that opens a session with one pane that runs `command`. */
  start(command: string[], place: Place): string[];
  /** The command line that shows that session once more, where there are such things. */
  attach?: (place: Place) => string[];
  /** The command line that opens one more window, unseen, that runs `command`. */
  open?: (command: string[], place: Place) => string[];
  /** Keys that split the pane; the new one runs a shell and has the focus. */
  split: string;
  /** Keys that open a window with a shell, which hides what was there. */
  window: string;
  /** Keys that give all panes about the same room, where it does not do so by itself. */
  even?: string;
  /** What its own processes are called, to tell them from those of the panes. */
  processes: RegExp;
  /** Ends what goes on without a terminal. */
  end?: (place: Place) => void;
}

/** Lines kept above a screen, in all of them. */
export const historyLines = 10_000;

/** Somewhere that no other run knows of. */
export interface Place {
  directory: string;
  env: Record<string, string>;
}

export const bare: Multiplexer = {
  name: 'no multiplexer',
  start: (command) => command,
  split: '',
  window: '',
  processes: /^$/,
};

const ours = (...words: string[]) => [process.execPath, cli, '-s', 'bench', ...words];

export const tickmux: Multiplexer = {
  name: 'tickmux',
  start: (command) => ours('--shell', '--', ...command),
  attach: () => ours(),
  open: (command) => ours('open', '--shell', '--', ...command),
  split: '\x02%',
  window: '\x02c',
  even: '\x02:layout tiled\r',
  processes: /^(node|tickmux)/,
  end: ({ env }) => run(ours('kill-session'), env),
};

export const tmux: Multiplexer = {
  name: 'tmux',
  start: (command, place) => {
    const configuration = join(place.directory, 'tmux.conf');
    writeFileSync(configuration, `set -g history-limit ${historyLines}\n`);
    return tmuxAt(place, '-f', configuration, 'new-session', '-s', 'bench', '--', ...command);
  },
  attach: (place) => tmuxAt(place, 'attach-session', '-t', 'bench'),
  open: (command, place) => tmuxAt(place, 'new-window', '-d', '-t', 'bench', '--', ...command),
  split: '\x02%',
  window: '\x02c',
  even: '\x02\x1b5',
  processes: /^tmux/,
  end: (place) => run(tmuxAt(place, 'kill-server'), place.env),
};

/** GNU screen has no tiled layout: where panes share the terminal evenly it is left out. */
const screen: Multiplexer = {
  name: 'screen',
  start: (command, { directory }) => {
    const configuration = join(directory, 'screenrc');
    writeFileSync(configuration, `defscrollback ${historyLines}\nstartup_message off\n`);
    return ['screen', '-c', configuration, '-U', '-S', 'bench', ...command];
  },
  attach: () => ['screen', '-U', '-x', 'bench'],
  open: (command) => ['screen', '-S', 'bench', '-X', 'screen', ...command],
  split: '\x01|\x01\t\x01c',
  window: '\x01c',
  processes: /^screen/i,
  end: ({ env }) => run(['screen', '-S', 'bench', '-X', 'quit'], env),
};

/** Has no sessions to come back to. */
const dvtm: Multiplexer = {
  name: 'dvtm',
  start: (command) => ['dvtm', '-h', `${historyLines}`, command.map(quoted).join(' ')],
  split: '\x07c',
  window: '\x07c\x07m',
  even: '\x07g',
  processes: /^dvtm/,
};

const tmuxAt = ({ directory }: Place, ...words: string[]) => [
  'tmux',
  '-S',
  join(directory, 'tmux.sock'),
  ...words,
];
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

function run([file = '', ...args]: string[], env: Record<string, string>): void {
  spawnSync(file, args, { env });
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** Those that can be compared on this machine; ours is always one of them. */
export function multiplexers(): Multiplexer[] {
  const wanted = process.env.BENCH_WITH?.split(',');
  return [tickmux, tmux, screen, dvtm].filter(
    ({ name }) => name === tickmux.name || (isInstalled(name) && (wanted?.includes(name) ?? true)),
  );
}

export function makePlace(): Place {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-bench-'));
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    PATH,
    HOME,
    XDG_STATE_HOME: directory,
    XDG_CONFIG_HOME: directory,
    SCREENDIR: directory,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    PS1: '$ ',
    SHELL: '/bin/sh',
  };
  mkdirSync(join(directory, 'tickmux'));
  writeFileSync(join(directory, 'tickmux', 'config.jsonc'), JSON.stringify({ scrollback: historyLines }));
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
    const [file = '', ...args] = command
      ? multiplexer.start(command, place)
      : (multiplexer.attach?.(place) ?? []);
    this.startedAt = performance.now();
    this.#program = pty.spawn(file, args, { cols: 200, rows: 50, cwd: place.directory, env: place.env });
    this.#program.onData((data) => this.#take(data));
  }

  /** Shows the same session in another terminal. */
  again(): Running {
    return new Running(this.#multiplexer, undefined, this.#place);
  }

  /** Opens one more window, unseen. */
  open(command: string[]): void {
    const words = this.#multiplexer.open?.(command, this.#place);
    if (words) run(words, this.#place.env);
  }

  resize(cols: number, rows: number): void {
    this.#program.resize(cols, rows);
  }

  /** What the multiplexer's own processes cost so far. */
  cost(): Cost {
    return costOf(this.#place.directory, this.#multiplexer.processes);
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
    this.#multiplexer.end?.(this.#place);
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
      ? (spawnSync(program, args, { encoding: 'utf8' }).stdout.trim().split('\n')[0] ?? '')
      : `${program}: not installed`;
  return [`node ${process.version}`, of('tmux', '-V'), of('screen', '-v'), of('dvtm', '-v')];
}
