/** What `defineTick` does for its author, seen from the host's side of a real process. */
import { describe, expect, test } from 'vitest';
import { defineTick } from '../../src/sdk/index.ts';
import { builtTicks } from '../support/built-ticks.ts';
import { TickProcess, until } from '../support/tick-process.ts';

const { workshop } = await builtTicks();
const start = (env = {}) => TickProcess.start(workshop, { env });

describe('a Tick made with the SDK', () => {
  test('T-3.3-1, T-3.3-2, T-3.3-3: describe and read are answered while calls run, and calls in any order', async () => {
    const tick = await start();
    const { revision } = await tick.describe();
    const held = tick.send('tick/call', { tool: 'hold', args: {}, revision });
    await tick.describe();
    await tick.read();
    const released = tick.send('tick/call', { tool: 'release', args: {}, revision });
    expect((await tick.response(held)).result).toBe('released');
    // In any order: this one may come before or after.
    await tick.response(released);
    expect(tick.responses.map(({ id }) => id).sort()).toEqual([1, held, held + 1, held + 2, released].sort());
  });

  test('T-3.1-1, T-10-3: prints at import and later never reach the host', async () => {
    const tick = await start();
    expect((await tick.call('chatter')).result).toBeNull();
    expect(tick.lines.join()).not.toMatch(/noisy-library|no newline/);
    expect(tick.lines).toHaveLength(2);
    expect(tick.rest).toBe('');
  });

  test('T-5.5-1: another catalogue has another revision, and voids calls under the old one', async () => {
    const tick = await start();
    const before = await tick.describe();
    await tick.call('rename');
    const after = await tick.describe();
    expect(after.revision).not.toBe(before.revision);
    expect(after.tools.map(({ name }) => name)).toContain('keep');
    const stale = { tool: 'set', args: {}, revision: before.revision };
    expect((await tick.request('tick/call', stale)).error?.code).toBe(-32004);
    expect(tick.updates).toEqual([]);
  });

  test('T-3.4-1, T-3.4-2, T-3.4-3: a failure counts as executed unless the tool says that it was not', async () => {
    const tick = await start();
    expect((await tick.call('fail')).error).toEqual({ code: -32000, message: 'The printer is on fire.' });
    expect((await tick.call('refuse')).error).toEqual({ code: -32602, message: 'The shop is closed.' });
  });

  test('T-6.2-2, T-8.2-1a: nothing yet is null in a read and never an update', async () => {
    const tick = await start();
    expect(await tick.read()).toEqual({ seq: 0, data: null });
    await tick.call('announce');
    expect(await tick.read()).toEqual({ seq: 1, data: null });
    await tick.call('set');
    await until('the update', () => tick.updates.length > 0);
    expect(tick.updates).toEqual([{ seq: 2, data: 'change 1' }]);
  });

  test('T-8.3-3: updates that could not be written yet become one with the newest state', async () => {
    const tick = await start();
    const { revision } = await tick.describe();
    tick.launched.stdout?.pause();
    // More than a pipe takes, so that what follows is certainly not written.
    for (let n = 0; n < 400; n += 1) tick.send('tick/describe');
    const set = tick.send('tick/call', { tool: 'set', args: { times: 1000 }, revision });
    tick.launched.stdout?.resume();
    await tick.response(set);
    await tick.read();
    expect(tick.updates).toEqual([{ seq: 1000, data: 'change 1000' }]);
  });

  test('T-3.5-1: what a host would not take is left out, refused or answered as failed', async () => {
    const tick = await start();
    await tick.call('set', { text: 'x'.repeat(512 * 1024) });
    expect((await tick.read()).seq).toBe(1);
    expect(tick.updates).toEqual([]);
    expect((await tick.call('big', { bytes: 8 * 1024 * 1024 })).error?.code).toBe(-32000);
    expect((await tick.call('big', { bytes: 8 * 1024 * 1024 - 2 })).error).toBeUndefined();
  });

  test('B-3.1-1: half a surrogate pair is replaced, since a host could not encode it again', async () => {
    const tick = await start();
    const { result } = await tick.call('surrogate');
    expect(result).toEqual({ lone: '\ufffd', text: '\\ud800', pair: '😀' });
  });

  test('T-4.5-2: at the end of input it waits for calls in flight', async () => {
    const tick = await start();
    const { revision } = await tick.describe();
    const held = tick.send('tick/call', { tool: 'hold', args: {}, revision });
    tick.send('tick/call', { tool: 'release', args: {}, revision });
    tick.endInput();
    await tick.ended();
    expect(tick.exit?.code).toBe(0);
    expect(tick.responses.find(({ id }) => id === held)?.result).toBe('released');
  });

  test('T-4.5-1: SIGTERM does not wait for calls in flight', async () => {
    const tick = await start();
    const { revision } = await tick.describe();
    tick.send('tick/call', { tool: 'hold', args: {}, revision });
    await tick.read();
    process.kill(tick.launched.pid, 'SIGTERM');
    await tick.ended();
    expect(tick.exit?.code).toBe(143);
  });
});

describe('a definition no host could accept is refused with the reason', () => {
  const good = { kind: 'test.x', title: 'X', description: '', state: () => null, tools: {} };
  const tool = { description: '', input: { type: 'object' }, mutates: true, run: () => null };

  test.each([
    ['an empty kind', { ...good, kind: ' ' }, /kind/],
    ['an empty title', { ...good, title: '' }, /title/],
    ['a tool without a name', { ...good, tools: { ' ': tool } }, /name/],
    ['recoverWith that names no tool', { ...good, recoverWith: 'log' }, /log/],
    ['recoverWith that mutates', { ...good, recoverWith: 'log', tools: { log: tool } }, /log/],
    ['a path that is no pointer', { ...good, series: [{ path: 'x', newest: 'last' as const }] }, /x/],
  ])('%s', (_, definition, reason) => {
    expect(() => defineTick(definition)).toThrow(reason);
  });
});
