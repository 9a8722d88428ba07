/** `npm run bench [screens|host]`: builds what is stale, then measures it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, root } from './build.mjs';

if (!build()) process.exit(1);
const loader = join(root, 'test/support/typescript-loader.mjs');
const { status } = spawnSync(
  process.execPath,
  ['--import', loader, join(root, 'bench/run.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
