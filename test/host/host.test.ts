/** The host as a whole: its end, and what is refused on the way there. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { alive, hostWithPuppet, TestHost, until } from '../support/test-host.ts';

test('ending withdraws what waits, loses what is on its way, ends every program, and says so', async () => {
  const { host, operator, puppet, agent } = await hostWithPuppet();
  const { pid } = puppet.started;
  await agent.manage({ action: 'subscribe', instance: puppet.instance });
  const sent = await agent.propose(puppet.instance, 'hold');
  await operator.approve();
  await until('the call arrived', () => puppet.calls.length === 1);
  const waiting = agent.call(puppet.instance, 'set');
  await operator.card();
  const stubborn = await operator.open(
    ['/bin/sh', '-c', 'trap "" TERM HUP; echo on; while :; do read x; done'],
    {
      shell: true,
    },
  );
  await until('it runs', async () => (await operator.text(stubborn.instance)).includes('on'));
  const other = (await operator.instance(stubborn.instance))?.pid ?? 0;
  await operator.client.request(operatorApi.kill, {});
  expect(await host.host.ended).toBe('the operator ended the session');
  expect(await waiting).toMatchObject({ state: 'withdrawn', words: 'the host ended' });
  expect([alive(pid), alive(other)]).toEqual([false, false]);
  await until('the subscriber is told', () => agent.updates.at(-1)?.ended !== undefined);
  expect(host.recorded(sent.call).at(-1)).toBe('unknown');
  expect(host.journal().at(-1)).toMatchObject({ type: 'host', event: 'end' });
  await expect(agent.call(puppet.instance, 'set')).rejects.toMatchObject({ code: rpcCodes.notFound });
});

test('operators are told who ends the session, and nothing when it just breaks', async () => {
  const host = await TestHost.start();
  const told: string[] = [];
  for (const one of [await host.operator(), await host.operator({ view: false })])
    one.client.on(operatorApi.ended, ({ by }) => told.push(by));
  const ending = await host.operator();
  await ending.client.request(operatorApi.kill, {});
  await until('both are told', () => told.length === 2);
  expect(told).toEqual(Array.from(told, () => 'view:2, another terminal attached to it'));
  await host.host.ended;
  await host.again();
  told.length = 0;
  const last = await host.operator();
  last.client.on(operatorApi.ended, ({ by }) => told.push(by));
  await host.host.shutDown('something failed');
  await last.client.request(operatorApi.list, {});
  expect(told).toEqual([]);
});

test('a program that is being started when the host ends does not stay behind', async () => {
  const host = await TestHost.start();
  const operator = await host.operator();
  const puppet = host.strings();
  const opening = operator.open(puppet.command({ describe: 'hang' })).catch((error) => error);
  await until('it runs', () => existsSync(`${puppet.directory}/started`));
  const { pid } = puppet.started;
  await host.host.shutDown('now');
  expect(alive(pid)).toBe(false);
  expect(await opening).toMatchObject({ code: rpcCodes.refused });
  await expect(operator.open(['cat'], { shell: true })).rejects.toMatchObject({ code: rpcCodes.refused });
});

test('a program that broke the protocol and ignores SIGTERM is gone before its successor starts', async () => {
  const host = await TestHost.start({ limits: { terminateMs: 300 } });
  const operator = await host.operator();
  const answer = (id: number, result: object) => `echo '${JSON.stringify({ jsonrpc: '2.0', id, result })}'`;
  const descriptor = { protocol: 3, kind: 'k', title: 't', description: '', revision: 'a', tools: [] };
  const script =
    `trap "" TERM; read l; ${answer(1, descriptor)}; read l; ${answer(2, { seq: 0, data: 1 })}; ` +
    'while [ ! -e "$1" ]; do sleep 0.02; done; rm "$1"; echo rubbish; sleep 60';
  const flag = `${host.directory}/flag`;
  const { instance } = await operator.open(['/bin/sh', '-c', script, 'sh', flag]);
  const pid = (await operator.instance(instance))?.pid ?? 0;
  const { writeFileSync } = await import('node:fs');
  writeFileSync(flag, '');
  await until(
    'it has broken the protocol',
    async () => (await operator.instance(instance))?.status === 'ended',
  );
  await operator.client.request(operatorApi.restart, { instance });
  expect(alive(pid)).toBe(false);
  expect(await operator.instance(instance)).toMatchObject({ status: 'running' });
});
