/** `tickmux list-sessions` with hosts in every condition: it tells each, and waits for none. */
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isStopped } from '../../src/platform/process-identity.ts';
import { sessionHolder } from '../../src/platform/session-lock.ts';
import { useCliPlace } from '../support/cli.ts';

const place = useCliPlace();

async function host(session: string): Promise<number> {
  await place.host(session);
  return sessionHolder(place.paths(session).run)?.pid as number;
}

it('says so when there is none', async () => {
  const { code, stdout } = await place.run(['list-sessions']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'No session runs: `tickmux` starts one.\n' });
});

it('tells running, stopped, deaf and crashed hosts apart, and nothing of those that ended', async () => {
  const [well, stopped, deaf, crashed, ended] = await Promise.all(
    ['well', 'stopped', 'deaf', 'crashed', 'ended'].map(host),
  );
  process.kill(stopped as number, 'SIGSTOP');
  process.kill(crashed as number, 'SIGKILL');
  process.kill(ended as number, 'SIGTERM');
  rmSync(place.paths('deaf').operatorSocket);
  const gone = (session: string) => sessionHolder(place.paths(session).run) === undefined;
  await expect.poll(() => isStopped(stopped as number) && gone('crashed') && gone('ended')).toBe(true);
  await place.run(['open', '--shell', '-s', 'well', '--', 'cat']);

  const { code, stdout, stderr } = await place.run(['sessions']);
  expect(code).toBe(0);
  const rows = stdout.split('\n').map((line) => line.trimEnd());
  expect(rows[0]).toMatch(/^SESSION +STATUS +PID +SINCE +VIEWS +WAITING$/);
  expect(rows[1]).toBe('crashed  host gone');
  expect(rows[2]).toMatch(new RegExp(`^deaf +does not answer +${deaf} +\\d+ s$`));
  expect(rows[3]).toMatch(new RegExp(`^stopped +stopped +${stopped} +\\d+ s$`));
  expect(rows[4]).toMatch(new RegExp(`^well +running +${well} +\\d+ s +0$`));
  expect(rows.slice(5)).toEqual(['']);
  expect(stderr).toContain(`stopped: \`kill -CONT ${stopped}\` lets its host go on`);
  expect(stderr).toContain('crashed: its host ended without a word');

  const { sessions } = JSON.parse((await place.run(['list-sessions', '--json'])).stdout);
  expect(sessions).toMatchObject([
    { session: 'crashed', status: 'gone' },
    { session: 'deaf', status: 'silent', pid: deaf },
    { session: 'stopped', status: 'stopped', pid: stopped },
    { session: 'well', status: 'running', pid: well, views: 0, waiting: 0 },
  ]);
}, 90_000);
