import { describe, expect, it } from 'vitest';
import { readyTick, ScriptedTick } from '../support/scripted-tick.ts';

describe('reads', () => {
  it('H-6.1-1: params is {}', async () => {
    const tick = await readyTick();
    void tick.session.read();
    expect((await tick.request(3)).text).toBe('{"jsonrpc":"2.0","id":3,"method":"tick/read","params":{}}');
  });

  it('H-3.6-2b: one below the floor fails alone', async () => {
    const tick = await readyTick();
    tick.update(5, 'five');
    await tick.handled();
    const read = tick.session.read();
    tick.result((await tick.request(3)).id, { seq: 4, data: 'four' });
    expect(await read).toMatchObject({ ok: false, requirement: 'H-3.6-2b' });
    await tick.handled();
    expect(tick.session.latest?.state.data).toBe('five');
  });

  it('H-6.3-1: the floor is the larger of the last read and the newest update when the read is sent', async () => {
    const tick = await readyTick();
    let asked = 2;
    const read = async (seq: number) => {
      const result = tick.session.read();
      tick.result((await tick.request(++asked)).id, { seq, data: 1 });
      return (await result).ok;
    };
    tick.update(5);
    await tick.handled();
    expect(await read(4)).toBe(false);
    expect(await read(7)).toBe(true);
    tick.update(6);
    await tick.handled();
    expect(await read(6)).toBe(false);
    // The ones that failed left the floor as it was.
    expect(await read(7)).toBe(true);
  });

  it('H-6.3-2: updates that arrive after a read was sent do not raise its floor', async () => {
    const tick = await readyTick();
    const read = tick.session.read();
    await tick.request(3);
    tick.update(9, 'nine');
    tick.result(3, { seq: 8, data: 'eight' });
    expect(await read).toEqual({ ok: true, state: { seq: 8, data: 'eight' } });
    expect(tick.session.latest?.state.data).toBe('nine');
  });

  it('has its floor fixed when it is sent, not when it was asked for', async () => {
    const tick = await readyTick({ requestsInFlight: 1 });
    const described = tick.session.describe();
    const read = tick.session.read();
    await tick.request(3);
    tick.update(9);
    tick.error(3, -32603);
    expect(await described).toMatchObject({ ok: false });
    tick.result((await tick.request(4)).id, { seq: 8, data: 1 });
    expect(await read).toMatchObject({ ok: false, requirement: 'H-3.6-2b' });
  });

  it.each([
    [null],
    [[]],
    [{ seq: 1 }],
    [{ data: 1 }],
    [{ seq: '1', data: 1 }],
    [{ seq: -1, data: 1 }],
    [{ seq: 1, data: 1, at: null }],
    [{ seq: 1, data: 1, at: 'today' }],
  ])('fails alone when the state is %j', async (state) => {
    const tick = await readyTick();
    const read = tick.session.read();
    tick.result((await tick.request(3)).id, state);
    expect(await read).toMatchObject({ ok: false });
    await tick.handled();
  });
});

describe('the latest state', () => {
  it('H-1.3-2: only the newest snapshot is kept', async () => {
    const tick = await readyTick();
    for (let seq = 1; seq <= 100; seq++) tick.update(seq, `at ${seq}`);
    await tick.handled();
    expect(tick.session.latest?.state).toEqual({ seq: 100, data: 'at 100' });
  });

  it('is not replaced by an update that is older than a read; on a tie the later one is kept', async () => {
    const tick = await readyTick();
    const read = tick.session.read();
    tick.result((await tick.request(3)).id, { seq: 5, data: 'read' });
    tick.update(4, 'older');
    await read;
    await tick.handled();
    expect(tick.session.latest?.state.data).toBe('read');
    tick.update(5, 'tie');
    await tick.handled();
    expect(tick.session.latest?.state.data).toBe('tie');
    expect(tick.updates.map(({ seq }) => seq)).toEqual([4, 5]);
  });

  it('follows the order of arrival within one chunk', async () => {
    const tick = await readyTick();
    const read = tick.session.read();
    await tick.request(3);
    tick.write(
      { jsonrpc: '2.0', id: 3, result: { seq: 5, data: 'read' } },
      { jsonrpc: '2.0', method: 'tick/update', params: { seq: 5, data: 'update' } },
    );
    await read;
    await tick.handled();
    expect(tick.session.latest?.state.data).toBe('update');
  });

  it('H-8.3-1: the updates received are counted, the older ones too', async () => {
    const tick = await readyTick();
    const before = tick.session.updatesReceived;
    const read = tick.session.read();
    tick.result((await tick.request(3)).id, { seq: 5, data: 1 });
    tick.update(3);
    tick.update(4);
    await read;
    await tick.handled();
    expect(tick.session.updatesReceived - before).toBe(2);
  });

  it('H-3.3-4: the seq of updates is checked in order of arrival', async () => {
    const tick = await readyTick();
    tick.update(2);
    tick.update(1);
    expect(await tick.ended()).toMatchObject({ requirement: 'H-3.6-1e' });
    expect(tick.updates).toEqual([{ seq: 2, data: {} }]);
  });

  it('H-6.2-1: without at, the time of receipt stands for it', async () => {
    const tick = await readyTick();
    const before = Date.now();
    tick.update(1, {});
    await tick.handled();
    const { at, receivedAt } = tick.session.latest!;
    expect(receivedAt).toBeGreaterThanOrEqual(before);
    expect(receivedAt).toBeLessThanOrEqual(Date.now());
    expect(at).toBe(new Date(receivedAt).toISOString());
    tick.update(2, {}, { at: '1999-01-01T00:00:00+01:00' });
    await tick.handled();
    expect(tick.session.latest?.at).toBe('1999-01-01T00:00:00+01:00');
  });

  it('H-4.3-4: unknown fields are ignored', async () => {
    const tick = new ScriptedTick();
    const initialized = await tick.initialize(undefined, { seq: 1, data: 1, mood: 'good' });
    expect(initialized).toMatchObject({ ok: true });
    tick.update(2, 2, { mood: 'better' });
    await tick.handled();
    expect(tick.session.latest?.state).toEqual({ seq: 2, data: 2 });
  });
});
