/** An approval is for what was shown: whatever changes in it, the call is not sent. */
import { describe, expect, test } from 'vitest';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import { hostWithPuppet, until } from '../support/test-host.ts';

describe('a call becomes stale', () => {
  test('H-1.3-3: when the catalogue has another revision at its approval', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const outcome = agent.call(puppet.instance, 'set', { value: 1 });
    const { summary } = await operator.card();
    await puppet.pull('declare', { revision: 'b' });
    expect(await operator.decide(summary.call, 'approve')).toBe('approved');
    expect(await outcome).toMatchObject({
      state: 'stale',
      words: 'the catalogue changed since it was shown',
    });
    expect(puppet.calls).toEqual([]);
    expect(host.recorded(summary.call)).toEqual(['waiting', 'approved', 'stale']);
  });

  test('as soon as a change of the catalogue is seen', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const outcome = agent.call(puppet.instance, 'set', { value: 1 });
    await operator.card();
    await puppet.pull('declare', { revision: 'b' });
    await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
    expect(await outcome).toMatchObject({ state: 'stale' });
  });

  test('H-5.5-1: not when a revision only looks older', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    await puppet.pull('declare', { revision: '0' });
    await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
    const outcome = agent.call(puppet.instance, 'set', { value: 1 }, { revision: '0' });
    await operator.approve();
    expect(await outcome).toMatchObject({ state: 'succeeded' });
    expect(puppet.calls).toMatchObject([{ revision: '0' }]);
  });

  test('when its tool is declared anew under the same revision, which the operator is told', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const outcome = agent.call(puppet.instance, 'set', { value: 1 });
    await operator.card();
    const { descriptor } = await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
    const tools = descriptor.tools.map((tool) =>
      tool.name === 'set' ? { ...tool, description: 'To erase everything.' } : tool,
    );
    await puppet.pull('declare', { tools });
    await operator.approve();
    expect(await outcome).toMatchObject({ state: 'stale' });
    expect(puppet.calls).toEqual([]);
    const { inspection } = await operator.client.request(operatorApi.inspect, { instance: puppet.instance });
    expect(await operator.instance(puppet.instance)).toMatchObject({ silently_changed: 'set' });
    expect(inspection?.note).toBe('This Tick changed the declaration of "set" without a new revision.');
  });

  test('when its program is restarted', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { call } = await agent.propose(puppet.instance, 'set', { value: 1 });
    const { digest } = (await operator.show(call)).summary;
    await operator.client.request(operatorApi.close, { instance: puppet.instance });
    expect(await agent.outcome(call)).toMatchObject({ state: 'stale', words: 'the program has ended' });
    await operator.client.request(operatorApi.restart, { instance: puppet.instance });
    await expect(
      operator.client.request(operatorApi.decide, { call, digest, decision: 'approve' }),
    ).rejects.toMatchObject({ code: rpcCodes.decided });
    await agent.propose(puppet.instance, 'set', { value: 1 });
    expect((await operator.card()).summary.digest).not.toBe(digest);
    expect(puppet.calls).toEqual([]);
  });

  test.each(['hang', 'error', { protocol: 3 }])(
    'when the Tick does not describe itself at the last moment: %j',
    async (describe) => {
      const { operator, puppet, agent } = await hostWithPuppet({ limits: { queryMs: 150 } });
      const outcome = agent.call(puppet.instance, 'set', { value: 1 });
      await operator.card();
      await puppet.pull('become', { describe });
      await operator.approve();
      expect(await outcome).toMatchObject({
        state: 'stale',
        words: expect.stringContaining('the catalogue could not be looked at again'),
      });
      expect(puppet.calls).toEqual([]);
    },
  );
});

test('a proposal prepared under another revision is refused', async () => {
  const { puppet, agent } = await hostWithPuppet();
  await expect(agent.call(puppet.instance, 'set', {}, { revision: 'z' })).rejects.toMatchObject({
    code: rpcCodes.refused,
    data: { reason: 'stale', revision: 'a' },
  });
});

test('a tool that was mutating once needs approval for good', async () => {
  const { operator, puppet, agent } = await hostWithPuppet();
  const { descriptor } = await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
  const tools = descriptor.tools.map((tool) => ({ ...tool, mutates: false }));
  await puppet.pull('declare', { revision: 'b', tools });
  await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
  const outcome = agent.call(puppet.instance, 'set', { value: 1 });
  await operator.card();
  expect(puppet.calls).toEqual([]);
  await operator.approve();
  expect(await outcome).toMatchObject({ state: 'succeeded' });
  expect(await agent.call(puppet.instance, 'log')).toMatchObject({ state: 'succeeded' });
});

test('H-0-4: the Tick is described anew after an update, and what it says then counts', async () => {
  const { operator, puppet, agent } = await hostWithPuppet();
  await puppet.pull('declare', { revision: 'b', title: 'Another name' });
  await puppet.pull('update', 1);
  await until('the new title is known', async () => {
    const instance = await operator.instance(puppet.instance);
    return instance?.title === 'Another name' && instance.revision === 'b';
  });
  await agent.propose(puppet.instance, 'set');
  expect((await operator.card()).revision).toBe('b');
});

test('the catalogue is looked at again after the outcome of a call', async () => {
  const { operator, puppet, agent } = await hostWithPuppet();
  const outcome = agent.call(puppet.instance, 'hold');
  await operator.approve();
  await until('the call arrived', () => puppet.calls.length === 1);
  await puppet.pull('declare', { revision: 'b' });
  await puppet.pull('answer', { tool: 'hold', result: null });
  await outcome;
  await until('b is known', async () => (await operator.instance(puppet.instance))?.revision === 'b');
});

test('and after a query that the Tick refused for its revision', async () => {
  const { operator, puppet, agent } = await hostWithPuppet();
  const report = agent.call(puppet.instance, 'wait');
  await until('the query arrived', () => puppet.calls.length === 1);
  await puppet.pull('declare', { revision: 'b' });
  await puppet.pull('answer', { tool: 'wait', error: { code: -32004, message: 'It is b now.' } });
  expect(await report).toMatchObject({ state: 'failed', effect: 'none', error: { code: -32004 } });
  await until('b is known', async () => (await operator.instance(puppet.instance))?.revision === 'b');
});
