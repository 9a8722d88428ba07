/** What the Tick protocol asks of every Tick, held against the bundled ones. */
import { describe, expect, test } from 'vitest';
import { parseLine } from '../../src/protocol/json.ts';
import { builtTicks } from '../support/built-ticks.ts';
import { TickProcess, until } from '../support/tick-process.ts';

const built = await builtTicks();

interface Sample {
  name: 'counter' | 'market' | 'note';
  kind: string;
  /** Calls that succeed, and one whose arguments do not fit. */
  mutating: { tool: string; args: object };
  query: { tool: string; args: object };
  unfit: { tool: string; args: object };
  /** Keys of a person that change the business state once. */
  changing: string;
  /** Keys that only move something on the screen, or nothing at all. */
  passive: string;
  /** Something on the screen from the start. */
  shown: string;
  /** Something on the screen after forty changes by keys. */
  afterMany: string;
}

const samples: Sample[] = [
  {
    name: 'counter',
    kind: 'example.counter',
    mutating: { tool: 'add', args: { amount: 2 } },
    query: { tool: 'history', args: { limit: 5 } },
    unfit: { tool: 'add', args: { amount: 'two' } },
    changing: '+',
    passive: 'zq\x1b[C\x1b[5;5~\x03',
    shown: 'Counter',
    afterMany: '40 changes',
  },
  {
    name: 'market',
    kind: 'example.market',
    mutating: { tool: 'place_order', args: { side: 'buy', qty: 10, price: 1, note: 'dip \u001b[2J' } },
    query: { tool: 'candles', args: { count: 3 } },
    unfit: { tool: 'place_order', args: { side: 'buy', qty: 501, price: 1 } },
    changing: '\r',
    passive: '+-\x1b[A\x1b[B\x1b[C\x1bOD=bs\twzq\x03b',
    shown: 'ACME',
    afterMany: '8 orders are open',
  },
  {
    name: 'note',
    kind: 'example.note',
    mutating: { tool: 'add_note', args: { text: 'milk 牛乳 \ud83e\udd5b' } },
    query: { tool: 'list_notes', args: { search: 'milk' } },
    unfit: { tool: 'add_note', args: { text: '' } },
    changing: 'abread\r',
    passive: '\x1b[A\x1b[Bzq\x03',
    shown: 'Notes',
    afterMany: '40 notes',
  },
];

