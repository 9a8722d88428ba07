/** What a subscribed agent is told of a Tick's state: the latest, not too often, and how much was merged. */
import { describe, expect, test } from 'vitest';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import { hostWithPuppet, until } from '../support/test-host.ts';

describe('a subscription', () => {
  test('H-8.3-1: delivers the latest state once an interval, with the number of merged updates', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { instance } = puppet;
    await agent.manage({ action: 'subscribe', instance, interval_ms: 300 });
    await until('the present state', () => agent.updates.length === 1);
    expect(agent.updates[0]).toMatchObject({ instance, seq: 0, data: null, merged: 0, interval_ms: 300 });
    const update = (seq: number) =>
      `{"jsonrpc":"2.0","method":"tick/update","params":{"seq":${seq},"data":{"n":${seq}}}}\n`;
    await puppet.pull('print', update(1) + update(2) + update(3));
    await until('a second delivery', () => agent.updates.length === 2);
    expect(agent.updates[1]).toMatchObject({ seq: 3, data: { n: 3 }, merged: 3, instance });
    const began = performance.now();
    await puppet.pull('print', update(4));
    await until('it is known', async () => (await operator.instance(instance))?.seq === 4);
    await until('a third', () => agent.updates.length === 3);
    expect(agent.updates[2]).toMatchObject({ seq: 4, merged: 1 });
    // Much less than the interval, since the test may have heard of the second late.
    expect(performance.now() - began).toBeGreaterThan(50);
  });

  test('H-9-1: names the tool to recover with, and nobody calls it', async () => {
    const { puppet, agent } = await hostWithPuppet();
    await agent.manage({ action: 'subscribe', instance: puppet.instance, interval_ms: 0 });
    await puppet.pull('update', 1);
    await until('the update', () => agent.updates.at(-1)?.seq === 1);
    expect(agent.updates.at(-1)?.recover_with).toBe('log');
    expect(puppet.calls).toEqual([]);
  });

  test('has no such name when the Tick gives none', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const { descriptor } = await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
    const { recover_with: _, ...rest } = descriptor;
    const other = await host.puppet(operator, { descriptor: rest });
    await agent.manage({ action: 'subscribe', instance: other.instance });
    await until('the state', () => agent.updates.length === 1);
    expect(agent.updates[0]).not.toHaveProperty('recover_with');
  });

  test('ends with the program, which is told', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { instance } = puppet;
    await agent.manage({ action: 'subscribe', instance });
    await until('the state', () => agent.updates.length === 1);
    await puppet.pull('exit', 4);
    await until('the end', () => agent.updates.at(-1)?.ended === 'exited with code 4');
    await expect(agent.manage({ action: 'subscribe', instance })).rejects.toMatchObject({
      code: rpcCodes.refused,
    });
    await operator.client.request(operatorApi.restart, { instance });
    await puppet.pull('update', 1);
    await until('the update is known', async () => (await operator.instance(instance))?.seq === 1);
    expect(agent.updates).toHaveLength(2);
  });

  test('ends when it is given up, and with its connection', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const { instance } = puppet;
    const other = await host.agent();
    for (const one of [agent, other]) await one.manage({ action: 'subscribe', instance, interval_ms: 0 });
    await until('both have the state', () => agent.updates.length === 1 && other.updates.length === 1);
    await agent.manage({ action: 'unsubscribe', instance });
    other.leave();
    const third = await host.agent('tester', other.secret);
    await puppet.pull('update', 1);
    await until('the update is known', async () => (await operator.instance(instance))?.seq === 1);
    await third.manage({ action: 'list' });
    expect([agent, other, third].map(({ updates }) => updates.length)).toEqual([1, 1, 0]);
  });

  test('is for Ticks', async () => {
    const { operator, agent } = await hostWithPuppet();
    const { instance } = await operator.open(['cat'], { shell: true });
    await expect(agent.manage({ action: 'subscribe', instance })).rejects.toMatchObject({
      code: rpcCodes.refused,
    });
  });

  test('leaves out what an agent that does not read would only pile up', async () => {
    const { host, operator, puppet } = await hostWithPuppet();
    const { instance } = puppet;
    const agent = await host.agent('slow', undefined, { congestedBytes: 20_000 });
    await agent.manage({ action: 'subscribe', instance, interval_ms: 0 });
    await until('the present state', () => agent.updates.length === 1);
    agent.pause();
    for (let n = 1; n <= 6; n++) {
      await puppet.pull('update', { n, text: 'x'.repeat(50_000) });
      await until('it is known', async () => (await operator.instance(instance))?.seq === n);
    }
    agent.resume();
    await until('the latest', () => agent.updates.at(-1)?.seq === 6);
    const later = agent.updates.slice(1);
    expect(later.length).toBeLessThan(6);
    expect(later.reduce((sum, { merged }) => sum + merged, 0)).toBe(6);
  });
});

test('H-1.3-2: what is delivered is never older than what was delivered before', async () => {
  const { puppet, agent } = await hostWithPuppet();
  const { instance } = puppet;
  await agent.manage({ action: 'subscribe', instance, interval_ms: 0 });
  await puppet.pull('update', { n: 1 });
  await puppet.pull('become', { state: { seq: 9, data: { n: 9 } } });
  await agent.client.request(agentApi.tickRead, { instance });
  await puppet.pull('print', '{"jsonrpc":"2.0","method":"tick/update","params":{"seq":5,"data":{"n":5}}}\n');
  await puppet.pull(
    'print',
    '{"jsonrpc":"2.0","method":"tick/update","params":{"seq":10,"data":{"n":10}}}\n',
  );
  await until('the latest', () => agent.updates.at(-1)?.seq === 10);
  const seqs = agent.updates.map(({ seq }) => seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => (a ?? 0) - (b ?? 0)));
  expect(seqs).not.toContain(5);
});
