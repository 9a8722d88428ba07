/** Agents that do harm: the host, its operators and other agents bear it, and nothing is decided for the operator. */
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { Unread } from '../../src/rpc/server.ts';
import { numbers } from '../support/numbers.ts';
import { RawAgent } from '../support/raw-agent.ts';
import { type TestAgent, until } from '../support/test-host.ts';
import { Unharmed } from '../support/unharmed.ts';

// Longer than any wait below, whose failures say more.
vi.setConfig({ testTimeout: 180_000 });

const hostile = fileURLToPath(new URL('../fixtures/host/hostile.mjs', import.meta.url));
const tick = (harm: string): [string, ...string[]] => [process.execPath, hostile, harm];

/** Others for a longer run by hand. */
const seed = Number(process.env.HOSTILE_SEED ?? 20_261_130);
const steps = Number(process.env.HOSTILE_STEPS ?? 2_500);
/** Bytes by which memory may grow. */
const mostGrowth = 300 * 1024 * 1024;

const evil = '\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\0\r\n';

/** Messages as an agent sends them, and what may stand in their places. */
function fuzzer(next: () => number, instance: string) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const values = [
    'null',
    'true',
    '-1',
    '0',
    '1.5',
    '1e999',
    '9'.repeat(400),
    '""',
    JSON.stringify(evil),
    '"\\ud800"',
    '[]',
    '{}',
    deep(600),
    deep(10_000),
    '{"__proto__":{"wait":false}}',
    '{"constructor":{"prototype":{}}}',
    JSON.stringify('x'.repeat(70_000)),
    '"hosted:1"',
    '"call:1"',
    '[1,[2]]',
    '{"jsonrpc":"2.0"}',
  ];
  const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__', 'toString'];
  const methods = [
    'hello',
    'TickCall',
    'TickRead',
    'TickDescribe',
    'TickManage',
    'TickCallStatus',
    'cancel',
    'approvals.decide',
    'session.kill',
    'constructor',
    '',
  ];
  const params = () =>
    `{${[
      'instance',
      'tool',
      'arguments',
      'action',
      'call',
      'wait',
      'text',
      'command',
      'secret',
      'idempotency_key',
      'id',
      'name',
      'show',
      'interval_ms',
      '__proto__',
    ]
      .filter(() => next() < 0.3)
      .map(
        (name) =>
          `"${name}":${pick([...values, `"${instance}"`, '"set"', '"list"', '"input"', '"screen"', 'false'])}`,
      )
      .join(',')}}`;
  const message = (): string => {
    const id = next() < 0.8 ? `,"id":${pick(['1', '"a"', '7', ...values])}` : '';
    return `{"jsonrpc":"2.0"${id},"method":"${pick(methods)}","params":${next() < 0.8 ? params() : pick(values)}}`;
  };
  const kinds = [
    message,
    message,
    () => pick(values),
    () => `[${message()},${message()}]`,
    () => `{${[1, 2, 3].map(() => `"${pick(members)}":${pick(values)}`).join(',')}}`,
    // A byte changed, a piece left out.
    () => {
      const bytes = Buffer.from(message());
      bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
      return bytes;
    },
    () => message().slice(Math.floor(next() * 20)),
  ];
  return () => pick(kinds)();
}

test(`whatever comes as a message is answered or dropped (seed ${seed}, ${steps} messages)`, async () => {
  const unharmed = await Unharmed.start();
  const next = numbers(seed);
  const make = fuzzer(next, 'hosted:1');
  const agents = [new RawAgent(unharmed.host), new RawAgent(unharmed.host)];
  agents[1]?.as('fuzzer');
  for (let step = 0; step < steps; step++) {
    const agent = agents[step % 2] as RawAgent;
    const line = Buffer.concat([Buffer.from(make()), Buffer.from('\n')]);
    const cut = next() < 0.1 ? Math.floor(next() * line.length) : 0;
    agent.stream.write(line.subarray(0, cut));
    agent.stream.write(line.subarray(cut));
    if (step % 200 < 2) await agent.answered();
  }
  for (const agent of agents) await agent.answered();
  const codes = new Set(agents.flatMap(({ answers }) => answers.map(({ error }) => error?.code)));
  expect(codes).not.toContain(rpcCodes.internal);
  expect(codes).toContain(rpcCodes.parse);
  expect(codes).toContain(rpcCodes.invalidParams);
  for (const agent of agents) agent.stream.destroy();
  await unharmed.end(mostGrowth);
});

