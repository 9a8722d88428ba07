/** Many Ticks at once: each is there and answers, and afterwards nothing of them is left in the host. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import { holdingsOf } from '../support/holdings.ts';
import { plainTick } from '../support/plain-tick.ts';
import { alive, TestHost, until } from '../support/test-host.ts';

test.each([50, 200])('%i Ticks are opened at once, answer, and leave nothing behind', async (count) => {
  // A place of its own: other tests make pipes at the same time.
  const place = mkdtempSync(join(tmpdir(), 'tickmux-test-'));
  vi.stubEnv('TMPDIR', place);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(place, { recursive: true });
  });
  const host = await TestHost.start();
  const operator = await host.operator();
  const agent = await host.agent();
  const open = (name: string) => operator.open(plainTick(name), { place: { in: 'none' } });
  const end = async (instance: string) => {
    await operator.client.request(operatorApi.close, { instance });
    await operator.client.request(operatorApi.forget, { instance });
  };
  const first = await open('first');
  await agent.call(first.instance, 'name');
  await end(first.instance);
  const before = holdingsOf();

  const names = Array.from({ length: count }, (_, index) => `number-${index}`);
  const opened = await Promise.all(names.map(open));
  const ids = opened.map(({ instance }) => instance);
  const { instances } = await operator.client.request(operatorApi.list, {});
  expect(instances.map(({ instance }) => instance).sort()).toEqual([...ids].sort());
  expect(new Set(instances.map(({ pid }) => pid)).size).toBe(count);
  const answers = await Promise.all(ids.map((id) => agent.call(id, 'name')));
  expect(answers.map(({ result }) => result)).toEqual(names);
  const states = await Promise.all(
    ids.map((id) => agent.client.request(agentApi.tickRead, { instance: id })),
  );
  expect(states.map(({ data }) => data)).toEqual(names.map((name) => ({ name })));
  const texts = await Promise.all(ids.map((id) => operator.text(id)));
  expect(texts).toEqual(names.map((name) => `This is ${name}.`));
  expect(holdingsOf().descriptors.ptmx).toBe((before.descriptors.ptmx ?? 0) + count);

  await Promise.all(ids.map(end));
  expect((await operator.client.request(operatorApi.list, {})).instances).toEqual([]);
  expect(instances.filter(({ pid }) => alive(pid ?? 0))).toEqual([]);
  // A batch of pipes may still be in the making, with a process of its own.
  const making = () => readdirSync(place).filter((name) => name.startsWith('tickmux-pipes'));
  await until('the last batch of pipes to be made', () => making().length === 0);
  await until('its process to be gone', () => holdingsOf().children.length === before.children.length);
  const { stock, ...left } = holdingsOf();
  expect({ ...left, stock: before.stock }).toEqual(before);
  expect(stock).toBeLessThanOrEqual(before.stock + 64);
});

test('no more than 512 programs are started, however many are asked for at once', async () => {
  const host = await TestHost.start();
  const operator = await host.operator();
  const asked = Array.from({ length: 600 }, () => operator.open(['/nonexistent'], { shell: true }));
  const refusals = (await Promise.allSettled(asked)).map(
    (one) => one.status === 'rejected' && one.reason.code,
  );
  expect(refusals.filter((code) => code === rpcCodes.limit)).toHaveLength(600 - 512);
  expect(refusals.filter((code) => code === rpcCodes.refused)).toHaveLength(512);
});