describe.each(samples)('$name', (sample) => {
  const start = (options = {}) => TickProcess.start(built[sample.name], options);

  test('T-4.3-1, T-5.4-1, T-5.6-1, T-9-1: its descriptor is one a host accepts', async () => {
    const tick = await start();
    const descriptor = await tick.describe();
    expect(descriptor).toMatchObject({ protocol: 3, kind: sample.kind });
    expect(descriptor.title.trim()).not.toBe('');
    expect(descriptor.revision).not.toBe('');
    const mutates = Object.fromEntries(descriptor.tools.map((tool) => [tool.name, tool.mutates]));
    expect(mutates).toMatchObject({ [sample.mutating.tool]: true, [sample.query.tool]: false });
    if (descriptor.recover_with !== undefined) expect(mutates[descriptor.recover_with]).toBe(false);
    const { data } = await tick.read();
    for (const { path } of descriptor.state?.series ?? []) {
      expect((data as Record<string, unknown>)[path.slice(1)]).toBeInstanceOf(Array);
    }
  });

  test('T-7.2-5, T-8.1-1: a call and a key alike announce the whole state that follows them', async () => {
    const tick = await start();
    await tick.shows(sample.shown);
    const called = await tick.call(sample.mutating.tool, sample.mutating.args);
    expect(called.error).toBeUndefined();
    await until('an update', () => tick.updates.length === 1);
    tick.type(sample.changing);
    await until('a second update', () => tick.updates.length === 2);
    expect(tick.updates[1]).toEqual(await tick.read());
    expect(Object.keys(tick.updates[1]?.data ?? {})).toEqual(Object.keys(tick.updates[0]?.data ?? {}));
  });

  test('T-6.3-2, T-8.2-1b: no read and no update goes back in number', async () => {
    const tick = await start();
    const { revision } = await tick.describe();
    for (let n = 0; n < 20; n += 1) {
      tick.send('tick/call', { ...sample.query, revision });
      tick.send('tick/call', { ...sample.mutating, revision });
      await tick.read();
      if (n % 5 === 0) tick.type(sample.changing);
    }
    await tick.read();
    let lastUpdate = -1;
    let lastSeq = 0;
    for (const { params, result } of tick.messages) {
      const seq = (params ?? (result as { seq?: number } | null))?.seq;
      if (seq === undefined) continue;
      expect(seq).toBeGreaterThanOrEqual(lastSeq);
      if (params) expect(seq).toBeGreaterThan(lastUpdate);
      if (params) lastUpdate = seq;
      lastSeq = seq;
    }
    expect(lastUpdate).toBeGreaterThan(0);
  });

  test('T-7.2-1: a stale revision comes before an unknown tool', async () => {
    const tick = await start();
    const answer = await tick.request('tick/call', { tool: 'nothing', args: {}, revision: 'old' });
    expect(answer.error?.code).toBe(-32004);
    const none = await tick.request('tick/call', { tool: 'nothing', args: {} });
    expect(none.error?.code).toBe(-32004);
  });

  test('T-3.4-1, T-7.2-2: an unknown tool and unfit arguments change nothing', async () => {
    const tick = await start();
    const before = await tick.read();
    const { revision } = await tick.describe();
    for (const params of [
      { tool: 'nothing', args: {}, revision },
      { tool: 7, args: {}, revision },
      { ...sample.unfit, revision },
      { ...sample.mutating, args: { ...sample.mutating.args, extra: 1 }, revision },
      { tool: sample.mutating.tool, args: [], revision },
      { tool: sample.mutating.tool, args: {}, revision },
    ]) {
      const { error } = await tick.request('tick/call', params);
      expect(error?.code, JSON.stringify(params)).toBe(-32602);
      expect(error?.message).toMatch(/\S/);
    }
    expect(await tick.read()).toEqual(before);
    expect(tick.updates).toEqual([]);
  });

  test('T-3.2-5, T-3.2-6: garbage draws no answer', async () => {
    const tick = await start();
    for (const line of [
      '',
      'garbage',
      '[]',
      'null',
      '7',
      '{"jsonrpc":"2.0","method":"tick/read","params":{}}',
      '{"jsonrpc":"2.0","id":null,"method":"tick/read","params":{}}',
      '{"jsonrpc":"2.0","id":"1","method":"tick/read","params":{}}',
      '{"jsonrpc":"2.0","id":1.5,"method":"tick/read","params":{}}',
      '{"jsonrpc":"2.0","id":true,"method":"tick/read","params":{}}',
      '[{"jsonrpc":"2.0","id":1,"method":"tick/read","params":{}}]',
      '{"jsonrpc":"2.0","id":1,"method":"tick/read"',
    ]) {
      tick.write(line);
    }
    tick.launched.stdin?.write(Buffer.from([0xff, 0xfe, 0x0a]));
    await tick.read();
    expect(tick.lines).toHaveLength(1);
  });

  test('T-4.3-2: an unknown method is answered, unknown parameters are ignored', async () => {
    const tick = await start();
    expect((await tick.request('tick/dance')).error?.code).toBe(-32601);
    const answer = await tick.request('tick/read', { later: { version: 4 } });
    expect(answer.error).toBeUndefined();
  });

  test('T-3.1-1, T-3.1-3, T-3.1-4, T-3.2-3, T-3.2-4: keys and calls at full speed leave every line whole', async () => {
    const tick = await start();
    await tick.shows(sample.shown);
    const { revision } = await tick.describe();
    const ids: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      ids.push(tick.send('tick/call', { ...sample.mutating, revision }));
      ids.push(tick.send('tick/read'));
      tick.type(sample.changing);
    }
    for (const id of ids) await tick.response(id);
    expect(tick.rest).toBe('');
    for (const line of tick.lines) {
      expect(parseLine(Buffer.from(line))).toMatchObject({ ok: true, value: { jsonrpc: '2.0' } });
    }
    for (const response of tick.responses) {
      expect('result' in response).not.toBe('error' in response);
    }
    const answered = tick.responses.map(({ id }) => id);
    expect(new Set(answered).size).toBe(answered.length);
  });

  test('T-6.4-1: the state stays under 4 KiB however much happens', async () => {
    const tick = await start();
    const { revision } = await tick.describe();
    for (let n = 0; n < 80; n += 1) {
      await tick.request('tick/call', { ...sample.mutating, revision });
    }
    const { data } = await tick.read();
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(4096);
  });

  test('T-8.3-2: resizing, choosing and meaningless keys announce nothing', async () => {
    const tick = await start();
    await tick.shows(sample.shown);
    await tick.call(sample.mutating.tool, sample.mutating.args);
    await until('the update of the call', () => tick.updates.length === 1);
    tick.resize(70, 20);
    tick.type(sample.passive);
    tick.resize(100, 40);
    tick.type(sample.changing);
    await until('the update of the key', () => tick.updates.length >= 2);
    expect(tick.updates.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(tick.exit).toBeUndefined();
  });

  test('T-4.5-2: the end of input with a call in flight still gets its answer', async () => {
    const tick = await start();
    const { revision } = await tick.describe();
    const id = tick.send('tick/call', { ...sample.mutating, revision });
    tick.endInput();
    await tick.ended();
    expect(tick.responses.at(-1)).toMatchObject({ id });
    expect(tick.rest).toBe('');
  });

  test('T-4.5-1: SIGTERM ends it at once, and the last screen stays', async () => {
    const tick = await start();
    await tick.shows(sample.shown);
    process.kill(tick.launched.pid, 'SIGTERM');
    await tick.ended();
    expect(tick.exit?.code).toBe(143);
    expect(tick.screen.join('\n')).toContain(sample.shown);
  });

  test('T-8.3-3: while output is blocked keys work on, and the newest state is sent in the end', async () => {
    const tick = await start();
    await tick.shows(sample.shown);
    tick.launched.stdout?.pause();
    // Far more than a pipe and the test's own stream take.
    let lastId = 0;
    for (let n = 0; n < 400; n += 1) lastId = tick.send('tick/describe');
    for (let n = 0; n < 40; n += 1) tick.type(sample.changing);
    await tick.shows(sample.afterMany);
    tick.launched.stdout?.resume();
    await tick.response(lastId);
    const state = await tick.read();
    expect(state.seq).toBeGreaterThanOrEqual(8);
    await until('the newest update', () => tick.updates.at(-1)?.seq === state.seq);
    expect(tick.updates.at(-1)).toEqual(state);
  });

  test('T-3.1-5, T-10-2: it prints nothing on standard error but its screen, and never its instance', async () => {
    const tick = await start();
    await tick.shows(sample.shown);
    await tick.describe();
    expect(tick.lines.join('\n')).not.toContain('test:1');
    expect(tick.screen.join('\n')).not.toMatch(/Error|Warning|Traceback/);
  });
});
