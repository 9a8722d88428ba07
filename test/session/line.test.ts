import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/protocol/limits.ts';
import { readyTick } from '../support/scripted-tick.ts';

const call = { tool: 'set', argsText: '{}', revision: 'a' };

/** What a session makes of this output while a call is in flight. */
async function violation(output: string | Buffer, close = false) {
  const tick = await readyTick({ lineBytes: 4096 });
  const outcome = tick.session.call(call);
  await tick.request(3);
  tick.stdout.write(output);
  if (close) tick.stdout.end();
  const end = await tick.ended();
  expect(end.reason).toBe('violation');
  expect(await outcome).toEqual({ outcome: 'unknown', reason: end.message });
  return end.requirement;
}

const response = (members: object) => ({ jsonrpc: '2.0', id: 3, ...members });

describe('violations', () => {
  it.each([
    ['text', 'Loading…\n'],
    ['an empty line', '\n'],
    ['NaN', '{"jsonrpc":"2.0","id":3,"result":NaN}\n'],
    ['a byte-order mark', '\uFEFF{"jsonrpc":"2.0","id":3,"result":1}\n'],
    ['a lone surrogate', '{"jsonrpc":"2.0","id":3,"result":"\\ud800"}\n'],
    ['two values', '{"jsonrpc":"2.0","id":3,"result":1}{}\n'],
    ['bytes that are not UTF-8', Buffer.from('{"jsonrpc":"2.0","id":3,"result":"\xff"}\n', 'latin1')],
    ['a batch', '[{"jsonrpc":"2.0","id":3,"result":1}]\n'],
    ['a string', '"x"\n'],
    ['null', 'null\n'],
    ['no jsonrpc', '{"id":3,"result":1}\n'],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":3,"result":1}\n'],
    ['jsonrpc as a number', '{"jsonrpc":2.0,"id":3,"result":1}\n'],
  ])('H-3.6-1a: %s', async (_, output) => {
    expect(await violation(output)).toBe('H-3.6-1a');
  });

  it.each(['null', '"3"', '3.5', 'true', '{}', '9007199254740992'])(
    'H-3.6-1b: a response with id %s',
    async (id) => {
      expect(await violation(`{"jsonrpc":"2.0","id":${id},"result":1}\n`)).toBe('H-3.6-1b');
    },
  );

  it('H-3.6-1b: neither id nor method, or a method that is not a string', async () => {
    expect(await violation('{"jsonrpc":"2.0","result":1}\n')).toBe('H-3.6-1b');
    expect(await violation('{"jsonrpc":"2.0","method":7}\n')).toBe('H-3.6-1b');
  });

  it('H-3.6-1c: output that ends without a newline', async () => {
    expect(await violation('{"jsonrpc":"2.0","id":3,"result":1}', true)).toBe('H-3.6-1c');
  });

  it('H-3.6-1d: a line beyond the limit, even before its newline arrives', async () => {
    expect(await violation('x'.repeat(4097))).toBe('H-3.6-1d');
  });

  it('H-3.6-1d: 8 MiB exactly are taken, one byte more is not', async () => {
    expect(defaultLimits.lineBytes).toBe(8_388_608);
    const line = (bytes: number) => {
      const start = '{"jsonrpc":"2.0","id":3,"result":"';
      return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
    };
    const tick = await readyTick();
    const outcome = tick.session.call(call);
    await tick.request(3);
    tick.write(line(8_388_608));
    expect(await outcome).toMatchObject({ outcome: 'succeeded' });
    tick.write(line(8_388_609));
    expect(await tick.ended()).toMatchObject({ reason: 'violation', requirement: 'H-3.6-1d' });
  });

  it.each([
    ['null data', { seq: 5, data: null }],
    ['no data', { seq: 5 }],
    ['an equal seq', { seq: 4, data: 1 }],
    ['a lower seq', { seq: 3, data: 1 }],
    ['no seq', { data: 1 }],
    ['a negative seq', { seq: -1, data: 1 }],
    ['a fractional seq', { seq: 5.5, data: 1 }],
    ['a seq beyond 2^53-1', { seq: 2 ** 53, data: 1 }],
    ['a bad at', { seq: 5, data: 1, at: '2026-02-30T00:00:00Z' }],
    ['at with a space', { seq: 5, data: 1, at: '2026-02-03 00:00:00Z' }],
    ['at null', { seq: 5, data: 1, at: null }],
    ['too many bytes', { seq: 5, data: 'x'.repeat(82) }],
    ['params that are a list', [5]],
    ['no params', undefined],
  ])('H-3.6-1e: an update with %s', async (_, params) => {
    const tick = await readyTick({ updateBytes: 100 });
    tick.update(4, 'fine');
    await tick.handled();
    tick.write({ jsonrpc: '2.0', method: 'tick/update', params });
    expect(await tick.ended()).toMatchObject({ reason: 'violation', requirement: 'H-3.6-1e' });
    expect(tick.session.latest?.state).toEqual({ seq: 4, data: 'fine' });
  });

  it('H-3.6-1e: 512 KiB exactly are taken, one byte more is not', async () => {
    expect(defaultLimits.updateBytes).toBe(524_288);
    const empty = JSON.stringify({ seq: 1, data: '' }).length;
    const tick = await readyTick();
    tick.update(1, 'x'.repeat(524_288 - empty));
    await tick.handled();
    tick.update(2, 'x'.repeat(524_289 - empty));
    expect((await tick.ended()).requirement).toBe('H-3.6-1e');
    expect(tick.session.updatesReceived).toBe(1);
  });

  it('H-3.6-1: everything is settled as unknown, and nothing is taken or sent any more', async () => {
    const tick = await readyTick();
    const outcomes = [1, 2, 3].map(() => tick.session.call(call));
    const read = tick.session.read();
    await tick.request(6);
    tick.write('oops', { jsonrpc: '2.0', id: 3, result: 1 });
    tick.update(9);
    const end = await tick.ended();
    expect(end.message).toContain('The line begins "oops"');
    for (const outcome of outcomes)
      expect(await outcome).toEqual({ outcome: 'unknown', reason: end.message });
    expect(await read).toEqual({ ok: false, reason: end.message, requirement: 'H-3.6-1a' });
    expect(tick.updates).toEqual([]);
    expect(await tick.session.call(call)).toEqual({ outcome: 'refused', reason: end.message });
    expect(await tick.session.read()).toMatchObject({ ok: false, reason: end.message });
    expect(tick.session.state).toBe('over');
    expect(tick.requests).toHaveLength(6);
  });
});