test('a line that comes byte by byte costs no more than its bytes', async () => {
  const unharmed = await Unharmed.start();
  const agent = new RawAgent(unharmed.host);
  agent.as('slow');
  const byte = Buffer.from('x');
  const before = process.memoryUsage();
  for (let count = 0; count < 400_000; count++) {
    if (!agent.stream.write(byte)) await new Promise((resolve) => agent.stream.once('drain', resolve));
  }
  await until('it has come', () => agent.stream.writableLength === 0);
  const { heapUsed } = process.memoryUsage();
  expect(heapUsed - before.heapUsed).toBeLessThan(40 * 1024 * 1024);
  agent.stream.write('\n');
  await agent.answered();
  expect(agent.answers.some(({ error }) => error?.code === rpcCodes.parse)).toBe(true);
  agent.stream.destroy();
  await unharmed.end(mostGrowth);
});

test('a thousand calls may wait, no more; the operator types on and can deny them all', async () => {
  const unharmed = await Unharmed.start();
  const { host, operator } = unharmed;
  const { instance } = await operator.open(tick('schema-64k'));
  const agent = await host.agent(evil);
  const propose = (n: number) => agent.propose(instance, 'act', { n }, { reason: evil });
  const proposed = await Promise.all(Array.from({ length: 1_000 }, (_, n) => propose(n)));
  await expect(propose(1_000)).rejects.toMatchObject({
    code: rpcCodes.limit,
    message: '1000 calls of this agent wait already: let some be decided first.',
  });
  // Each key looks again at all that wait.
  for (let key = 0; key < 50; key++)
    await operator.client.request(operatorApi.typeText, { instance, text: 'x' });
  await unharmed.check();
  await Promise.all(proposed.map(({ call }) => operator.decide(call, 'deny')));
  expect((await agent.outcome(proposed[999]?.call ?? '')).state).toBe('denied');
  agent.leave();
  await unharmed.end(mostGrowth);
});

test('an agent may go away at each point of a call', async () => {
  const unharmed = await Unharmed.start();
  const { host, operator } = unharmed;
  const { instance } = await operator.open(tick('never-answers'));
  const points: Record<string, (agent: TestAgent) => Promise<unknown>> = {
    'before it is taken in': async () => {},
    'while it waits': () => operator.sees(1),
    'as it is approved': async () => {
      const { summary } = await operator.card();
      void unharmed.approve(summary.call);
    },
    'while it runs': async () => {
      const { summary } = await operator.card();
      await unharmed.approve(summary.call);
      await until('it runs', () => host.recorded(summary.call).includes('dispatched'));
    },
  };
  for (const [point, come] of Object.entries(points)) {
    const agent = await host.agent(point);
    const outcome = agent.call(instance, 'act', { point }).catch(() => {});
    await come(agent);
    agent.leave();
    await outcome;
    // The neighbour's own call may wait meanwhile.
    const others = async () => (await operator.waiting()).filter((call) => call.instance === instance);
    await until(`nothing waits after ${point}`, async () => (await others()).length === 0);
  }
  await unharmed.end(mostGrowth);
});

