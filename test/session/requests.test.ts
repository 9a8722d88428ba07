import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultLimits } from '../../src/protocol/limits.ts';
import { Requests, type Settlement } from '../../src/session/requests.ts';
import { readyTick } from '../support/scripted-tick.ts';

const call = { tool: 'set', argsText: '{}', revision: 'a' };

afterEach(() => {
  vi.useRealTimers();
});

describe('requests in flight', () => {
  it('H-3.3-2: never more than 8, the ninth waits', async () => {
    expect(defaultLimits.requestsInFlight).toBe(8);
    const tick = await readyTick();
    const reads = Array.from({ length: 9 }, () => tick.session.read());
    await tick.request(10);
    await tick.handled();
    expect(tick.requests).toHaveLength(10);
    expect(tick.session.requestsInFlight).toBe(8);
    tick.result(5, { seq: 1, data: 1 });
    await tick.request(11);
    for (let id = 3; id <= 11; id++) tick.result(id, { seq: 1, data: 1 });
    for (const read of reads) expect(await read).toMatchObject({ ok: true });
  });

  it('at most 6 of them are calls, and describe and read go ahead of calls that wait', async () => {
    expect(defaultLimits.callsInFlight).toBe(6);
    const tick = await readyTick();
    const calls = Array.from({ length: 8 }, () => tick.session.call(call));
    void tick.session.describe();
    void tick.session.read();
    void tick.session.read();
    await tick.request(10);
    await tick.handled();
    const methods = () => tick.requests.slice(2).map(({ method }) => method.slice(5));
    expect(methods()).toEqual([...Array(6).fill('call'), 'describe', 'read']);
    // A call is answered: the read that waits comes first, and then there is no slot for a call.
    tick.result(3, 1);
    await tick.request(11);
    tick.result(4, 1);
    await tick.request(12);
    expect(methods().slice(8)).toEqual(['read', 'call']);
    expect(await calls[0]).toMatchObject({ outcome: 'succeeded' });
  });

  it('H-3.3-1: a request is sent while earlier ones are unanswered', async () => {
    const tick = await readyTick();
    void tick.session.call(call);
    void tick.session.read();
    expect((await tick.request(4)).method).toBe('tick/read');
  });

  it('H-3.3-3: answers are matched by id, in any order', async () => {
    const tick = await readyTick();
    const calls = [1, 2, 3].map(() => tick.session.call(call));
    await tick.request(5);
    for (const id of [5, 3, 4]) tick.result(id, `for ${id}`);
    expect(await Promise.all(calls)).toEqual(
      [3, 4, 5].map((id) => ({ outcome: 'succeeded', result: `for ${id}` })),
    );
  });

  it('H-3.2-4: ids count up and none is used twice', async () => {
    const tick = await readyTick();
    for (let number = 3; number < 30; number++) {
      const outcome = tick.session.call(call);
      tick.result((await tick.request(number)).id, 1);
      await outcome;
    }
    expect(tick.requests.map(({ id }) => id)).toEqual(Array.from({ length: 29 }, (_, i) => i + 1));
  });

  it('H-3.2-3: the host sends requests only, each with jsonrpc, id, method and params', async () => {
    const tick = await readyTick();
    void tick.session.call(call);
    tick.update(1);
    tick.write({ jsonrpc: '2.0', id: 9, method: 'ask' });
    await tick.handled();
    for (const { text } of tick.requests) {
      expect(Object.keys(JSON.parse(text))).toEqual(['jsonrpc', 'id', 'method', 'params']);
    }
    expect(tick.requests).toHaveLength(3);
  });

  it('H-4.3-1: no request carries a version', async () => {
    const tick = await readyTick();
    void tick.session.call(call);
    await tick.request(3);
    for (const { params } of tick.requests) expect(params).not.toHaveProperty('protocol');
    expect(tick.requests.map(({ params }) => Object.keys(params))).toEqual([
      [],
      [],
      ['tool', 'args', 'revision'],
    ]);
  });

  it('a describe or read is given up after 10 s, and its slot is free again', async () => {
    expect(defaultLimits.queryMs).toBe(10_000);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const tick = await readyTick({ requestsInFlight: 1 });
    const settled: unknown[] = [];
    void tick.session.read().then((result) => settled.push(result));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual([{ ok: false, reason: 'tick/read was not answered within 10 s.' }]);
    const described = tick.session.describe();
    await tick.request(4);
    tick.result(3, { seq: 1, data: 'late' });
    await tick.handled();
    tick.error(4, -32603, 'not now');
    expect(await described).toEqual({
      ok: false,
      reason: 'The Tick answered tick/describe with error -32603: not now',
    });
    expect(tick.session.latest?.state.seq).toBe(0);
  });
});

describe('a Tick that does not read', () => {
  /** Requests to a pipe that holds next to nothing and that nobody empties. */
  function blocked(limits = {}) {
    const stdin = new PassThrough({ highWaterMark: 100 });
    const requests = new Requests(stdin, { ...defaultLimits, ...limits });
    const settled: Settlement[] = [];
    const sent: string[] = [];
    const ask = (name: string, bytes = 200, patience = 10_000) =>
      requests.ask({
        kind: 'call',
        method: name,
        params: `"${'x'.repeat(bytes)}"`,
        patience,
        onSent: () => sent.push(name),
        onSettled: (settlement) => settled.push(settlement),
      });
    return { stdin, requests, settled, sent, ask };
  }

  it('is handed no more once its pipe is full; the rest waits, and goes when there is room', async () => {
    const { stdin, sent, ask } = blocked();
    for (const name of ['a', 'b', 'c']) ask(name);
    expect(sent).toEqual(['a']);
    const received: string[] = [];
    stdin.setEncoding('utf8').on('data', (text: string) => received.push(text));
    await expect.poll(() => received.join('').match(/"method":"."/g)).toHaveLength(3);
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  it('costs no more memory however often it is asked, and every request ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { stdin, requests, settled, ask } = blocked();
    for (let round = 0; round < 50; round++) {
      for (let i = 0; i < 4; i++) ask('a', 10_000);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    // The longest way: it waits for its full time, and is then given its full time to be answered.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(settled).toHaveLength(200);
    expect(settled.filter(({ how }) => how === 'lost')).toHaveLength(1);
    expect(stdin.writableLength + stdin.readableLength).toBeLessThan(25_000);
    expect(requests.inFlight).toBe(0);
  });

  it('makes callers hear that too much waits, in number and in bytes', () => {
    const many = blocked();
    for (let i = 0; i < 66; i++) many.ask('a');
    expect(many.settled).toHaveLength(1);
    expect(many.settled[0]).toMatchObject({
      how: 'unsent',
      reason: /Too many requests/ as unknown as string,
    });
    const large = blocked({ lineBytes: 1000 });
    for (let i = 0; i < 4; i++) large.ask('a', 800);
    expect(large.settled).toHaveLength(1);
  });

  it('that closes its input: what waits was never sent, what was being written is unknown', async () => {
    const { stdin, settled, ask } = blocked();
    ask('a');
    ask('b');
    stdin.destroy(new Error('EPIPE'));
    await expect.poll(() => settled.map(({ how }) => how).sort()).toEqual(['lost', 'unsent']);
    ask('c');
    expect(settled[2]).toMatchObject({
      how: 'unsent',
      reason: /closed its standard input/ as unknown as string,
    });
  });
});
