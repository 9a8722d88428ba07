/** What the tests of this folder share: a started program with everything it drew, and waiting for a condition. */
import { readFileSync } from 'node:fs';
import { afterEach } from 'vitest';
import { cleanEnvironment, type Launched, type LaunchOptions, launch } from '../../src/launch/index.ts';

export interface Running extends Launched {
  /** Everything the terminal showed so far. */
  shown(): string;
  /** Everything on standard output so far. */
  answered(): string;
  type(text: string): void;
}

const started: Launched[] = [];

afterEach(async () => {
  for (const program of started.splice(0)) {
    await program.terminate();
    program.dispose();
  }
});

/** Starts a program that ends with the test. */
export async function start(options: Partial<LaunchOptions> & { command: string }): Promise<Running> {
  const launched = await launch({
    args: [],
    cwd: '/',
    env: cleanEnvironment(process.env),
    pipes: true,
    ...options,
  });
  started.push(launched);
  let shown = '';
  let answered = '';
  launched.terminal.onData((bytes) => {
    shown += bytes.toString();
  });
  launched.stdout?.on('data', (bytes: Buffer) => {
    answered += bytes.toString();
  });
  return Object.assign(launched, {
    shown: () => shown,
    answered: () => answered,
    type: (text: string) => {
      launched.terminal.write(Buffer.from(text));
    },
  });
}

/** A Tick made of a line of shell. */
export function startTick(script: string, options: Partial<LaunchOptions> = {}): Promise<Running> {
  return start({ command: 'sh', args: ['-c', script], ...options });
}

/** An interactive bash with job control, and a prompt that no output of ours can be taken for. */
export async function startBash(): Promise<Running> {
  const env = { ...cleanEnvironment(process.env), PS1: 'ready> ', HISTFILE: '/dev/null' };
  const bash = await start({ command: 'bash', args: ['--norc', '--noprofile', '-i'], env, pipes: false });
  await until('the prompt of bash', () => bash.shown().includes('ready> '));
  return bash;
}

/** Waits until `condition` holds; the failure names what was waited for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  ms = 30_000,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether a process runs; one that waits for its parent to notice its death does not. */
export function alive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
