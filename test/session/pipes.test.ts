/** Sessions with real processes over real pipes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultLimits, type Limits } from '../../src/protocol/limits.ts';
import { Session, type SessionEnd } from '../../src/session/session.ts';

const fixture = fileURLToPath(new URL('../fixtures/session/lamp.mjs', import.meta.url));
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    const running = child.exitCode === null && child.signalCode === null;
    if (running && child.kill('SIGKILL')) await once(child, 'exit');
  }
});

async function start(limits: Partial<Limits> = {}, argv = [fixture]) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const { stdin, stdout } = child;
  const session = new Session({ stdin, stdout, startedAt, limits: { ...defaultLimits, ...limits } });
  const end = new Promise<SessionEnd>((resolve) => session.once('end', resolve));
  const initialized = await session.initialize();
  const call = (tool: string, args: object = {}) =>
    session.call({ tool, argsText: JSON.stringify(args), revision: 'a' });
  return { session, stdin, end, initialized, call };
}

describe('a Tick over pipes', () => {
  it('describes, reads, takes calls and sends updates', async () => {
    const { session, initialized, call } = await start();
    expect(initialized).toMatchObject({ ok: true, state: { seq: 0, data: null } });
    expect(await call('set', { on: true })).toEqual({ outcome: 'succeeded', result: { on: true } });
    expect(session.latest?.state).toEqual({ seq: 1, data: { on: true } });
    expect(await session.read()).toMatchObject({ ok: true, state: { seq: 1 } });
    expect(await session.describe()).toMatchObject({ ok: true, descriptor: { revision: 'a' } });
  });

  it('carries large arguments and results whole', async () => {
    const { call } = await start();
    const text = 'é\u2028😀'.repeat(100_000);
    expect(await call('set', { text: text.slice(0, 30_000) })).toMatchObject({ outcome: 'succeeded' });
    const [first, second, third] = await Promise.all([
      call('big', { bytes: 4_000_000, text }),
      call('big', { bytes: 2 }),
      call('big', { bytes: 3_000_000, text }),
    ]);
    expect(first).toEqual({ outcome: 'succeeded', result: 'é'.repeat(2_000_000) });
    expect(second).toEqual({ outcome: 'succeeded', result: 'é' });
    expect(third).toEqual({ outcome: 'succeeded', result: 'é'.repeat(1_500_000) });
  });

  it('may flood; every update counts, and the newest is kept', async () => {
    const { session, call } = await start();
    expect(await call('flood', { updates: 20_000 })).toMatchObject({ outcome: 'succeeded' });
    expect(session.updatesReceived).toBe(20_000);
    expect(session.latest?.state).toEqual({ seq: 20_000, data: { i: 19_999 } });
  });

  it('H-4.5-4: that exits in mid-call ends the session, and the outcome is unknown', async () => {
    const { session, end, call } = await start();
    const [hanging, dying] = [call('hang'), call('die')];
    expect(await dying).toMatchObject({ outcome: 'unknown' });
    expect(await hanging).toMatchObject({ outcome: 'unknown' });
    expect(await end).toMatchObject({ reason: 'exit' });
    expect(session.state).toBe('over');
  });

  it('H-3.6-1c: that exits in the middle of a line breaks the protocol', async () => {
    const { end, call } = await start();
    expect(await call('cut')).toMatchObject({ outcome: 'unknown' });
    expect(await end).toMatchObject({ reason: 'violation', requirement: 'H-3.6-1c' });
  });

  it('H-3.6-1a: that prints to its standard output breaks the protocol', async () => {
    const { end, call } = await start();
    expect(await call('print')).toMatchObject({ outcome: 'unknown' });
    const { message } = await end;
    expect(message).toContain('The line begins "debug: set the lamp"');
  });

  it('that no longer reads neither hangs a caller nor costs more and more', async () => {
    const { stdin, call, session } = await start({ callMs: 100, queryMs: 100 });
    void call('deaf');
    const outcomes = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const text = 'x'.repeat(200_000);
      const calls = Array.from({ length: 5 }, () => call('set', { text }));
      for (const { outcome } of await Promise.all(calls)) outcomes.add(outcome);
    }
    expect([...outcomes].sort()).toEqual(['refused', 'unknown']);
    expect(await session.read()).toMatchObject({ ok: false });
    expect(stdin.writableLength).toBeLessThan(450_000);
    expect(session.requestsInFlight).toBe(0);
  });

  it('that closes its input gets no more requests, and the host is told', async () => {
    const { call, session } = await start({ callMs: 200, queryMs: 200 });
    void call('shut');
    // Until the closing has come through, a call may still get into the pipe; it is unknown then.
    let outcome = await call('set');
    while (outcome.outcome !== 'refused') outcome = await call('set');
    expect(outcome.reason).toContain('closed its standard input');
    expect(session.state).toBe('ready');
  });

  it('that does not exist as such: a program that ends at once fails to initialize', async () => {
    const { initialized, end } = await start({}, ['-e', '']);
    expect(initialized).toEqual({ ok: false, reason: 'The Tick has ended.' });
    expect(await end).toMatchObject({ reason: 'exit' });
  });

  it('H-4.2-2: that answers nothing fails to initialize in time', async () => {
    const { initialized } = await start({ initializationMs: 150 }, ['-e', 'process.stdin.resume()']);
    expect(initialized).toEqual({
      ok: false,
      reason: 'tick/describe was not answered within 150 ms of the start.',
    });
  });
});
