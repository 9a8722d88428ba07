/** Whose turn it is at a Tick, and that what had to wait is still what was asked for when its turn comes. */
import { open } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Slots } from '../../src/host/slots.ts';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import { hostWithPuppet, until } from '../support/test-host.ts';

/** A host whose puppet has as many calls under way as it may have, all of them queries of `agent`. */
async function withBusyPuppet() {
  const parts = await hostWithPuppet();
  const { puppet, agent } = parts;
  for (let count = 0; count < 6; count++) void agent.call(puppet.instance, 'wait').catch(() => {});
  await until('six calls arrived', () => puppet.calls.length === 6);
  const answer = () => puppet.pull('answer', { tool: 'wait', result: 1 });
  return { ...parts, answer };
}

describe('at a Tick that is busy', () => {
  test('what a person approved goes before the queries of a flood', async () => {
    const { host, operator, puppet, agent, answer } = await withBusyPuppet();
    for (let count = 0; count < 200; count++) void agent.call(puppet.instance, 'wait').catch(() => {});
    const other = await host.agent('other');
    const outcome = other.call(puppet.instance, 'set', { value: 1 });
    await operator.approve();
    await answer();
    expect(await outcome).toMatchObject({ state: 'succeeded' });
    agent.leave();
  });

  test('a query whose caller has gone is never sent', async () => {
    const { host, puppet, agent, answer } = await withBusyPuppet();
    for (let count = 0; count < 200; count++) void agent.call(puppet.instance, 'wait').catch(() => {});
    await expect(agent.manage({ action: 'list' })).resolves.toBeDefined();
    agent.leave();
    const other = await host.agent('other');
    const outcome = other.call(puppet.instance, 'log');
    await answer();
    expect(await outcome).toMatchObject({ state: 'succeeded' });
    expect(puppet.calls.map(({ tool }) => tool)).toEqual([...Array(6).fill('wait'), 'log']);
  });

  test.each([
    ['needs a yes meanwhile', { mutates: true }, 'a'],
    ['means something else meanwhile', { description: 'To erase everything.' }, 'a'],
    ['belongs to another catalogue meanwhile', {}, 'b'],
  ])('a query that %s is refused', async (_what, change, revision) => {
    const { host, puppet, agent, answer } = await withBusyPuppet();
    const other = await host.agent('other');
    const { descriptor } = await other.client.request(agentApi.tickDescribe, { instance: puppet.instance });
    const outcome = expect(other.call(puppet.instance, 'log')).rejects.toMatchObject({
      code: rpcCodes.refused,
      data: { reason: 'stale' },
    });
    const tools = descriptor.tools.map((tool) => (tool.name === 'log' ? { ...tool, ...change } : tool));
    await puppet.pull('become', { descriptor: { ...descriptor, recover_with: 'wait', revision, tools } });
    await other.client.request(agentApi.tickDescribe, { instance: puppet.instance });
    await answer();
    await outcome;
    expect(puppet.calls).toHaveLength(6);
    agent.leave();
  });
});

describe('turns', () => {
  const asked = (agent: string) => ({ agent, signal: new AbortController().signal });

  test('go round among agents, whatever one of them has in the queue', async () => {
    const slots = new Slots(1);
    const release = await slots.take();
    const order: string[] = [];
    const turns = ['a', 'a', 'a', 'b', 'c', 'b'].map(async (agent) => {
      const done = await slots.take(asked(agent));
      order.push(agent);
      done();
    });
    release();
    await Promise.all(turns);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('are refused to agents when many wait, never to what was approved', async () => {
    const slots = new Slots(1);
    const release = await slots.take();
    const turns = Array.from({ length: 256 }, () => slots.take(asked('a')).then((done) => done()));
    await expect(slots.take(asked('b'))).rejects.toMatchObject({ code: rpcCodes.limit });
    const approved = slots.take();
    release();
    (await approved)();
    await Promise.all(turns);
  });
});

test('checking arguments that takes long is not done all the time', async () => {
  const { operator, puppet, agent } = await hostWithPuppet();
  const { descriptor } = await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
  const input_schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
  const tools = descriptor.tools.map((tool) => (tool.name === 'set' ? { ...tool, input_schema } : tool));
  await puppet.pull('declare', { revision: 'b', tools });
  await agent.client.request(agentApi.tickDescribe, { instance: puppet.instance });
  const { call } = await agent.propose(puppet.instance, 'set', { text: 'a' });
  const { digest } = (await operator.show(call)).summary;
  const text = `${'a'.repeat(40)}b`;
  const start = performance.now();
  const refusals = await Promise.all(
    Array.from({ length: 100 }, () =>
      agent.call(puppet.instance, 'set', { text }).catch(({ message }) => message),
    ),
  );
  expect(refusals[0]).toMatch(/could not be checked against its schema in time/);
  expect(refusals[99]).toMatch(/cannot be checked for \d+ s: it took too long the last time/);
  const { complaints } = await operator.edit(call, digest, JSON.stringify({ text }));
  expect(complaints[0]?.message).toMatch(/cannot be checked for \d+ s/);
  // A single one takes half a second.
  expect(performance.now() - start).toBeLessThan(10_000);
});

/** Keeps records off the disk until what it gives is called. */
async function holdUpDisk(): Promise<() => void> {
  const file = await open('/dev/null');
  const prototype = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const { datasync } = prototype;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  prototype.datasync = async function (this: typeof file) {
    await held;
    return datasync.call(this);
  };
  onTestFinished(() => {
    prototype.datasync = datasync;
  });
  return () => {
    prototype.datasync = datasync;
    letGo();
  };
}

test.each(['tool', 'input', 'close', 'restart'] as const)(
  'a call (%s) reaches no program that was started while its intent was written down',
  async (kind) => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { instance } = puppet;
    const outcome =
      kind === 'tool'
        ? agent.call(instance, 'set', { value: 1 })
        : agent.manage(
            kind === 'input' ? { action: kind, instance, text: 'yes\r' } : { action: kind, instance },
          );
    const { summary } = await operator.card();
    const letGo = await holdUpDisk();
    await operator.decide(summary.call, 'approve');
    await until('the intent is handed over', () =>
      operator.picture?.recent.some(({ call, state }) => call === summary.call && state === 'dispatched'),
    );
    await operator.client.request(operatorApi.close, { instance });
    await operator.client.request(operatorApi.restart, { instance });
    const { pid } = puppet.started;
    letGo();
    expect(await outcome).toMatchObject({
      state: 'failed',
      effect: 'none',
      error: { message: 'It was not sent: the program was restarted since it was shown' },
    });
    expect(puppet.calls).toEqual([]);
    expect((await operator.instance(instance))?.pid).toBe(pid);
    expect(await operator.text(instance)).not.toContain('yes');
  },
);
