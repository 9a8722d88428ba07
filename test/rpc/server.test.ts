import { afterEach, expect, it } from 'vitest';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { type RawClient, SmallHost, smallApi } from './small-host.ts';

let host: SmallHost;
afterEach(() => host.stop());

async function greeted(options: Parameters<typeof SmallHost.start>[0] = {}): Promise<RawClient> {
  host = await SmallHost.start(options);
  const raw = await host.raw();
  raw.request(0, 'hello', { name: 'raw' });
  expect(await raw.next()).toEqual({ jsonrpc: '2.0', id: 0, result: {} });
  return raw;
}

const refusal = (id: unknown, code: number) => ({ jsonrpc: '2.0', id, error: { code } });

it.each<[string, string, unknown, number]>([
  ['bad JSON', '{', null, rpcCodes.parse],
  ['an empty line', '', null, rpcCodes.parse],
  ['two values', '{} {}', null, rpcCodes.parse],
  ['a byte-order mark', '\uFEFF{}', null, rpcCodes.parse],
  ['a lone surrogate', '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', null, rpcCodes.parse],
  [
    'a number beyond all range',
    '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":1e999}}',
    null,
    rpcCodes.parse,
  ],
  ['deep nesting', '['.repeat(100_000), null, rpcCodes.parse],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"echo"}]', null, rpcCodes.invalidRequest],
  ['null', 'null', null, rpcCodes.invalidRequest],
  ['a text', '"echo"', null, rpcCodes.invalidRequest],
  ['no version', '{"id":1,"method":"echo"}', 1, rpcCodes.invalidRequest],
  ['no method', '{"jsonrpc":"2.0","id":1}', 1, rpcCodes.invalidRequest],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}', 1, rpcCodes.invalidRequest],
  ['the id null', '{"jsonrpc":"2.0","id":null,"method":"echo"}', null, rpcCodes.invalidRequest],
  ['an id with decimals', '{"jsonrpc":"2.0","id":1.5,"method":"echo"}', null, rpcCodes.invalidRequest],
  ['a list as id', '{"jsonrpc":"2.0","id":[1],"method":"echo"}', null, rpcCodes.invalidRequest],
  [
    'an id too long',
    `{"jsonrpc":"2.0","id":"${'x'.repeat(129)}","method":"echo"}`,
    null,
    rpcCodes.invalidRequest,
  ],
  ['an unknown method', '{"jsonrpc":"2.0","id":"a","method":"decide"}', 'a', rpcCodes.unknownMethod],
  ['a method of every object', '{"jsonrpc":"2.0","id":1,"method":"constructor"}', 1, rpcCodes.unknownMethod],
  [
    'a notification asked as a request',
    '{"jsonrpc":"2.0","id":1,"method":"tell"}',
    1,
    rpcCodes.unknownMethod,
  ],
  ['missing params', '{"jsonrpc":"2.0","id":1,"method":"echo"}', 1, rpcCodes.invalidParams],
  [
    'params of the wrong type',
    '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":1}}',
    1,
    rpcCodes.invalidParams,
  ],
  ['a list as params', '{"jsonrpc":"2.0","id":1,"method":"echo","params":[]}', 1, rpcCodes.invalidParams],
])('refuses %s, and goes on', async (_what, line, id, code) => {
  const raw = await greeted();
  raw.send(line);
  raw.request(2, 'echo', { text: 'still here' });
  expect(await raw.next()).toMatchObject(refusal(id, code));
  expect(await raw.next()).toMatchObject({ id: 2, result: { text: 'still here' } });
  expect(host.bugs).toEqual([]);
});

it('refuses bytes that are not UTF-8', async () => {
  const raw = await greeted();
  raw.socket.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
  expect(await raw.next()).toMatchObject(refusal(null, rpcCodes.parse));
});

it('ignores answers, since it asked nothing', async () => {
  const raw = await greeted();
  raw.send(
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } },
  );
  raw.request(2, 'echo', { text: 'next' });
  expect(await raw.next()).toMatchObject({ id: 2 });
});

it('survives a line that is too long, and says what became of it', async () => {
  const raw = await greeted({ lineBytes: 1_000 });
  raw.request(1, 'echo', { text: 'x'.repeat(200_000) });
  raw.request(2, 'echo', { text: 'short' });
  expect(await raw.next()).toMatchObject(refusal(null, rpcCodes.limit));
  expect(await raw.next()).toMatchObject({ id: 2, result: { text: 'short' } });
});

it('refuses everything before hello, and keeps what comes right behind it', async () => {
  host = await SmallHost.start();
  const raw = await host.raw();
  raw.request(1, 'echo', { text: 'a' });
  raw.send({ jsonrpc: '2.0', method: 'tell', params: { word: 'early' } });
  raw.request(2, 'hello', {});
  raw.request(3, 'hello', { name: 'raw' });
  raw.send({ jsonrpc: '2.0', method: 'tell', params: { word: 'behind' } });
  raw.request(4, 'echo', { text: 'b' });
  expect(await raw.next()).toMatchObject(refusal(1, rpcCodes.invalidRequest));
  expect(await raw.next()).toMatchObject(refusal(2, rpcCodes.invalidParams));
  expect(await raw.next()).toMatchObject({ id: 3, result: {} });
  expect(await raw.next()).toMatchObject({ id: 4, result: { text: 'b' } });
  expect(host.first.words).toEqual(['behind']);
});

