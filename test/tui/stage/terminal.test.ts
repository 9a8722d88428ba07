import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IPty, spawn } from 'node-pty';
import { build } from 'tsdown';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Screen } from '../../../src/screen/index.ts';

/** Bundled as the product is, so that what the bundle leaves outside is found as it will be. */
const outDir = new URL('../../../node_modules/.cache/tickmux-stage-app/', import.meta.url).pathname;
const app = join(outDir, 'app.mjs');
let directory = '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tickmux-stage-'));
  await build({
    entry: { app: new URL('app.ts', import.meta.url).pathname },
    outDir,
    config: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    dts: false,
    report: false,
    logLevel: 'silent',
  });
}, 60_000);

afterAll(() => {
  rmSync(outDir, { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
});

/** A shell in a terminal that says how it finds the terminal before and after the app. */
class Shell {
  readonly screen = new Screen({ cols: 60, rows: 16 });
  readonly pty: IPty;
  readonly statusFile = join(directory, `status-${Math.random()}`);
  output = '';
  exited = false;

  constructor(script = '"$@"; echo "code $?"') {
    const whole = `echo "before $(stty -g)"; ${script}; echo "after $(stty -g)"; echo over`;
    this.pty = spawn('bash', ['--norc', '-c', whole, 'bash', process.execPath, app, this.statusFile], {
      cols: 60,
      rows: 16,
      name: 'xterm-256color',
      // Bytes, whatever the types say: a cut character must not be repaired on the way.
      encoding: null,
      env: { ...process.env, TERM: 'xterm-256color' },
    });
    this.pty.onData((data) => {
      const bytes = Buffer.from(data);
      this.output += bytes.toString('latin1');
      this.screen.write(bytes);
      while (this.screen.parse(100)) {
        // Until all is parsed.
      }
    });
    this.screen.onReply((reply) => this.pty.write(reply));
    this.pty.onExit(() => {
      this.exited = true;
    });
  }

  get text(): string {
    return this.screen.text().join('\n');
  }

  async until(text: string): Promise<void> {
    await expect.poll(() => this.text).toContain(text);
  }

  async pid(): Promise<number> {
    await this.until('ready');
    await expect.poll(() => this.output, { timeout: 30_000 }).toContain('\x1b[>5u');
    return Number(/pid (\d+)/.exec(this.text)![1]);
  }

  /** The terminal is as it was: modes, line discipline, and the shell's own text on the ordinary screen. */
  async expectRestored({ lineDiscipline = true } = {}): Promise<void> {
    await this.until('over');
    const { modes, cursor } = this.screen.frame(0);
    expect(modes).toMatchObject({
      alternateScreen: false,
      bracketedPaste: false,
      focusEvents: false,
      mouse: 'none',
      applicationCursor: false,
      kittyKeyboard: 0,
    });
    // Each screen has keyboard flags of its own; those of the alternate one were set.
    this.screen.write(Buffer.from('\x1b[?1049h'));
    this.screen.parse(100);
    expect(this.screen.frame(0).modes.kittyKeyboard).toBe(0);
    this.screen.write(Buffer.from('\x1b[?1049l'));
    this.screen.parse(100);
    expect(cursor).toMatchObject({ visible: true, shape: 'block' });
    const before = /before (\S+)/.exec(this.output)![1];
    const after = /after (\S+)/.exec(this.output)![1];
    if (lineDiscipline) expect(after).toBe(before);
    // Automatic wrap is on again.
    expect(this.output.lastIndexOf('\x1b[?7h')).toBeGreaterThan(this.output.lastIndexOf('\x1b[?7l'));
  }
}

const shells: Shell[] = [];
function start(script?: string): Shell {
  const shell = new Shell(script);
  shells.push(shell);
  return shell;
}

afterEach(async () => {
  for (const shell of shells.splice(0)) {
    if (!shell.exited) shell.pty.kill('SIGKILL');
    await expect.poll(() => shell.exited).toBe(true);
    shell.screen.dispose();
  }
});

describe('the terminal is entered', () => {
  test('with its modes, and shows frames and takes keys', async () => {
    const shell = start();
    await shell.until('ready');
    expect(shell.screen.frame(0).modes).toMatchObject({
      alternateScreen: true,
      bracketedPaste: true,
      focusEvents: true,
      mouse: 'button',
      mouseEncoding: 'sgr',
      applicationCursor: false,
    });
    shell.pty.write('hello');
    await shell.until('text hello');
    shell.pty.resize(50, 12);
    shell.screen.resize(50, 12);
    await shell.until('size 50x12');
    expect(shell.screen.text()[11]).toBe(`└${'─'.repeat(48)}┘`);
  });
});

describe('the terminal is given back', () => {
  test('on dispose, after which the process ends by itself', async () => {
    const shell = start();
    await shell.pid();
    shell.pty.write('d');
    await shell.expectRestored();
    expect(shell.text).toMatch(/disposed\ncode 0/);
  });

  test('on exit', async () => {
    const shell = start();
    await shell.pid();
    shell.pty.write('x');
    await shell.expectRestored();
    expect(shell.text).toContain('code 3');
  });

  test('on an exception, whose message is then readable', async () => {
    const shell = start();
    await shell.pid();
    shell.pty.write('t');
    await shell.expectRestored();
    const [, afterLeaving] = shell.output.split('\x1b[?1049l');
    expect(afterLeaving).toContain('Error: boom');
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    'on %s, which then ends the process',
    async (signal) => {
      const shell = start();
      process.kill(await shell.pid(), signal);
      await shell.expectRestored();
      const number = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2 }[signal];
      // A shell that sees its child die of SIGINT stops there.
      if (signal !== 'SIGINT') expect(shell.text).toContain(`code ${128 + number}`);
    },
  );

  test('while frames are cut in the middle', async () => {
    const shell = start();
    const pid = await shell.pid();
    shell.pty.write('f');
    await expect.poll(() => shell.output.length).toBeGreaterThan(30_000);
    process.kill(pid, 'SIGTERM');
    await shell.expectRestored();
  });
});

describe('a stop', () => {
  const script = 'set -m; "$@"; echo "stopped $(stty -g)"; read line; fg %1';

  test.each(['the key', 'a signal', 'SIGSTOP'])(
    'by %s gives the terminal back, and going on repaints',
    async (by) => {
      const shell = start(script);
      const pid = await shell.pid();
      if (by === 'the key') shell.pty.write('\x1a');
      else process.kill(pid, by === 'a signal' ? 'SIGTSTP' : 'SIGSTOP');
      await expect.poll(() => shell.output).toMatch(/stopped \S+/);
      if (by !== 'SIGSTOP') {
        expect(/stopped (\S+)/.exec(shell.output)![1]).toBe(/before (\S+)/.exec(shell.output)![1]);
        expect(shell.screen.frame(0).modes).toMatchObject({ alternateScreen: false, mouse: 'none' });
      }
      const { length } = shell.output;
      shell.pty.write('\n');
      await expect.poll(() => shell.output.slice(length)).toContain('ready');
      await expect.poll(() => shell.screen.frame(0).modes.alternateScreen).toBe(true);
      shell.pty.write('again');
      await shell.until('text again');
      shell.pty.write('x');
      // A shell that saw its job stop without a word takes what it left for its own.
      await shell.expectRestored({ lineDiscipline: by !== 'SIGSTOP' });
    },
  );
});

describe('a terminal that takes nothing', () => {
  test('holds up neither the event loop nor the keys, and later shows the newest state', async () => {
    const shell = start();
    await shell.pid();
    shell.pty.pause();
    shell.pty.write('f');
    const sincePaint = () => {
      try {
        return (JSON.parse(readFileSync(shell.statusFile, 'utf8')) as { sincePaint: number }).sincePaint;
      } catch {
        return 0;
      }
    };
    // The loop turns and turns, and nothing is painted.
    await expect.poll(sincePaint).toBeGreaterThan(200);
    shell.pty.write('s');
    shell.pty.resume();
    await shell.until('flood done');
    shell.pty.write('x');
    await shell.expectRestored();
  });
});
