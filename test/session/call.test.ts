import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultLimits } from '../../src/protocol/limits.ts';
import { readyTick, ScriptedTick } from '../support/scripted-tick.ts';

const call = { tool: 'set', argsText: '{}', revision: 'a' };

async function outcomeOfError(code: number) {
  const tick = await readyTick();
  const outcome = tick.session.call(call);
  tick.error((await tick.request(3)).id, code, 'because');
  return outcome;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the line of a call', () => {
  it('H-7.1-1: carries tool, arguments byte for byte, and the revision of the approval', async () => {
    const tick = await readyTick();
    const argsText = '{ "b":1.50,\t"a":"é\\u00e9\u2028", "big":12345678901234567890}';
    void tick.session.call({ tool: 'set "it"', argsText, revision: 'é\n' });
    expect((await tick.request(3)).text).toBe(
      `{"jsonrpc":"2.0","id":3,"method":"tick/call","params":{"tool":"set \\"it\\"","args":${argsText},"revision":"é\\n"}}`,
    );
  });

  it('is handed to the pipe in one write, before call() returns, and onSent says so', async () => {
    const tick = await readyTick();
    const write = vi.spyOn(tick.stdin, 'write');
    const sent: number[] = [];
    void tick.session.call({ ...call, onSent: () => sent.push(write.mock.calls.length) });
    expect(sent).toEqual([1]);
    expect(String(write.mock.calls[0]![0])).toMatch(/^\{.*\}\n$/);
  });

  it.each([
    '',
    '[]',
    'null',
    '{',
    '{"a":1}{}',
    '{"a":\n1}',
    '{"a":NaN}',
    '{"a":"\ud800"}',
    '{"a":"\\ud800"}',
  ])('H-3.2-5: the arguments %j are refused, since the Tick could not read the line', async (argsText) => {
    const tick = await readyTick();
    expect(await tick.session.call({ ...call, argsText })).toMatchObject({ outcome: 'refused' });
    expect(tick.requests).toHaveLength(2);
  });

  it('is refused above 8 MiB, exactly 8 MiB is sent', async () => {
    const tick = await readyTick();
    void tick.session.call(call);
    const { text } = await tick.request(3);
    const room = defaultLimits.lineBytes - text.length - '"a":""'.length;
    const argsText = (bytes: number) => `{"a":"${'x'.repeat(bytes)}"}`;
    const refused = await tick.session.call({ ...call, argsText: argsText(room + 1) });
    expect(refused).toMatchObject({ outcome: 'refused' });
    void tick.session.call({ ...call, argsText: argsText(room) });
    expect((await tick.request(4)).text).toHaveLength(8_388_608);
  });

  it('is refused before the Tick is ready', async () => {
    const tick = new ScriptedTick();
    expect(await tick.session.call(call)).toMatchObject({ outcome: 'refused' });
    void tick.session.initialize();
    await tick.request(1);
    expect(await tick.session.call(call)).toMatchObject({ outcome: 'refused' });
  });
});

describe('the outcome of a call', () => {
  it.each([null, false, 0, '', [], { error: 1 }])('succeeded with result %j', async (result) => {
    const tick = await readyTick();
    const outcome = tick.session.call(call);
    tick.result((await tick.request(3)).id, result);
    expect(await outcome).toEqual({ outcome: 'succeeded', result });
  });

  it.each([-32004, -32602, -32601])('H-3.4-1: error %i: not executed', async (code) => {
    expect(await outcomeOfError(code)).toEqual({
      outcome: 'failed',
      effect: 'none',
      error: { code, message: 'because' },
    });
  });

  it.each([-32000, -32603, -32600, -32700, -32001, 1, 0])(
    'H-3.4-1: error %i: maybe executed',
    async (code) => {
      expect(await outcomeOfError(code)).toMatchObject({ outcome: 'failed', effect: 'possible' });
    },
  );

  it('passes the detail of an error on', async () => {
    const tick = await readyTick();
    const outcome = tick.session.call(call);
    await tick.request(3);
    tick.write({ jsonrpc: '2.0', id: 3, error: { code: -32000, message: 'm', data: [null], more: 1 } });
    expect(await outcome).toMatchObject({ error: { code: -32000, message: 'm', data: [null] } });
  });

  it('H-7.3-1: unknown after 60 s, counted from the write', async () => {
    expect(defaultLimits.callMs).toBe(60_000);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const tick = await readyTick({ callsInFlight: 1 });
    const settled: string[] = [];
    const ask = (name: string) =>
      tick.session.call(call).then(({ outcome }) => settled.push(`${name} ${outcome}`));
    void ask('first');
    await vi.advanceTimersByTimeAsync(30_000);
    void ask('second');
    await vi.advanceTimersByTimeAsync(29_999);
    expect(settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual(['first unknown']);
    // The second waited 30 s for its slot, and has its full 60 s from then on.
    await vi.advanceTimersByTimeAsync(59_999);
    expect(settled).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual(['first unknown', 'second unknown']);
  });

  it('H-7.3-2: a late answer is dropped and alters no outcome', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const tick = await readyTick();
    const first = tick.session.call(call);
    await vi.advanceTimersByTimeAsync(61_000);
    const second = tick.session.call(call);
    await tick.request(4);
    tick.result(3, 'late');
    await tick.handled();
    tick.result(4, 'in time');
    expect(await first).toMatchObject({ outcome: 'unknown' });
    expect(await second).toEqual({ outcome: 'succeeded', result: 'in time' });
  });

  it('H-7.3-3: nothing is ever sent again, whatever became of a call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const tick = await readyTick();
    for (const [i, code] of [-32004, -32602, -32000, 7].entries()) {
      const outcome = tick.session.call(call);
      tick.error((await tick.request(3 + i)).id, code);
      await outcome;
    }
    const lost = tick.session.call(call);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await lost).toMatchObject({ outcome: 'unknown' });
    const inFlight = tick.session.call(call);
    await tick.request(8);
    tick.write('broken');
    expect(await inFlight).toMatchObject({ outcome: 'unknown' });
    await vi.advanceTimersByTimeAsync(120_000);
    // Two of initialization, and one a call.
    expect(tick.requests.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('H-4.5-4: unknown when the Tick exits, and the session is over', async () => {
    const tick = await readyTick();
    const outcome = tick.session.call(call);
    await tick.request(3);
    tick.stdout.end();
    expect(await tick.ended()).toEqual({ reason: 'exit', message: 'The Tick has ended.' });
    expect(await outcome).toEqual({ outcome: 'unknown', reason: 'The Tick has ended.' });
    expect(await tick.session.call(call)).toMatchObject({ outcome: 'refused' });
  });
});
