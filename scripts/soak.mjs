/** `npm run soak`: builds what is stale, then keeps a host busy and says whether it grew. SOAK_S: for how long. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, root } from './build.mjs';

if (!build()) process.exit(1);
const loader = join(root, 'test/support/typescript-loader.mjs');
const { status } = spawnSync(process.execPath, ['--import', loader, join(root, 'bench/soak.ts')], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