describe('only the request fails', () => {
  async function failure(line: object | string, limits = {}) {
    const tick = await readyTick(limits);
    const outcome = tick.session.call(call);
    await tick.request(3);
    tick.write(line);
    const settled = await outcome;
    await tick.handled();
    return settled;
  }

  it.each([
    ['both result and error', { result: 1, error: { code: -32602, message: 'no' } }],
    ['result and an error of null', { result: 1, error: null }],
    ['neither', {}],
  ])('H-3.6-2a: %s', async (_, members) => {
    expect(await failure(response(members))).toMatchObject({ outcome: 'failed', effect: 'possible' });
  });

  it.each([null, 'no', { code: -32602 }, { code: '-32602', message: 'no' }, { code: 1.5, message: 'no' }])(
    'an error of %j may have had an effect',
    async (error) => {
      const outcome = await failure(response({ error }));
      expect(outcome).toMatchObject({ outcome: 'failed', effect: 'possible' });
      expect(outcome).not.toHaveProperty('error.code');
    },
  );

  it('H-3.6-2c: a result that re-encodes above the limit', async () => {
    expect(defaultLimits.resultBytes).toBe(8_388_608);
    const limits = { resultBytes: 1000 };
    expect(await failure(response({ result: 'x'.repeat(998) }), limits)).toMatchObject({
      outcome: 'succeeded',
    });
    expect(await failure(response({ result: 'x'.repeat(999) }), limits)).toMatchObject({
      outcome: 'failed',
      effect: 'possible',
    });
  });

  it('H-3.5-1: sizes are those of the re-encoded value', async () => {
    const limits = { resultBytes: 1000 };
    const padded = `{"jsonrpc":"2.0","id":3,"result":[${' '.repeat(2000)}"\\u00e9"]}`;
    expect(await failure(padded, limits)).toEqual({ outcome: 'succeeded', result: ['é'] });
    const growing = `{"jsonrpc":"2.0","id":3,"result":[${Array(60).fill('1e20').join()}]}`;
    expect(await failure(growing, limits)).toMatchObject({ outcome: 'failed' });
  });

  it('H-3.6-3: a response whose id matches nothing in flight is dropped', async () => {
    const tick = await readyTick({ callsInFlight: 1 });
    const first = tick.session.call(call);
    const waiting = tick.session.call(call);
    await tick.request(3);
    for (const id of [0, -3, 1, 2, 4, 99]) tick.result(id, 'wrong');
    await tick.handled();
    tick.result(3, 'right');
    tick.result(3, 'again');
    expect(await first).toEqual({ outcome: 'succeeded', result: 'right' });
    tick.result((await tick.request(4)).id, 'second');
    expect(await waiting).toEqual({ outcome: 'succeeded', result: 'second' });
  });
});

describe('other messages', () => {
  it('H-3.2-1: other notifications and requests of a Tick change nothing', async () => {
    const tick = await readyTick();
    tick.write(
      { jsonrpc: '2.0', method: 'tick/progress', params: { seq: 1, data: 1 } },
      { jsonrpc: '2.0', method: 'log' },
      { jsonrpc: '2.0', id: 3, method: 'tick/update', params: { seq: 7, data: 1 } },
      { jsonrpc: '2.0', id: 'x', method: 'ask' },
    );
    await tick.handled();
    expect(tick.session.updatesReceived).toBe(0);
    expect(tick.requests).toHaveLength(2);
  });

  it('H-3.2-2: ignored messages are counted', async () => {
    const tick = await readyTick();
    tick.write({ jsonrpc: '2.0', method: 'log' }, { jsonrpc: '2.0', method: 'log', id: 5 });
    await tick.handled();
    expect(tick.session.ignoredMessages).toBe(3);
  });

  it('takes null as an id beside a method for none, and 3.0 for 3', async () => {
    const tick = await readyTick();
    const outcome = tick.session.call(call);
    await tick.request(3);
    tick.write('{"jsonrpc":"2.0","id":null,"method":"tick/update","params":{"seq":1,"data":1}}');
    tick.write('{"jsonrpc":"2.0","id":3.0,"result":null}');
    expect(await outcome).toEqual({ outcome: 'succeeded', result: null });
    expect(tick.session.updatesReceived).toBe(1);
  });

  it('takes a line that arrives in pieces, cut within a character', async () => {
    const tick = await readyTick();
    const bytes = Buffer.from(
      '{"jsonrpc":"2.0","method":"tick/update","params":{"seq":1,"data":"é\u2028"}}\r\n',
    );
    for (const byte of bytes) tick.stdout.write(Buffer.of(byte));
    await tick.handled();
    expect(tick.session.latest?.state.data).toBe('é\u2028');
  });
});
