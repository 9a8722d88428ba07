/** Runs a TypeScript program of this repository that measures the built product, once what is stale is built. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, root } from './build.mjs';

/** Never returns: ends as the program does. `file` is relative to the repository. */
export function runTypeScript(file, args) {
  if (!build()) process.exit(1);
  const loader = join(root, 'scripts/typescript-loader.mjs');
  const { status } = spawnSync(process.execPath, ['--import', loader, join(root, file), ...args], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
