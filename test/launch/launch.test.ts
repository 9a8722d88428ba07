import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { cleanEnvironment, LaunchError, launch } from '../../src/launch/index.ts';
import { loadNative } from '../../src/launch/pty.ts';
import { start, startTick, until } from './running.ts';

const commandLine = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);

/** Session, group, foreground group and device number, from /proc. */
function places(pid: number) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [, parent, group, session, device, foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    device,
    foreground: Number(foreground),
  };
}

describe('a Tick', () => {
  test('H-3.1-1: has true pipes on 0 and 1, which can be opened by name, and the terminal on 2', async () => {
    const tick = await startTick(
      'echo by-name > /dev/stdout; cat /dev/stdin; readlink /proc/$$/fd/2 > /dev/tty',
    );
    tick.stdin?.write('{"id":1}\n');
    await until('its answer', () => tick.answered() === 'by-name\n{"id":1}\n');
    tick.stdin?.end();
    expect(await tick.exited).toEqual({ code: 0, signal: null });
    expect(tick.answered()).toBe('by-name\n{"id":1}\n');
    expect(tick.shown()).toMatch(/^\/dev\/pts\/\d+\r\n$/);
  });

  test('H-3.1-1: gives its pipes in blocking mode', async () => {
    const tick = await startTick('cat /proc/self/fdinfo/0 /proc/self/fdinfo/1 > /dev/tty; read line');
    await until('both descriptors', () => tick.shown().match(/flags/g)?.length === 2);
    const flags = [...tick.shown().matchAll(/flags:\s+(\d+)/g)].map((match) =>
      Number.parseInt(match[1] ?? '', 8),
    );
    expect(flags.map((value) => value & 0o4003)).toEqual([0, 1]);
  });

  test('H-3.1-2: shows what it writes to standard error, the last line without a newline too', async () => {
    const tick = await startTick('echo first >&2; printf last >&2');
    await tick.exited;
    expect(tick.shown()).toBe('first\r\nlast');
    expect(tick.answered()).toBe('');
  });

  test('keeps its view while it has no handle on the terminal', async () => {
    const tick = await startTick('exec 2>&-; read go; echo back > /dev/tty');
    let ended = false;
    tick.terminal.onEnd(() => {
      ended = true;
    });
    await until('descriptor 2 to be closed', () => !readdirSync(`/proc/${tick.pid}/fd`).includes('2'));
    expect(ended).toBe(false);
    tick.stdin?.write('go\n');
    await tick.exited;
    expect(tick.shown()).toBe('back\r\n');
    expect(ended).toBe(true);
  });

  test('H-4.1-1: runs with an absolute argv[0] and the arguments as they are, and nothing between', async () => {
    const args = ['-c', 'echo up > /dev/tty; read line', 'a b', '', '$HOME', 'ü"\'*'];
    const tick = await start({ command: 'sh', args });
    await until('the program', () => tick.shown() !== '');
    expect(tick.argv0).toMatch(/^\/.*\/sh$/);
    expect(commandLine(tick.pid)).toEqual([tick.argv0, ...args]);
    expect(places(tick.pid).parent).toBe(process.pid);
  });

  test('H-4.1-2: starts in the given directory', async () => {
    const tick = await startTick('pwd -P; echo $PWD', { cwd: tmpdir() });
    await tick.exited;
    expect(tick.answered()).toBe(`${realpathSync(tmpdir())}\n${tmpdir()}\n`);
  });

  test('H-4.1-3: gets the environment as given, names that sh would drop included', async () => {
    const odd = { 'BASH_FUNC_f%%': '() {  echo x\n}', 'dash-name': 'a=b', TICKLOOP_INSTANCE_ID: 'hosted:1' };
    const given = { ...cleanEnvironment({ PATH: process.env.PATH, LANG: 'C.UTF-8' }), ...odd };
    const tick = await start({ command: 'env', args: ['-0'], env: given });
    await tick.exited;
    const seen = tick
      .answered()
      .split('\0')
      .slice(0, -1)
      .map((entry) => /^([^=]*)=(.*)$/s.exec(entry)?.slice(1));
    const { TICKMUX_LAUNCH, ...rest } = Object.fromEntries(seen as [string, string][]);
    expect(rest).toEqual({ ...given, PWD: '/' });
    expect(TICKMUX_LAUNCH).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('H-4.1-4: leads a session on its terminal, in the foreground', async () => {
    const tick = await startTick('echo up > /dev/tty; read line');
    await until('its terminal', () => tick.shown() === 'up\r\n');
    const { group, session, foreground, device } = places(tick.pid);
    expect([group, session, foreground]).toEqual([tick.pid, tick.pid, tick.pid]);
    expect(device).not.toBe('0');
    expect(tick.terminal.foregroundGroup()).toBe(tick.pid);
  });

  test('H-4.1-5: starts at 120 columns by 30 rows, with UTF-8 editing', async () => {
    const tick = await startTick('stty size < /dev/tty; stty -a < /dev/tty');
    await tick.exited;
    expect(tick.answered()).toMatch(/^30 120\n/);
    expect(tick.answered()).toMatch(/ iutf8/);
  });

  test('H-4.1-5: starts at another size when asked to', async () => {
    const tick = await startTick('stty size < /dev/tty', { cols: 61, rows: 17 });
    await tick.exited;
    expect(tick.answered()).toBe('17 61\n');
  });

  test('H-4.1-6: is signalled when its terminal changes size', async () => {
    const tick = await startTick('trap "stty size < /dev/tty" WINCH; echo set; while read line; do :; done');
    await until('the trap', () => tick.answered() === 'set\n');
    tick.terminal.resize(100, 40);
    await until('the new size', () => tick.answered() === 'set\n40 100\n');
    expect(() => tick.terminal.resize(0, 40)).toThrow(RangeError);
  });

  test('inherits no descriptor of the host, and nothing but /dev/null in the place of other terminals', async () => {
    const other = await startTick('read line');
    const tick = await startTick('read line');
    await until('sh to have become the program', () => commandLine(tick.pid)[0] === tick.argv0);
    // The test runner itself may leave something to every child.
    const plain = spawnSync('sh', ['-c', 'for fd in /proc/self/fd/*; do readlink $fd; done'], {
      encoding: 'utf8',
    });
    const theirs = new Set(plain.stdout.split('\n'));
    const descriptors = readdirSync(`/proc/${tick.pid}/fd`).filter((fd) => Number(fd) > 2);
    const targets = descriptors.map((fd) => readlinkSync(`/proc/${tick.pid}/fd/${fd}`));
    expect(new Set(targets.filter((target) => !theirs.has(target)))).toEqual(new Set(['/dev/null']));
    expect(other.pid).not.toBe(tick.pid);
  });

  test('ends at most a moment after its exit although something holds its output', async () => {
    const tick = await startTick('(trap "" HUP; sleep 100) & echo done', { drainMs: 100 });
    await tick.exited;
    expect(tick.answered()).toBe('done\n');
    expect(tick.stdout?.closed).toBe(true);
  });

  test('loses nothing it wrote when reading was paused at its exit', async () => {
    const tick = await startTick('head -c 3000 /dev/zero | tr "\\0" x | tee /dev/tty', { drainMs: 100 });
    tick.terminal.pause();
    tick.stdout?.pause();
    await tick.exited;
    expect(tick.answered().length).toBe(3000);
    expect(tick.shown().length).toBe(3000);
  });

  test('tells an exit code from a signal', async () => {
    const failed = await startTick('exit 7');
    const killed = await startTick('kill -9 $$');
    expect(await failed.exited).toEqual({ code: 7, signal: null });
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });
});

describe('a start that fails', () => {
  const options = { cwd: '/', env: cleanEnvironment(process.env), pipes: true };
  const descriptors = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return (
          readlinkSync(`/proc/self/fd/${fd}`).includes('pts') ||
          readlinkSync(`/proc/self/fd/${fd}`).includes('ptmx')
        );
      } catch {
        return false;
      }
    }).length;

  test('says so, and leaves no terminal behind', async () => {
    const before = descriptors();
    await expect(launch({ ...options, command: 'no-such-program', args: [] })).rejects.toThrow(LaunchError);
    const huge = launch({ ...options, command: 'true', args: ['x'.repeat(4_000_000)] });
    await expect(huge).rejects.toThrow(/Cannot start \/.*true: .*E2BIG/);
    await expect(launch({ ...options, command: 'true', args: ['a\0b'] })).rejects.toThrow(LaunchError);
    await expect(launch({ ...options, command: 'true', args: [], cols: 0 })).rejects.toThrow(RangeError);
    expect(descriptors()).toBe(before);
  });

  test('names the remedy when node-pty does not load', async () => {
    const broken = loadNative(() => Promise.reject(new Error('wrong ELF class')));
    await expect(broken).rejects.toThrow(/wrong ELF class.*npm rebuild node-pty.*python3, make and g\+\+/);
    await expect(loadNative(() => Promise.resolve({}))).rejects.toThrow(/npm rebuild/);
  });
});
