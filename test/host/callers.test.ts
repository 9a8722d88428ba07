/** What becomes of a call when its caller leaves, asks again, asks twice or asks for too much. */
import { describe, expect, test } from 'vitest';
import type { Proposal } from '../../src/host/call.ts';
import { Calls } from '../../src/host/calls.ts';
import type { Journal } from '../../src/host/journal.ts';
import type { SessionLog } from '../../src/host/log.ts';
import type { Panic } from '../../src/host/panic.ts';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { hostWithPuppet, until } from '../support/test-host.ts';

describe('a caller that waits', () => {
  test('withdraws its call by disconnecting', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const lost = agent.call(puppet.instance, 'set').catch((error) => error);
    const { summary } = await operator.card();
    agent.leave();
    expect(await lost).toMatchObject({ name: 'ConnectionEnded' });
    await operator.sees(0);
    expect((await operator.show(summary.call)).summary).toMatchObject({
      state: 'withdrawn',
      words: 'its agent gave up or went away',
    });
    await expect.poll(() => host.recorded(summary.call)).toEqual(['waiting', 'withdrawn']);
    await expect(operator.decide(summary.call, 'approve')).rejects.toMatchObject({ code: rpcCodes.decided });
    expect(puppet.calls).toEqual([]);
  });

  test('withdraws its call by cancelling, and is answered', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const abort = new AbortController();
    const outcome = agent.call(puppet.instance, 'set', {}, {}, abort.signal);
    await operator.card();
    abort.abort();
    expect(await outcome).toMatchObject({ state: 'withdrawn' });
    expect(puppet.calls).toEqual([]);
  });

  test('withdraws an approved call that is not on its way yet', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const abort = new AbortController();
    const outcome = agent.call(puppet.instance, 'set', {}, {}, abort.signal);
    await operator.card();
    await puppet.pull('become', { describe: 'hang' });
    await operator.approve();
    abort.abort();
    expect(await outcome).toMatchObject({ state: 'withdrawn' });
    expect(puppet.calls).toEqual([]);
  });

  test('comes too late once the call is on its way, and gets its outcome', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const abort = new AbortController();
    const outcome = agent.call(puppet.instance, 'hold', {}, {}, abort.signal);
    await operator.approve();
    await until('the call arrived', () => puppet.calls.length === 1);
    abort.abort();
    await puppet.pull('answer', { tool: 'hold', result: 'done' });
    expect(await outcome).toMatchObject({ state: 'succeeded', result: 'done' });
  });
});

describe('a call that need not be waited for', () => {
  test('outlives its connection; its agent and whoever has the secret may ask', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const { call, secret } = await agent.propose(puppet.instance, 'set', { value: 1 });
    agent.leave();
    const stranger = await host.agent('stranger');
    await expect(stranger.status(call)).rejects.toMatchObject({ code: rpcCodes.notFound });
    await expect(stranger.status(call, { secret: 'x' })).rejects.toMatchObject({ code: rpcCodes.notFound });
    await expect(stranger.status('call:99')).rejects.toMatchObject({ code: rpcCodes.notFound });
    expect(await stranger.status(call, { secret })).toMatchObject({ state: 'waiting' });
    await operator.approve();
    expect(await stranger.status(call, { secret, wait_ms: 10_000 })).toMatchObject({ state: 'succeeded' });
    const resumed = await host.agent('tester', agent.secret);
    expect(resumed.id).toBe(agent.id);
    expect(await resumed.status(call)).toMatchObject({ state: 'succeeded', result: { value: 1 } });
  });

  test('can be asked for with patience, which ends when its time is up', async () => {
    const { puppet, agent } = await hostWithPuppet();
    const { call } = await agent.propose(puppet.instance, 'set');
    const began = performance.now();
    expect(await agent.status(call, { wait_ms: 60 })).toMatchObject({ state: 'waiting' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(58);
  });

  test('expires when nobody decides', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const { call } = await agent.propose(puppet.instance, 'set', {}, { expires_in_s: 1 });
    const { expires_at, summary } = await operator.show(call);
    expect(expires_at).toBe(summary.proposed_at + 1_000);
    expect(await agent.outcome(call)).toMatchObject({ state: 'expired', words: 'nobody decided in time' });
    expect(host.recorded(call)).toEqual(['waiting', 'secret', 'expired']);
  });

  test('expires when its turn comes too late', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const others = Array.from({ length: 6 }, () => agent.call(puppet.instance, 'wait').catch(() => {}));
    await until('all slots are taken', () => puppet.calls.length === 6);
    const { call } = await agent.propose(puppet.instance, 'set', {}, { expires_in_s: 2 });
    const card = await operator.card();
    await operator.approve();
    await until('its time is up', () => Date.now() > (card.expires_at ?? 0));
    expect(await agent.status(call)).toMatchObject({ state: 'approved' });
    await puppet.pull('answer', { tool: 'wait', result: null });
    expect(await agent.outcome(call)).toMatchObject({ state: 'expired', words: 'its turn came too late' });
    expect(puppet.calls).toHaveLength(6);
    agent.leave();
    await Promise.all(others);
  });
});

