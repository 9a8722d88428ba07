/** The sandbox of docs/threat-model.md as it stands there: an agent in it proposes, and can reach nothing that decides. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, useCliPlace } from '../support/cli.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--', 'true']).status === 0;
if (!works) console.warn('Skipped: bubblewrap is not installed here, or may make no sandbox.');

const place = useCliPlace();

it.skipIf(!works)('shows agent.sock, and neither the other one nor the journal', async () => {
  await place.host('main', ['--allow-cli-decisions']);
  const guide = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');
  const [, example = ''] = /```sh\n(state=[\s\S]*?)```/.exec(guide) ?? [];
  expect(example).toContain('-- your-agent');
  const agent = [
    `tickmux() { "${process.execPath}" "${root}dist/cli.mjs" "$@"; }`,
    'tickmux ls && ! tickmux pending && find "$XDG_STATE_HOME" -type f -o -type s',
  ].join('; ');
  const script = example.replace('your-agent', `sh -c '${agent}'`);
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
    cwd: place.directory,
    env: place.env,
    encoding: 'utf8',
  });
  expect(stderr).toContain('No host runs for session main');
  expect(stdout).toBe(`Nothing runs in this session.\n${place.directory}/agent.sock\n`);
  expect(status).toBe(0);
});
