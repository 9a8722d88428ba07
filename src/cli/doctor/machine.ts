/** Whether this machine has what tickmux runs on: Node, terminals for programs, Python, a clock that goes. */
import { spawnSync } from 'node:child_process';
import { launch } from '../../launch/index.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** As `engines` in package.json. */
const leastNode = [20, 19] as const;
/** A program that has said nothing after this hangs, in milliseconds; a busy machine may well take some seconds. */
const programMs = 30_000;

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = leastNode;
  const enough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (enough) return ok('node', version);
  return fail('node', `${version} is too old`, `install Node ${leastMajor}.${leastMinor} or newer`);
}

/** Starts a program on a terminal of its own, as panes do. */
export async function checkTerminals(env: NodeJS.ProcessEnv): Promise<Check> {
  const name = 'node-pty';
  const next = 'run `npm rebuild node-pty` where tickmux is installed; it needs python3, make and g++';
  try {
    const { PATH = '/usr/bin:/bin' } = env;
    const args = ['-c', 'test -t 0 && test -t 1 && stty size'];
    const program = await launch({ command: '/bin/sh', args, cwd: '/', env: { PATH }, pipes: false });
    let text = '';
    program.terminal.onData((bytes) => {
      text += Buffer.from(bytes).toString('latin1');
    });
    const late = setTimeout(() => program.dispose(), programMs);
    const { code } = await program.exited;
    clearTimeout(late);
    program.dispose();
    if (code === 0 && text.includes('30 120')) return ok(name, 'opens terminals for programs');
    return fail(name, `a program on a new terminal ended with ${code ?? 'a signal'}: ${text.trim()}`, next);
  } catch (error) {
    return fail(name, (error as Error).message, next);
  }
}

export function checkPython(env: NodeJS.ProcessEnv): Check {
  const name = 'python3';
  const { status, stdout, stderr, error } = spawnSync(name, ['--version'], {
    env,
    encoding: 'utf8',
    timeout: programMs,
  });
  if (status === 0) return ok(name, `${stdout}${stderr}`.trim());
  const need = 'for the Note of the demo and for Ticks in Python; the rest works without';
  const code = error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return warn(name, 'is not in PATH', `install it ${need}`);
  if (code === 'ETIMEDOUT') return warn(name, `says nothing for ${programMs / 1_000} s`, `mend it ${need}`);
  const words =
    stderr?.trim() || error?.message || `\`${name} --version\` ended with ${status ?? 'a signal'}`;
  return warn(name, `does not run: ${words}`, `mend it ${need}`);
}

/** Times on the wall and those that only rise have to agree while a process is young. */
export function checkClock(wall = Date.now(), rising = performance.timeOrigin + performance.now()): Check {
  const name = 'clock';
  const next = 'set the clock (for example `timedatectl set-ntp true`): times of the journal come from it';
  const when = new Date(wall).toISOString().slice(0, 19);
  if (wall < Date.UTC(2024, 0, 1)) return fail(name, `says ${when}Z, which is long gone`, next);
  const apart = Math.round((wall - rising) / 1_000);
  if (Math.abs(apart) >= 2) return warn(name, `was moved by ${apart} s a moment ago`, next);
  return ok(name, `${when}Z, and goes evenly`);
}
