/** The host is killed in the middle of things: what the next one says, and what the Tick received. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import { connect } from '../../src/rpc/socket.ts';
import { ensureBuilt } from '../support/built.ts';
import { CliPlace } from '../support/cli.ts';
import { alive, TestAgent, TestHost, TestOperator, until } from '../support/test-host.ts';

test('what was sent is unknown, all else is withdrawn, and nothing is sent a second time', async () => {
  ensureBuilt();
  const place = new CliPlace();
  onTestFinished(() => place.end());
  const paths = place.paths('crash');
  const running = place.start(['host', '-s', 'crash', '--allow-cli-decisions']);
  const reach = async (path: string) => {
    await until(`the host listens on ${path}`, () =>
      connect(path).then(
        (client) => {
          client.close();
          return true;
        },
        () => false,
      ),
    );
    return connect(path);
  };
  const other = await reach(paths.operatorSocket);
  const operator = new TestOperator(
    other,
    await other.request(operatorApi.hello, { name: 'tickmux', version: '1' }),
  );
  const client = await reach(paths.agentSocket);
  const hello = await client.request(agentApi.hello, { name: 'tester', version: '1' });
  const agent = new TestAgent(client, hello.agent, hello.resume);

  const host = await TestHost.start();
  const puppet = host.strings();
  puppet.on((await operator.open(puppet.command())).instance);
  const { pid } = puppet.started;
  const sent = await agent.propose(puppet.instance, 'hold', {}, { idempotency_key: 'k' });
  await operator.approve();
  await until('the call arrived', () => puppet.calls.length === 1);
  const waiting = await agent.propose(puppet.instance, 'set', { value: 1 });
  await puppet.pull('become', { describe: 'hang' });
  const approved = await agent.propose(puppet.instance, 'set', { value: 2 });
  await operator.decide(approved.call, 'approve');
  // Behind the approval, and so behind its record.
  await until('the approval is on disk', () =>
    readFileSync(paths.journal, 'utf8').includes('"call.approved","call":"call:3"'),
  );
  running.child.kill('SIGKILL');
  await once(running.child, 'close');
  await until('the Tick has ended with its terminal', () => !alive(pid));

  await host.again({ journal: paths.journal });
  const resumed = await host.agent('tester', agent.secret);
  expect(resumed.id).toBe(agent.id);
  expect(await resumed.status(sent.call)).toMatchObject({ state: 'unknown' });
  expect(await resumed.status(waiting.call)).toMatchObject({ state: 'withdrawn' });
  expect(await resumed.status(approved.call)).toMatchObject({ state: 'withdrawn' });
  expect(await resumed.call(puppet.instance, 'hold', {}, { idempotency_key: 'k' })).toMatchObject({
    call: sent.call,
    state: 'unknown',
  });
  expect(puppet.calls).toHaveLength(1);
  const view = await host.operator();
  const { recent } = await view.client.request(operatorApi.picture, {});
  expect(recent.map(({ state }) => state)).toEqual(['unknown', 'withdrawn', 'withdrawn']);
}, 60_000);
