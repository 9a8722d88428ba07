/** All dispatching stopped by a person: nothing runs, nothing is lost, and only a person lets it go on. */
import { expect, test } from 'vitest';
import { Replay } from '../../src/host/replay.ts';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import { hostWithPuppet, type TestOperator, until } from '../support/test-host.ts';

const panic = (operator: TestOperator, stopped: boolean) =>
  operator.client.request(operatorApi.panic, { stopped });
const stoppedIn = async (operator: TestOperator) =>
  (await operator.client.request(operatorApi.picture, {})).stopped;

test('nothing is approved while it is stopped; queries and denials go on, and nothing is withdrawn', async () => {
  const { host, operator, puppet, agent } = await hostWithPuppet();
  const first = await agent.propose(puppet.instance, 'set', { value: 1 });
  await panic(operator, true);
  expect(await stoppedIn(operator)).toMatchObject({ by: operator.view });
  const second = await agent.propose(puppet.instance, 'set', { value: 2 });
  await expect(operator.decide(first.call, 'approve')).rejects.toMatchObject({
    code: rpcCodes.refused,
    message: `Dispatching is stopped by ${operator.view}: let it go on first. The call waits as it is.`,
  });
  expect(await agent.call(puppet.instance, 'log')).toMatchObject({ state: 'succeeded' });
  expect(await operator.decide(second.call, 'deny')).toBe('denied');
  expect(await agent.status(first.call)).toMatchObject({ state: 'waiting' });

  await panic(operator, false);
  await operator.decide(first.call, 'approve');
  expect(await agent.outcome(first.call)).toMatchObject({ state: 'succeeded' });
  expect(puppet.calls.filter(({ tool }) => tool === 'set')).toHaveLength(1);
  const records = () => host.journal().filter(({ type }) => type === 'panic');
  await expect.poll(records).toMatchObject([
    { stopped: true, by: operator.view },
    { stopped: false, by: operator.view },
  ]);
});

test('what was approved and is not sent stays so, until it is let go on and looked at afresh', async () => {
  const { host, operator, puppet, agent } = await hostWithPuppet();
  const proposals = [];
  for (let value = 1; value <= 9; value++)
    proposals.push(await agent.propose(puppet.instance, 'set', { value }));
  const digests = new Map((await operator.sees(9)).map(({ call, digest }) => [call, digest]));
  // In one turn of the host: more than have a turn at the Tick, and each has to be described first.
  const decisions = proposals.map(({ call }) =>
    operator.client.request(operatorApi.decide, {
      call,
      digest: digests.get(call) ?? '',
      decision: 'approve',
    }),
  );
  const stopping = panic(operator, true);
  await Promise.all([...decisions, stopping]);
  expect(await agent.call(puppet.instance, 'log')).toMatchObject({ state: 'succeeded' });
  await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
  for (const { call } of proposals) {
    await expect.poll(() => host.recorded(call)).toEqual(['waiting', 'secret', 'approved']);
  }
  expect(puppet.calls.filter(({ tool }) => tool === 'set')).toEqual([]);

  await panic(operator, false);
  for (const { call } of proposals) expect(await agent.outcome(call)).toMatchObject({ state: 'succeeded' });
  expect(puppet.calls.filter(({ tool }) => tool === 'set')).toHaveLength(9);
});

test('what was approved may end otherwise meanwhile', async () => {
  const { host, operator, puppet, agent } = await hostWithPuppet();
  const outcome = agent.call(puppet.instance, 'set', { value: 1 });
  const { call, digest } = (await operator.card()).summary;
  const decided = operator.client.request(operatorApi.decide, { call, digest, decision: 'approve' });
  await Promise.all([decided, panic(operator, true)]);
  await puppet.pull('declare', { revision: 'b' });
  await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
  expect(await outcome).toMatchObject({ state: 'stale' });
  await expect.poll(() => host.recorded(call)).toEqual(['waiting', 'approved', 'stale']);
  await panic(operator, false);
  await agent.call(puppet.instance, 'log');
  expect(puppet.calls.filter(({ tool }) => tool === 'set')).toEqual([]);
});

test('it outlasts the host', async () => {
  const { host, operator } = await hostWithPuppet();
  await panic(operator, true);
  await host.again();
  const after = await host.operator();
  expect(await stoppedIn(after)).toMatchObject({ by: operator.view, at: expect.any(Number) });
  await panic(after, false);
  await host.again();
  expect(await stoppedIn(await host.operator())).toBeUndefined();
});

test('a new file of the journal begins with it', () => {
  const before = new Replay();
  const at = '2026-01-02T03:04:05.678Z';
  before.apply({ type: 'panic', at, stopped: true, by: 'view:1' });
  const after = new Replay();
  after.apply({ type: 'checkpoint', at, ...before.checkpoint() });
  expect(after.past().stopped).toEqual({ by: 'view:1', at: Date.parse(at) });
  after.apply({ type: 'panic', at, stopped: false, by: 'view:1' });
  expect(after.past().stopped).toBeUndefined();
});

test('anybody who operates may stop it, and only who may decide lets it go on; no agent does either', async () => {
  const { host, operator, agent } = await hostWithPuppet();
  const command = await host.operator({ view: false });
  await panic(command, true);
  expect(await stoppedIn(operator)).toMatchObject({ by: 'a command (tickmux)' });
  await expect(panic(command, false)).rejects.toMatchObject({ code: rpcCodes.forbidden });
  const asAgent = agent.client.request(operatorApi.panic, { stopped: false });
  await expect(asAgent).rejects.toMatchObject({ code: rpcCodes.unknownMethod });
  expect(await stoppedIn(operator)).toBeDefined();
  // Twice is once: whoever stopped it first is named.
  await panic(operator, true);
  expect(await stoppedIn(operator)).toMatchObject({ by: 'a command (tickmux)' });
  await panic(operator, false);
  await until('it goes on', async () => (await stoppedIn(operator)) === undefined);
});