test('agents that never read are cut off before they fill memory, and hold nobody up', async () => {
  const unharmed = await Unharmed.start();
  const { host, operator } = unharmed;
  const { instance } = await operator.open(tick('large-answers'));
  // None of them alone would be too much.
  const unread = new Unread(24 * 1024 * 1024);
  const readers = Array.from({ length: 3 }, () => new RawAgent(host, { unread }));
  for (const agent of readers) {
    agent.as('never reads');
    agent.stream.pause();
    for (let n = 0; n < 60; n++) agent.request(n, 'TickCall', { instance, tool: 'ask' });
  }
  await until('all are cut off', () => readers.every(({ stream }) => stream.destroyed), 50_000);
  await unharmed.end(mostGrowth);
});

test('an operator is answered while agents ask ten thousand times a second', async () => {
  const unharmed = await Unharmed.start();
  const flooders = Array.from({ length: 4 }, (_, n) => new RawAgent(unharmed.host).as(`flooder ${n}`));
  const deadline = Date.now() + 2_000;
  let asked = 0;
  while (Date.now() < deadline) {
    for (const agent of flooders) {
      for (let n = 0; n < 250; n++) {
        agent.manage(++asked, { action: 'list' });
        // Unknown ones, and calls of nothing: refused, each with words.
        agent.request(++asked, 'TickCall', { instance: `hosted:${n + 1_000}`, tool: 'set' });
      }
      if (agent.stream.writableNeedDrain) {
        await new Promise((resolve) => agent.stream.once('drain', resolve));
      }
    }
    await unharmed.check();
  }
  for (const agent of flooders) await agent.answered();
  expect(flooders.reduce((sum, { answers }) => sum + answers.length, 0)).toBeGreaterThan(asked);
  for (const agent of flooders) agent.stream.destroy();
  await unharmed.end(mostGrowth);
});

test('agents of the same name are told apart, and one cannot answer for another', async () => {
  const unharmed = await Unharmed.start();
  const { host, operator } = unharmed;
  const { instance } = await operator.open(tick('never-answers'));
  const names = ['operator', 'operator', evil, 'view:1'];
  const agents = await Promise.all(names.map((name) => host.agent(name)));
  const [honest, ...others] = agents as [TestAgent, ...TestAgent[]];
  const { call } = await honest.propose(instance, 'act', {});
  for (const other of others) {
    await expect(other.status(call)).rejects.toMatchObject({ code: rpcCodes.notFound });
    await expect(other.status(call, { secret: honest.secret })).rejects.toMatchObject({
      code: rpcCodes.notFound,
    });
    // What operators say, said on an agent's socket.
    for (const { method } of [
      operatorApi.decide,
      operatorApi.edit,
      operatorApi.attach,
      operatorApi.typeText,
    ]) {
      const said = { ...operatorApi.decide, method } as typeof operatorApi.decide;
      const decision = other.client.request(said, { call, digest: '', decision: 'approve' });
      await expect(decision).rejects.toMatchObject({ code: rpcCodes.unknownMethod });
    }
  }
  expect(new Set(agents.map(({ id }) => id)).size).toBe(agents.length);
  expect((await operator.show(call)).summary.agent).toBe(honest.id);
  await operator.decide(call, 'deny');
  for (const agent of agents) agent.leave();
  await unharmed.end(mostGrowth);
});

test('storms of subscriptions to a Tick with a large state hold nobody up', async () => {
  const unharmed = await Unharmed.start();
  const { host, operator } = unharmed;
  const { instance } = await operator.open(tick('large-states-of-many'));
  const agents = Array.from({ length: 40 }, (_, n) => new RawAgent(host).as(`subscriber ${n}`));
  for (let round = 0; round < 100; round++) {
    for (const [n, agent] of agents.entries()) {
      agent.manage(`on ${round}`, { action: 'subscribe', instance, interval_ms: 0 });
      if ((n + round) % 2 === 0) agent.manage(`off ${round}`, { action: 'unsubscribe', instance });
    }
    if (round % 10 === 0) await unharmed.check();
  }
  for (const agent of agents) await agent.answered();
  for (const agent of agents) agent.stream.destroy();
  await unharmed.end(mostGrowth);
});
