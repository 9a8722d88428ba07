import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultLimits } from '../../src/protocol/limits.ts';
import { lamp, readyTick, ScriptedTick } from '../support/scripted-tick.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('initialization', () => {
  it('H-4.2-1: first describe, and read only once the descriptor was found valid', async () => {
    const tick = new ScriptedTick();
    const initialized = tick.session.initialize();
    await tick.request(1);
    await tick.handled();
    expect(tick.requests.map(({ method }) => method)).toEqual(['tick/describe']);
    expect(tick.session.state).toBe('describing');
    tick.result(1, lamp);
    expect((await tick.request(2)).method).toBe('tick/read');
    expect(tick.session.state).toBe('reading');
    tick.result(2, { seq: 0, data: null });
    expect(await initialized).toEqual({ ok: true, descriptor: lamp, state: { seq: 0, data: null } });
    expect(tick.session.state).toBe('ready');
  });

  it('H-4.2-3: an invalid descriptor, an invalid state or an error ends the session', async () => {
    const badDescriptor = new ScriptedTick();
    expect(await badDescriptor.initialize({ ...lamp, kind: '' })).toMatchObject({ ok: false });
    expect((await badDescriptor.ended()).reason).toBe('initialization');
    expect(badDescriptor.requests).toHaveLength(1);

    const badState = new ScriptedTick();
    expect(await badState.initialize(lamp, { seq: -1, data: 1 })).toMatchObject({ ok: false });
    expect((await badState.ended()).reason).toBe('initialization');

    const error = new ScriptedTick();
    const initialized = error.session.initialize();
    error.error((await error.request(1)).id, -32603, 'no database');
    const reason = 'The Tick answered tick/describe with error -32603: no database';
    expect(await initialized).toEqual({ ok: false, reason });
    expect(await error.ended()).toEqual({ reason: 'initialization', message: reason });
    expect(error.session.state).toBe('over');
  });

  it('H-4.2-2: a describe that takes 11 s fails at 10 s', async () => {
    expect(defaultLimits.initializationMs).toBe(10_000);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const tick = new ScriptedTick();
    const initialized = tick.session.initialize();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(tick.end).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await initialized).toEqual({
      ok: false,
      reason: 'tick/describe was not answered within 10 s of the start.',
    });
  });

  it('H-4.2-2: two answers of 6 s each are too slow together', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const tick = new ScriptedTick();
    const initialized = tick.session.initialize();
    await vi.advanceTimersByTimeAsync(6_000);
    tick.result(1, lamp);
    await tick.request(2);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(tick.end).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await initialized).toEqual({
      ok: false,
      reason: 'tick/read was not answered within 10 s of the start.',
    });
  });

  it('H-4.2-2: the time counts from the start of the process, not of the session', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const tick = new ScriptedTick({}, performance.now() - 9_000);
    void tick.session.initialize();
    await vi.advanceTimersByTimeAsync(999);
    expect(tick.end).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(tick.end?.reason).toBe('initialization');
  });

  it('H-4.2-4: updates before it is over are taken like any other', async () => {
    const tick = new ScriptedTick();
    tick.update(3, 'early');
    await tick.handled();
    const initialized = tick.session.initialize();
    await tick.request(1);
    tick.update(4, 'before the descriptor');
    tick.result(1, lamp);
    await tick.request(2);
    expect(tick.session.latest?.state).toEqual({ seq: 4, data: 'before the descriptor' });
    expect(tick.updates).toHaveLength(2);
    // They raise the floor of the first read, too.
    tick.result(2, { seq: 3, data: 'old' });
    expect(await initialized).toMatchObject({ ok: false, requirement: 'H-3.6-2b' });
  });

  it('fails when the Tick breaks the protocol or ends meanwhile', async () => {
    const broken = new ScriptedTick();
    const first = broken.session.initialize();
    await broken.request(1);
    broken.write({ jsonrpc: '2.0', id: 1, result: lamp }, 'oops');
    expect(await first).toMatchObject({ ok: false, requirement: 'H-3.6-1a' });
    expect((await broken.ended()).reason).toBe('violation');

    const gone = new ScriptedTick();
    const second = gone.session.initialize();
    gone.stdout.end();
    expect(await second).toEqual({ ok: false, reason: 'The Tick has ended.' });
    expect(await gone.session.initialize()).toEqual({ ok: false, reason: 'The Tick has ended.' });
  });

  it('happens once', async () => {
    const tick = await readyTick();
    await expect(tick.session.initialize()).rejects.toThrow(
      'A session that is ready cannot take "initialize"',
    );
  });

  it('comes before anything else', async () => {
    const { session } = new ScriptedTick();
    expect(await session.describe()).toMatchObject({ ok: false });
    expect(await session.read()).toMatchObject({ ok: false });
  });
});

describe('dispose', () => {
  it('settles what is in flight, says so once, and leaves the streams open', async () => {
    const tick = await readyTick();
    const outcome = tick.session.call({ tool: 'set', argsText: '{}', revision: 'a' });
    tick.session.dispose();
    tick.session.dispose();
    expect(await outcome).toMatchObject({ outcome: 'unknown' });
    expect(tick.end).toMatchObject({ reason: 'disposed' });
    expect(tick.stdin.writable).toBe(true);
    expect(tick.stdout.destroyed).toBe(false);
  });

  it('lets nothing through afterwards, also from within an update', async () => {
    const tick = await readyTick();
    tick.session.once('update', () => tick.session.dispose());
    tick.update(1);
    tick.update(2);
    await tick.ended();
    tick.stdout.end();
    tick.stdin.destroy(new Error('EPIPE'));
    expect(tick.session.updatesReceived).toBe(1);
  });
});
