/**
 * Installs the dependencies a clone needs when they are missing or the lock file has changed, and checks that
 * node-pty, which is compiled on the spot, can be loaded.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { root } from './build.mjs';

const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
const stampFile = join(modules, '.tickmux-installed');

/** Returns false, having said why on standard error, when the dependencies cannot be had. */
export function install() {
  if (!isNodeNewEnough()) return false;
  if (!isInstalled()) {
    process.stderr.write('tickmux: installing dependencies (npm ci)\n');
    // Also where the environment says production: the build needs the compiler.
    if (npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error') !== 0) {
      process.stderr.write(
        'tickmux: npm ci failed; what it said stands above. Mend that and run this again.\n',
      );
      return false;
    }
    writeFileSync(stampFile, lockHash());
  }
  return canLoadPty();
}

function isNodeNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return true;
  process.stderr.write(`tickmux needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  return false;
}

function isInstalled() {
  try {
    if (readFileSync(stampFile, 'utf8') === lockHash()) return true;
  } catch {
    if (!isInstalledByHand()) return false;
    writeFileSync(stampFile, lockHash());
    return true;
  }
  return false;
}

/** npm writes its own record last; one younger than the lock file was made from it. */
function isInstalledByHand() {
  const record = statSync(join(modules, '.package-lock.json'), { throwIfNoEntry: false });
  return record !== undefined && record.mtimeMs >= statSync(lockFile).mtimeMs;
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

function npm(...args) {
  const running = process.env.npm_execpath ?? '';
  const [program, ...first] = basename(running).startsWith('npm-cli') ? [process.execPath, running] : ['npm'];
  // Its words go to standard error: standard output belongs to what is started afterwards.
  const { status, error } = spawnSync(program, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (error) process.stderr.write(`tickmux: cannot run npm: ${error.message}\n`);
  return status;
}

function canLoadPty() {
  if (loadPty() === undefined) return true;
  // An npm that runs no install scripts leaves it uncompiled.
  process.stderr.write('tickmux: compiling node-pty (npm rebuild)\n');
  npm('rebuild', 'node-pty', '--loglevel=error');
  const problem = loadPty();
  if (problem === undefined) return true;
  process.stderr.write(
    [
      `tickmux: node-pty, which opens terminals, cannot be loaded: ${problem}`,
      'It is compiled when it is installed, which takes python3, make and a C++ compiler:',
      '  Debian, Ubuntu   apt-get install python3 make g++',
      '  Fedora           dnf install python3 make gcc-c++',
      '  macOS            xcode-select --install',
      'Then: npm rebuild node-pty',
      '',
    ].join('\n'),
  );
  return false;
}

/** The first line of what went wrong, or undefined. In a process of its own: a failed load is remembered. */
function loadPty() {
  const path = createRequire(import.meta.url).resolve('node-pty', { paths: [root] });
  const { status, stderr } = spawnSync(process.execPath, ['-e', 'require(process.argv[1])', path], {
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  return stderr.split('\n').find((line) => /^\w*Error/.test(line)) ?? `node ended with ${status}`;
}
