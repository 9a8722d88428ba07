import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { start, startBash, startTick, until } from './running.ts';

describe('an ordinary program', () => {
  test('H-4.1-4: has job control: Ctrl-C, Ctrl-Z and fg reach the right group', async () => {
    const bash = await startBash();
    expect(bash.terminal.foregroundGroup()).toBe(bash.pid);
    expect(bash.shown()).not.toMatch(/job control|ioctl/);

    bash.type('sleep 1000\r');
    // Until its group leader is sleep itself, it is still bash, which ignores Ctrl-Z.
    const foreground = () => nameOf(bash.terminal.foregroundGroup());
    await until('sleep in the foreground', () => foreground() === 'sleep');
    const sleeping = bash.terminal.foregroundGroup();
    bash.type('\x1a');
    await until('sleep stopped', () => /Stopped/.test(bash.shown()));
    expect(bash.terminal.foregroundGroup()).toBe(bash.pid);
    bash.type('fg\r');
    await until('sleep in the foreground again', () => bash.terminal.foregroundGroup() === sleeping);
    bash.type('\x03');
    await until('bash in the foreground', () => bash.terminal.foregroundGroup() === bash.pid);
    bash.type('echo $?; exit 3\r');
    expect(await bash.exited).toEqual({ code: 3, signal: null });
    expect(bash.shown()).toContain('130');
    expect(bash.terminal.foregroundGroup()).toBeUndefined();
  });

  test('has the terminal on 0, 1 and 2, and no pipes', async () => {
    const program = await start({
      command: 'sh',
      args: ['-c', '[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && tty'],
      pipes: false,
    });
    await program.exited;
    expect(program.shown()).toMatch(/^\/dev\/pts\/\d+\r\n$/);
    expect(program.stdin).toBeUndefined();
    expect(program.stdout).toBeUndefined();
  });

  test('erases a whole character of UTF-8 at once', async () => {
    const program = await start({
      command: 'sh',
      args: ['-c', 'stty -echo; echo up; read line; echo "<$line>"'],
      pipes: false,
    });
    await until('the program', () => program.shown().includes('up'));
    program.type('aü\x7fb\r');
    await program.exited;
    expect(program.shown()).toContain('<ab>');
  });

  test('tells whether its terminal echoes', async () => {
    const program = await start({
      command: 'sh',
      args: ['-c', 'echo up; read a; stty -echo; echo off; read b'],
      pipes: false,
    });
    await until('the program', () => program.shown().includes('up'));
    expect(await program.terminal.echo()).toBe(true);
    program.type('\r');
    await until('echo off', () => program.shown().includes('off'));
    expect(await program.terminal.echo()).toBe(false);
    program.type('\r');
    await program.exited;
    expect(await program.terminal.echo()).toBeUndefined();
  });
});

describe('typing', () => {
  test('to a program that does not read waits, bounded, without spinning, and arrives whole', async () => {
    const size = 1_000_000;
    const script = `stty raw -echo < /dev/tty; echo up; read go; head -c ${size} < /dev/tty | cksum`;
    const tick = await startTick(script);
    await until('raw mode', () => tick.answered() === 'up\n');
    const paste = Buffer.alloc(size, 'tickmux ');
    expect(tick.terminal.write(paste)).toBe(true);
    expect(tick.terminal.pendingBytes).toBeGreaterThan(900_000);

    // Spinning would use the whole of the time.
    const processor = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { user, system } = process.cpuUsage(processor);
    expect(user + system).toBeLessThan(150_000);
    expect(tick.terminal.write(Buffer.alloc(8 * 1024 * 1024))).toBe(false);

    tick.stdin?.write('go\n');
    await tick.exited;
    const direct = await start({ command: 'cksum' });
    direct.stdin?.end(paste);
    await direct.exited;
    expect(tick.answered()).toBe(`up\n${direct.answered()}`);
    expect(tick.terminal.pendingBytes).toBe(0);
    expect(tick.terminal.write(Buffer.from('late'))).toBe(false);
  });
});

describe('drawing', () => {
  test('is held up while reading is paused, and complete afterwards', async () => {
    const tick = await startTick(
      'stty raw < /dev/tty; echo up; head -c 3000000 /dev/zero | tr "\\0" x > /dev/tty; echo done',
    );
    await until('raw mode', () => tick.answered().startsWith('up\n'));
    tick.terminal.pause();
    const held = await steady(() => tick.shown().length);
    expect(held).toBeLessThan(3_000_000);
    expect(tick.answered()).toBe('up\n');
    tick.terminal.resume();
    await tick.exited;
    expect(tick.shown().length).toBe(3_000_000);
  });

  test('is kept until someone listens, and the end is told to late listeners too', async () => {
    const { launch, cleanEnvironment } = await import('../../src/launch/index.ts');
    const program = await launch({
      command: 'sh',
      args: ['-c', 'echo early'],
      cwd: '/',
      env: cleanEnvironment(process.env),
      pipes: false,
      drainMs: 2000,
    });
    let shown = '';
    await until('its exit', () => program.terminal.foregroundGroup() === undefined);
    program.terminal.onData((bytes) => {
      shown += bytes.toString();
    });
    await program.exited;
    expect(shown).toBe('early\r\n');
    await new Promise<void>((resolve) => program.terminal.onEnd(resolve));
  });
});

/** The value of `measure` once it has not changed for a while. */
async function steady(measure: () => number): Promise<number> {
  let last = measure();
  let since = Date.now();
  await until('nothing to change for 200 ms', () => {
    const now = measure();
    if (now !== last) since = Date.now();
    last = now;
    return Date.now() - since > 200;
  });
  return last;
}

/** The name of the program a process runs; undefined when there is none. */
function nameOf(pid: number | undefined): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
