import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('docs/host-api.md is what src/rpc/api declares', { timeout: 60_000 }, () => {
  const run = spawnSync(process.execPath, ['scripts/host-api.mjs', '--check'], { encoding: 'utf8' });
  expect(run).toMatchObject({ stderr: '', status: 0 });
});