describe('equal proposals', () => {
  test('join while one waits, and one of two callers may leave', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const abort = new AbortController();
    const first = agent.call(puppet.instance, 'set', { value: 1 }, { reason: 'one' }, abort.signal);
    await operator.card();
    const second = agent.call(puppet.instance, 'set', { value: 1 }, { reason: 'two' });
    // Answered behind the second proposal: it has been taken in.
    await agent.manage({ action: 'list' });
    abort.abort();
    await agent.manage({ action: 'list' });
    await operator.approve();
    const [one, two] = await Promise.all([first, second]);
    expect(one.call).toBe(two.call);
    expect(two).toMatchObject({ state: 'succeeded' });
    expect(puppet.calls).toHaveLength(1);
  });

  test('are withdrawn when all their callers have left', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const aborts = [new AbortController(), new AbortController()];
    const calls = aborts.map(({ signal }) => agent.call(puppet.instance, 'set', { value: 1 }, {}, signal));
    await operator.card();
    for (const abort of aborts) abort.abort();
    for (const call of calls) expect(await call).toMatchObject({ state: 'withdrawn' });
  });

  test('of which one need not be waited for outlive the other; each secret opens', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const first = await agent.propose(puppet.instance, 'set', { value: 1 });
    const second = await agent.propose(puppet.instance, 'set', { value: 1 });
    const third = agent.call(puppet.instance, 'set', { value: 1 }).catch(() => {});
    await agent.manage({ action: 'list' });
    agent.leave();
    await third;
    expect(second.call).toBe(first.call);
    await operator.approve();
    const stranger = await host.agent();
    for (const { secret } of [first, second]) {
      expect(await stranger.status(first.call, { secret, wait_ms: 10_000 })).toMatchObject({
        state: 'succeeded',
      });
    }
    expect(puppet.calls).toHaveLength(1);
  });

  test('of two agents are two calls', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    await agent.propose(puppet.instance, 'set', { value: 1 });
    await (await host.agent()).propose(puppet.instance, 'set', { value: 1 });
    await operator.sees(2);
  });

  test('after one that was sent are marked as again', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const outcome = agent.call(puppet.instance, 'set', { value: 1 });
    const call = await operator.approve();
    await outcome;
    await agent.propose(puppet.instance, 'set', { value: 1 }, { reason: 'more of it' });
    expect((await operator.card()).again).toMatch(new RegExp(`succeeded \\(${call}\\)$`));
  });

  test('after one that was denied are not', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { call } = await agent.propose(puppet.instance, 'set', { value: 1 });
    await operator.decide(call, 'deny');
    await agent.propose(puppet.instance, 'set', { value: 1 });
    expect((await operator.card()).again).toBeUndefined();
  });
});

describe('an idempotency key', () => {
  const key = { idempotency_key: 'k' };

  test('names one call, settled or not', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const first = await agent.propose(puppet.instance, 'set', { value: 1 }, key);
    const again = await agent.propose(puppet.instance, 'set', { value: 1 }, key);
    expect(again).toMatchObject({ call: first.call, state: 'waiting' });
    await operator.approve();
    await agent.outcome(first.call);
    expect(await agent.call(puppet.instance, 'set', { value: 1 }, key)).toMatchObject({
      call: first.call,
      state: 'succeeded',
    });
    expect(puppet.calls).toHaveLength(1);
  });

  test('of another agent is another', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    await agent.propose(puppet.instance, 'set', { value: 1 }, key);
    await (await host.agent()).propose(puppet.instance, 'set', { value: 2 }, key);
    await operator.sees(2);
  });

  test('is taken over by the call that is joined; another key is another call', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const first = await agent.propose(puppet.instance, 'set', { value: 1 });
    expect((await agent.propose(puppet.instance, 'set', { value: 1 }, key)).call).toBe(first.call);
    const other = await agent.propose(puppet.instance, 'set', { value: 1 }, { idempotency_key: 'l' });
    expect(other.call).not.toBe(first.call);
    await operator.sees(2);
    await operator.decide(first.call, 'deny');
    expect((await agent.propose(puppet.instance, 'set', { value: 1 }, key)).call).toBe(first.call);
  });

  test('is honoured across restarts of the host, although the instance is no more', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const first = await agent.propose(puppet.instance, 'set', { value: 1 });
    await agent.propose(puppet.instance, 'set', { value: 1 }, key);
    await operator.approve();
    await agent.outcome(first.call);
    await host.again();
    const resumed = await host.agent('tester', agent.secret);
    expect(resumed.id).toBe(agent.id);
    expect(await resumed.call(puppet.instance, 'set', { value: 1 }, key)).toMatchObject({
      call: first.call,
      state: 'succeeded',
    });
    expect(await resumed.status(first.call)).toMatchObject({ state: 'succeeded' });
    const stranger = await host.agent();
    expect(await stranger.status(first.call, { secret: first.secret })).toMatchObject({ state: 'succeeded' });
    await expect(stranger.status(first.call)).rejects.toMatchObject({ code: rpcCodes.notFound });
    expect(puppet.calls).toHaveLength(1);
  });
});

