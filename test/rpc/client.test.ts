import { connect as connectSocket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RpcError } from '../../src/rpc/api/errors.ts';
import { Client, ConnectionEnded } from '../../src/rpc/client.ts';
import { serve } from '../../src/rpc/server.ts';
import { connect, streamPair } from '../../src/rpc/socket.ts';
import { SmallHost, smallApi } from './small-host.ts';

let host: SmallHost;
beforeEach(async () => {
  host = await SmallHost.start();
});
afterEach(() => host.stop());

describe('a client', () => {
  it('gets an answer to each of 10,000 requests sent at once', async () => {
    const client = await host.client();
    const texts = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);
    const answers = await Promise.all(texts.map((text) => client.request(smallApi.echo, { text })));
    expect(answers.map((answer) => answer.text)).toEqual(texts);
  });

  it('carries what is long and not ASCII', async () => {
    const client = await host.client();
    const text = '東京 👩‍🚀 \u2028 "\n'.repeat(50_000);
    expect(await client.request(smallApi.echo, { text })).toEqual({ text });
  });

  it('rejects with a typed error when refused', async () => {
    const client = await host.client();
    const error: unknown = await client.request(smallApi.refuse, {}).catch((reason) => reason);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ message: 'Look again.', data: { digest: 'b' } });
    expect((error as RpcError).is('changed')).toBe(true);
    expect((error as RpcError).is('decided')).toBe(false);
  });

  it('cancels by its signal', async () => {
    const client = await host.client();
    const abort = new AbortController();
    const answer = client.request(smallApi.wait, {}, abort.signal);
    await expect.poll(() => host.first.waiting).toBe(1);
    abort.abort();
    expect(await answer).toEqual({ cancelled: true });
  });

  it('asks nothing when its signal has aborted already', async () => {
    const client = await host.client();
    await expect(client.request(smallApi.wait, {}, AbortSignal.abort('late'))).rejects.toBe('late');
    await client.request(smallApi.echo, { text: 'after' });
    expect(host.first).toMatchObject({ waiting: 0, aborted: 0 });
  });

  it('passes notifications both ways, in order, until it no longer listens', async () => {
    const client = await host.client();
    const heard: string[] = [];
    const off = client.on(smallApi.told, ({ word }) => heard.push(word));
    client.notify(smallApi.tell, { word: 'to the host' });
    for (const word of ['one', 'two']) host.first.outlet.notify(smallApi.told, { word });
    await client.request(smallApi.echo, { text: '' });
    expect(heard).toEqual(['one', 'two']);
    expect(host.first.words).toEqual(['to the host']);
    off();
    host.first.outlet.notify(smallApi.told, { word: 'three' });
    await client.request(smallApi.echo, { text: '' });
    expect(heard).toEqual(['one', 'two']);
  });

  it('rejects what is pending, and what is asked later, when the host hangs up', async () => {
    const client = await host.client();
    const pending = client.request(smallApi.wait, {});
    await expect.poll(() => host.first.waiting).toBe(1);
    host.first.outlet.close();
    await expect(pending).rejects.toBeInstanceOf(ConnectionEnded);
    await client.closed;
    await expect(client.request(smallApi.echo, { text: '' })).rejects.toBeInstanceOf(ConnectionEnded);
    client.notify(smallApi.tell, { word: 'into the void' });
  });

  it('withdraws what is pending when it closes', async () => {
    const client = await host.client();
    const abort = new AbortController();
    const pending = client.request(smallApi.wait, {}, abort.signal);
    await expect.poll(() => host.first.waiting).toBe(1);
    client.close();
    abort.abort();
    await expect(pending).rejects.toBeInstanceOf(ConnectionEnded);
    await expect.poll(() => host.first.aborted).toBe(1);
    await client.closed;
  });

  it('hears why it could not connect', async () => {
    await expect(connect(`${host.path}-elsewhere`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('does not stumble over a message it does not know', async () => {
    const [ours, theirs] = streamPair();
    const client = new Client(theirs);
    ours.write('{"jsonrpc":"2.0","method":"error","params":{}}\nnonsense\n');
    ours.write('{"jsonrpc":"2.0","id":77,"result":{}}\n');
    const answer = client.request(smallApi.echo, { text: '' });
    ours.write('{"jsonrpc":"2.0","id":1,"result":{"text":"fine"}}\n');
    expect(await answer).toEqual({ text: 'fine' });
  });

  it('that only half closes counts as gone', async () => {
    const socket = connectSocket({ path: host.path, allowHalfOpen: true });
    socket.end('{"jsonrpc":"2.0","id":1,"method":"hello","params":{"name":"pipe"}}\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(host.first.closed).toBe(true);
    socket.destroy();
  });
});

describe('a connection inside one process', () => {
  it('behaves like a socket', async () => {
    const [ours, theirs] = streamPair();
    let closed = false;
    const handlers = {
      hello: () => ({}),
      echo: ({ text }: { text: string }) => ({ text }),
      wait: () => new Promise<never>(() => {}),
      refuse: () => ({}),
      fail: () => ({}),
      cancel: () => {},
      tell: () => {},
    };
    serve(ours, smallApi, () => ({
      handlers,
      closed: () => {
        closed = true;
      },
    }));
    const client = new Client(theirs);
    await client.request(smallApi.hello, { name: 'inside' });
    const text = 'x'.repeat(500_000);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => client.request(smallApi.echo, { text })),
    );
    expect(answers.every((answer) => answer.text === text)).toBe(true);
    const pending = client.request(smallApi.wait, {});
    client.close();
    await expect(pending).rejects.toBeInstanceOf(ConnectionEnded);
    await client.closed;
    expect(closed).toBe(true);
  });
});