it('refuses an id that is still unanswered, and takes it again afterwards', async () => {
  const raw = await greeted();
  raw.request('w', 'wait');
  raw.request('w', 'wait');
  expect(await raw.next()).toMatchObject(refusal('w', rpcCodes.invalidRequest));
  expect(host.first.waiting).toBe(1);
  raw.send({ jsonrpc: '2.0', method: 'cancel', params: { id: 'w' } });
  expect(await raw.next()).toMatchObject({ id: 'w', result: { cancelled: true } });
  raw.request('w', 'echo', { text: 'again' });
  expect(await raw.next()).toMatchObject({ id: 'w', result: { text: 'again' } });
});

it('limits the requests in flight', async () => {
  const raw = await greeted({ requestsInFlight: 2 });
  for (const id of [1, 2, 3]) raw.request(id, 'wait');
  expect(await raw.next()).toMatchObject(refusal(3, rpcCodes.limit));
  expect(host.first.waiting).toBe(2);
});

it('cancels the one request that is named, and none for an unknown id', async () => {
  const raw = await greeted();
  raw.request(1, 'wait');
  raw.request('1', 'wait');
  raw.send({ jsonrpc: '2.0', method: 'cancel', params: { id: 99 } });
  raw.send({ jsonrpc: '2.0', method: 'cancel', params: { id: '1' } });
  expect(await raw.next()).toMatchObject({ id: '1' });
  expect(host.first).toMatchObject({ waiting: 1, aborted: 1 });
});

it('aborts what is unanswered when the connection ends', async () => {
  const raw = await greeted();
  raw.request(1, 'wait');
  raw.request(2, 'wait');
  await expect.poll(() => host.first.waiting).toBe(2);
  raw.socket.destroy();
  await expect.poll(() => host.first.closed).toBe(true);
  expect(host.first).toMatchObject({ waiting: 0, aborted: 2 });
});

it('answers with the code and data of a refusal, and hides the detail of a bug', async () => {
  const raw = await greeted();
  raw.request(1, 'refuse');
  raw.request(2, 'fail');
  expect(await raw.next()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: rpcCodes.changed, message: 'Look again.', data: { digest: 'b' } },
  });
  const failed = await raw.next();
  expect(failed).toMatchObject(refusal(2, rpcCodes.internal));
  expect(JSON.stringify(failed)).not.toContain('secret');
  expect(host.bugs).toMatchObject([{ message: 'secret detail' }]);
});

it('drops notifications that do not fit', async () => {
  const raw = await greeted();
  raw.send({ jsonrpc: '2.0', method: 'tell', params: { word: 7 } });
  raw.send({ jsonrpc: '2.0', method: 'told', params: { word: 'not yours' } });
  raw.send({ jsonrpc: '2.0', method: 'nobody' });
  raw.send({ jsonrpc: '2.0', method: 'tell', params: { word: 'fits' } });
  raw.request(1, 'echo', { text: 'x' });
  expect(await raw.next()).toMatchObject({ id: 1 });
  expect(host.first.words).toEqual(['fits']);
});

it('knows a client that does not read, and when it reads again', async () => {
  const raw = await greeted({ congestedBytes: 10_000 });
  const { outlet } = host.first;
  expect(outlet.congested).toBe(false);
  raw.socket.pause();
  let sent = 0;
  for (; !outlet.congested; sent++) outlet.notify(smallApi.told, { word: 'x'.repeat(50_000) });
  let drained = false;
  outlet.whenDrained(() => {
    drained = true;
  });
  raw.request(1, 'echo', { text: 'the host still hears it' });
  raw.socket.resume();
  for (let received = 0; received < sent; received++) {
    expect(await raw.next()).toMatchObject({ method: 'told' });
  }
  await expect.poll(() => drained).toBe(true);
  expect(outlet.congested).toBe(false);
  expect(await raw.next()).toMatchObject({ id: 1 });
});

it('cuts off a client that asks and never reads', async () => {
  const raw = await greeted({ abandonedBytes: 100_000 });
  raw.socket.pause();
  raw.request(1, 'wait');
  await expect.poll(() => host.first.waiting).toBe(1);
  const { outlet } = host.first;
  for (let sent = 0; sent < 100; sent++) outlet.notify(smallApi.told, { word: 'x'.repeat(50_000) });
  await expect.poll(() => host.first.closed).toBe(true);
  expect(host.first.aborted).toBe(1);
  outlet.notify(smallApi.told, { word: 'nobody hears it' });
  expect(host.bugs).toEqual([]);
});

it('gives others their turn while one client sends much at once', async () => {
  const raw = await greeted();
  const other = await host.raw();
  other.request(0, 'hello', { name: 'other' });
  await other.next();
  // Enough for many turns of 4 ms, and unparseable, so that nothing but reading takes time.
  const garbage = `${'[1,'.repeat(60_000)}\n`;
  raw.socket.write(garbage.repeat(120));
  raw.request(1, 'echo', { text: 'behind it' });
  other.request(1, 'echo', { text: 'beside it' });
  const order: string[] = [];
  const behind = (async () => {
    for (;;) {
      const answer = (await raw.next()) as { id: unknown };
      if (answer.id !== 1) continue;
      order.push('behind');
      return;
    }
  })();
  await other.next();
  order.push('beside');
  await behind;
  expect(order).toEqual(['beside', 'behind']);
});