test('an agent may have only so many calls waiting', async () => {
  const { host, operator, puppet, agent } = await hostWithPuppet({ waitingPerAgent: 2 });
  for (const value of [1, 2]) await agent.propose(puppet.instance, 'set', { value });
  await expect(agent.propose(puppet.instance, 'set', { value: 3 })).rejects.toMatchObject({
    code: rpcCodes.limit,
  });
  // An equal one joins, and another agent has room of its own.
  await agent.propose(puppet.instance, 'set', { value: 2 });
  await (await host.agent()).propose(puppet.instance, 'set', { value: 3 });
  const [first] = await operator.sees(3);
  await operator.decide(first?.call ?? '', 'deny');
  await agent.propose(puppet.instance, 'set', { value: 3 });
  await operator.sees(3);
});

describe('what nobody could look through', () => {
  const longest = 256 * 1024;

  test.each(['a tool', 'a program'])('is no call of %s', async (what) => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const propose = (text: string) =>
      what === 'a tool'
        ? agent.propose(puppet.instance, 'hold', { text })
        : agent.manage({ action: 'open', command: ['sh', ...pieces(text)], wait: false });
    await propose('x'.repeat(longest - 20_000));
    await expect(propose('x'.repeat(longest))).rejects.toMatchObject({ code: rpcCodes.limit });
    expect(await operator.waiting()).toHaveLength(1);
  });

  test('is no edit either', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { call } = await agent.propose(puppet.instance, 'set', {});
    const { digest } = (await operator.show(call)).summary;
    const edit = operator.edit(call, digest, JSON.stringify({ note: 'x'.repeat(longest) }));
    await expect(edit).rejects.toMatchObject({ code: rpcCodes.limit });
    expect((await operator.show(call)).summary.digest).toBe(digest);
  });

  test('does not come under many names either', () => {
    const calls = new Calls({
      journal: { append: async () => {} } as unknown as Journal,
      log: { info: () => {} } as unknown as SessionLog,
      changed: () => {},
      panic: { stopped: undefined } as Panic,
      past: [],
      nextCall: 1,
    });
    const propose = (name: number, argumentsText: string) =>
      calls.propose({
        kind: 'tool',
        agent: { id: `agent:${name}`, name: '' },
        instance: `hosted:${name}`,
        incarnation: 1,
        argumentsText,
        recordable: () => undefined,
        expiresInS: 60,
        wait: true,
      } as unknown as Proposal);
    for (let name = 0; name < 255; name++) propose(name, 'x'.repeat(longest));
    for (let name = 0; name < 1_744; name++) propose(name, '');
    propose(0, '{}');
    expect(() => propose(1, '{}')).toThrow('2000 calls wait in this session already');
    calls.shutDown();
  });
});

/** Arguments that are no longer than one argument may be. */
function pieces(text: string): string[] {
  return text.match(/.{1,60000}/gs) ?? [];
}

test('a secret opens a call, of however many the first ones give way', async () => {
  const { host, puppet, agent } = await hostWithPuppet();
  const secrets: string[] = [];
  for (let n = 0; n < 100; n++) secrets.push((await agent.propose(puppet.instance, 'set', {})).secret);
  const stranger = await host.agent();
  const ask = (secret = '') => stranger.status('call:1', { secret });
  await expect(ask(secrets[0])).rejects.toMatchObject({ code: rpcCodes.notFound });
  expect(await ask(secrets.at(-1))).toMatchObject({ state: 'waiting' });
});

test('agents that only come and go leave nothing behind, and push nobody out', async () => {
  const { host, operator, puppet, agent } = await hostWithPuppet();
  const { call } = await agent.propose(puppet.instance, 'set', { value: 1 });
  agent.leave();
  for (let n = 0; n < 1_100; n++) (await host.agent(`passer-by ${n}`)).leave();
  const resumed = await host.agent('tester', agent.secret);
  expect(resumed.id).toBe(agent.id);
  await operator.decide(call, 'deny');
  expect(await resumed.outcome(call)).toMatchObject({ state: 'denied' });
  expect(host.journal().filter(({ type }) => type === 'agent')).toMatchObject([{ agent: agent.id }]);
});
