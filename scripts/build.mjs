/**
 * Builds `dist` when what it is made of has changed since. Builds beside it and swaps, so that a running
 * `tickmux` never meets a half-written build.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stampFile = join(dist, '.stamp');

/** Size and time of everything a build reads. */
function stamp() {
  const hash = createHash('sha256');
  const add = (path) => {
    const stat = statSync(path);
    hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
  };
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsdown.config.ts']) {
    add(join(root, name));
  }
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) add(join(entry.parentPath ?? entry.path, entry.name));
  }
  return hash.digest('hex');
}

/** Whether `dist` was made from what the sources are now, with types if they are asked for. */
function isFresh(now, types) {
  const made = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  return made === `${now} types` || (!types && made === now);
}

/**
 * Builds if need be, with the types of the SDK on demand. Returns false, with the compiler's words on
 * standard error, when that fails.
 */
export function build({ types = false } = {}) {
  const now = stamp();
  if (isFresh(now, types)) return true;
  process.stderr.write('tickmux: building\n');
  const next = join(root, `dist.next-${process.pid}`);
  const old = join(root, `dist.old-${process.pid}`);
  try {
    const tsdown = join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-deprecation', tsdown], {
      cwd: root,
      env: { ...process.env, TICKMUX_BUILD_DIR: next, TICKMUX_BUILD_TYPES: types ? '1' : '', NO_COLOR: '1' },
      encoding: 'utf8',
    });
    if (status !== 0) {
      process.stderr.write(`${stdout ?? ''}${stderr ?? ''}tickmux: the build failed\n`);
      return false;
    }
    writeFileSync(join(next, '.stamp'), types ? `${now} types` : now);
    return swap(next, old) || isFresh(now, types);
  } finally {
    for (const left of [next, old]) rmSync(left, { recursive: true, force: true });
  }
}

/** Returns false when another build, running at the same time, came in between. */
function swap(next, old) {
  try {
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(next, dist);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) return false;
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = build({ types: true }) ? 0 : 1;
}
