/** Commands against the real host: what they print, for people and for programs, and how they exit. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { CliPlace, type Running, root } from '../support/cli.ts';

const session = 'work';
let place: CliPlace;
let host: Running;

const run = (args: string[], env?: NodeJS.ProcessEnv, input?: string) =>
  place.run([...args.slice(0, 1), '-s', session, ...args.slice(1)], env, input);
const json = async ([command, ...args]: [string, ...string[]]) =>
  JSON.parse((await run([command, '--json', ...args])).stdout);
const waiting = async (count: number) => {
  await expect.poll(async () => (await json(['pending'])).calls.length).toBe(count);
  return (await json(['pending'])).calls;
};

beforeAll(async () => {
  ensureBuilt();
  place = new CliPlace();
  host = await place.host(session, ['--allow-cli-decisions']);
  const opened = await run([
    'open',
    '--name',
    'tally',
    '--',
    process.execPath,
    `${root}dist/ticks/counter.mjs`,
  ]);
  expect(opened).toMatchObject({ code: 0, stdout: 'hosted:1\n' });
}, 60_000);
afterAll(() => place.end());

describe('looking', () => {
  it('lists what runs, as a table and as JSON', async () => {
    const { stdout, code } = await run(['ls']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ID +STATUS +TITLE +KIND +WAITING +COMMAND\nhosted:1 +running +tally +example\.counter /,
    );
    const { instances } = await json(['ls']);
    expect(instances).toMatchObject([{ instance: 'hosted:1', status: 'running', kind: 'example.counter' }]);
  });

  it('describes and reads a Tick', async () => {
    expect(await json(['describe', 'hosted:1'])).toMatchObject({
      instance: 'hosted:1',
      descriptor: { protocol: 3, kind: 'example.counter' },
    });
    expect(await json(['read', 'hosted:1'])).toMatchObject({ instance: 'hosted:1', data: { value: 0 } });
    expect(JSON.parse((await run(['read', 'hosted:1'])).stdout)).toMatchObject({ value: 0 });
  });

  it('says which instance there is none of', async () => {
    const ended = await run(['read', 'hosted:99']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^tickmux: .*hosted:99/);
    expect(await json(['read', 'hosted:99'])).toMatchObject({ error: { code: -32101, name: 'notFound' } });
  });
});

describe('calling', () => {
  it('waits for a decision and prints the result', async () => {
    const calling = place.start(['call', '-s', session, 'hosted:1', 'add', '{"amount":2}', '--json']);
    const [{ call, digest }] = await waiting(1);
    const approved = await run(['approve', call, '--digest', digest.slice(0, 8)]);
    expect(approved.code).toBe(0);
    expect(approved.stdout).toContain('"amount": 2');
    const { code, stdout } = await calling.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ call, state: 'succeeded', result: { value: 2 } });
  });

  it('tells a denial with its words and exits with 1', async () => {
    const calling = place.start(['call', '-s', session, 'hosted:1', 'add', '-'], {}, '{"amount":3}');
    const [{ call }] = await waiting(1);
    expect((await run(['deny', call.slice('call:'.length), 'not', 'today'])).code).toBe(0);
    const { code, stdout, stderr } = await calling.ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('denied: not today');
  });

  it('decides nothing but what was looked at', async () => {
    const calling = place.start(['call', '-s', session, 'hosted:1', 'add', '{"amount":4}']);
    const [{ call }] = await waiting(1);
    const refused = await run(['approve', call, '--digest', '0000']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Look again');
    calling.child.kill('SIGINT');
    expect((await calling.ended).code).toBe(1);
  });

  it('withdraws on Ctrl-C', async () => {
    const calling = place.start(['call', '-s', session, 'hosted:1', 'add', '{"amount":5}']);
    await waiting(1);
    calling.child.kill('SIGINT');
    const { code, stderr } = await calling.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('withdrawn');
    await waiting(0);
  });

  it('need not be waited for, and its outcome can be asked for', async () => {
    const { call, secret, state } = await json(['call', 'hosted:1', 'add', '{"amount":6}', '--no-wait']);
    expect(state).toBe('waiting');
    expect((await run(['approve', call])).code).toBe(0);
    expect(await json(['status', call, '--secret', secret, '--wait', '10'])).toMatchObject({
      call,
      state: 'succeeded',
    });
    expect((await run(['status', call, '--secret', 'wrong'])).code).toBe(1);
  });

  it('refuses arguments that fit no schema, before anybody is asked', async () => {
    const { code, stderr } = await run(['call', 'hosted:1', 'add', '{"amount":"many"}']);
    expect(code).toBe(1);
    expect(stderr).toContain('amount');
    await waiting(0);
  });

  it('exits with 3 when the outcome is unknown', async () => {
    const ghost = await run(['open', '--', process.execPath, `${root}test/fixtures/cli/dying-tick.mjs`]);
    expect(ghost).toMatchObject({ code: 0 });
    const instance = ghost.stdout.trim();
    const calling = place.start(['call', '-s', session, instance, 'vanish', '--json']);
    const [{ call }] = await waiting(1);
    await run(['approve', call]);
    const { code, stdout } = await calling.ended;
    expect(JSON.parse(stdout)).toMatchObject({ call, state: 'unknown' });
    expect(code).toBe(3);
  });
});

describe('an ordinary program', () => {
  it('can be typed to and looked at, until it is closed and started again', async () => {
    const { instance } = await json(['open', '--shell', '--cwd', '/', '--', '/bin/sh']);
    expect((await run(['type', instance, 'echo me-$((40+2))', '--enter'])).code).toBe(0);
    await expect.poll(async () => (await run(['screen', instance])).stdout).toMatch(/\bme-42$/m);
    expect((await json(['screen', instance])).lines.join('\n')).toMatch(/\bme-42$/m);
    expect((await run(['close', instance])).code).toBe(0);
    const status = async () =>
      (await json(['ls'])).instances.find((one: { instance: string }) => one.instance === instance)?.status;
    await expect.poll(status).toBe('ended');
    expect((await run(['restart', instance])).code).toBe(0);
    await expect.poll(status).toBe('running');
    await run(['close', instance]);
  });

  it('prints no control character of a program to a person', async () => {
    const { instance } = await json(['open', '--shell', '--name', 'a\u001b[31mb\u202ec', '--', '/bin/cat']);
    const { stdout } = await run(['ls']);
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    await run(['close', instance]);
  });
});

describe('inside a pane', () => {
  it('has no authority: opening and typing wait for a person', async () => {
    const env = { TICKMUX_INSTANCE: 'hosted:1', TICKMUX_SESSION: session };
    const opening = place.start(['open', '-s', session, '--json', '--shell', '--', '/bin/cat'], env);
    const [{ call, kind }] = await waiting(1);
    expect(kind).toBe('open');
    expect((await run(['approve', call], env)).code).toBe(1);
    expect((await run(['kill-session'], env)).code).toBe(1);
    expect((await run(['approve', call])).code).toBe(0);
    expect(await opening.ended).toMatchObject({ code: 0 });
  });
});

describe('the session', () => {
  it('tells what happened', async () => {
    expect((await run(['log', '-n', '50'])).stdout).toMatch(/^\d\d:\d\d:\d\d .*hosted:1/m);
    const lines = (await run(['log', '--json', '-n', '2'])).stdout.trim().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line)))).toHaveLength(2);
  });

  it('has its journal looked through', async () => {
    const { code, stdout } = await run(['log', '--verify']);
    expect(stdout).toMatch(/\d+ records, [1-9]\d* calls sent\.\nThe chain holds/);
    expect(code).toBe(0);
    const failed = await run(['log', '--outcome', 'unknown', '--since', '1h', '--json']);
    expect(JSON.parse(failed.stdout)).toMatchObject({ state: 'unknown', agent_name: 'tickmux cli' });
    expect((await run(['log', '--outcome', 'lost'])).stderr).toContain('"lost" is none of waiting, ');
    const { journal } = place.paths(session);
    const before = readFileSync(journal, 'utf8');
    writeFileSync(journal, before.replace('"call.approved"', '"call.denied"'));
    const broken = await run(['log', '--verify']);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(
      /journal\.jsonl:\d+ is not what was written .*\n.* dispatched without an approval/,
    );
    writeFileSync(journal, before);
    expect((await place.run(['log', '--verify', '-s', 'never'])).stderr).toContain('has no journal');
  });

  it('makes its sockets anew on SIGUSR1', async () => {
    rmSync(place.paths(session).operatorSocket);
    const gone = await run(['pending']);
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain(`kill -USR1 ${host.child.pid}`);
    host.child.kill('SIGUSR1');
    await expect.poll(async () => (await run(['pending'])).code).toBe(0);
  });

  it('is named where another one is not there', async () => {
    const { code, stderr } = await place.run(['ls', '-s', 'nobody']);
    expect(code).toBe(1);
    expect(stderr).toContain(`Running: ${session}; \`-s ${session}\` names one.`);
  });

  it('refuses a second host', async () => {
    const second = await run(['host']);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`process ${host.child.pid}`);
  });

  it('says that its host is stopped, and starts none in its place', async () => {
    host.child.kill('SIGSTOP');
    const stuck = await run(['ls']);
    host.child.kill('SIGCONT');
    expect(stuck.code).toBe(1);
    expect(stuck.stderr).toContain(`kill -CONT ${host.child.pid}`);
  });

  it('ends with all that runs in it', async () => {
    expect(await run(['kill-session'])).toMatchObject({ code: 0, stdout: `Session ${session} ended.\n` });
    expect((await host.ended).code).toBe(0);
    const after = await run(['ls']);
    expect(after.stderr).toBe(
      `tickmux: No host runs for session ${session}: start it with \`tickmux -s ${session}\`.\n`,
    );
    expect(after.code).toBe(1);
  });
});
