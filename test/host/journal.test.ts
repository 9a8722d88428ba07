/** What is written down, what happens when it cannot be, and what the next host makes of it. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Journal, JournalError } from '../../src/host/journal.ts';
import { replay } from '../../src/host/replay.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { fillDisk } from '../support/full-disk.ts';
import { hostWithPuppet, TestHost, until } from '../support/test-host.ts';

function journalPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-journal-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'journal');
}

const types = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).type);

describe('the journal', () => {
  test('is readable by its owner alone, and holds records in order', async () => {
    const path = journalPath();
    const { journal } = await Journal.open(path);
    await Promise.all(['a', 'b', 'c'].map((type) => journal.append(type, { n: 1 })));
    await journal.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(types(path)).toEqual(['a', 'b', 'c']);
  });

  test('drops a torn last line, and passes over lines that cannot be read', async () => {
    const path = journalPath();
    writeFileSync(path, '{"type":"a"}\nnot json\n\n{"type":"b"}\n{"type":"c');
    const { journal, records, repaired } = await Journal.open(path);
    expect(records).toEqual([{ type: 'a' }, { type: 'b' }]);
    expect(repaired).toMatch(/torn \(10 bytes\).* 1 lines of the journal .* cannot be read/);
    await journal.append('d', {});
    await journal.close();
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"type":"a"\}\nnot json\n\n\{"type":"b"\}\n\{"at":.*\}\n$/);
  });

  test('refuses while it cannot be written, and leaves no record out afterwards', async () => {
    const path = journalPath();
    const { journal } = await Journal.open(path);
    const problems: (string | undefined)[] = [];
    journal.onProblem = (problem) => problems.push(problem);
    await journal.append('a', {});
    const freeDisk = fillDisk(path);
    await expect(journal.append('b', {})).rejects.toThrow(JournalError);
    await expect(journal.append('c', {})).rejects.toThrow(/cannot be written \(.*ENOSPC/);
    freeDisk();
    await journal.append('d', {});
    await journal.close();
    expect(types(path)).toEqual(['a', 'b', 'c', 'd']);
    expect(problems).toEqual([expect.stringContaining(path), undefined]);
  });
});

describe('while the journal cannot be written', () => {
  test('an approved call is not sent, the operator is told why, queries go on', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const outcome = agent.call(puppet.instance, 'set', { value: 1 });
    const { summary } = await operator.card();
    // Once this is answered, no write is under way.
    const other = await agent.propose(puppet.instance, 'set', { value: 2 });
    await operator.decide(other.call, 'deny');
    await agent.outcome(other.call);
    const freeDisk = fillDisk(host.options.journal);
    await operator.decide(summary.call, 'approve');
    expect(await outcome).toMatchObject({
      state: 'failed',
      effect: 'none',
      error: { message: expect.stringMatching(/^It was not sent: The journal .* cannot be written/) },
    });
    expect(puppet.calls).toEqual([]);
    await until('the problem shows', () => operator.picture?.problem?.includes('ENOSPC'));
    expect(await agent.call(puppet.instance, 'log', { n: 1 })).toMatchObject({ state: 'succeeded' });
    expect(puppet.calls).toHaveLength(1);

    freeDisk();
    const second = agent.call(puppet.instance, 'set', { value: 1 });
    await operator.approve();
    expect(await second).toMatchObject({ state: 'succeeded' });
    await until('the problem is gone', () => operator.picture?.problem === undefined);
    expect(host.recorded(summary.call)).toEqual(['waiting', 'approved', 'dispatched', 'failed']);
  });

  test('a call that was sent before has its outcome', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const outcome = agent.call(puppet.instance, 'hold');
    await operator.approve();
    await until('the call arrived', () => puppet.calls.length === 1);
    const freeDisk = fillDisk(host.options.journal);
    await puppet.pull('answer', { tool: 'hold', result: 'done' });
    expect(await outcome).toMatchObject({ state: 'succeeded', result: 'done' });
    freeDisk();
  });
});

describe('the next host', () => {
  const at = '2026-11-30T10:00:00.000Z';
  const waiting = (call: string, more: object = {}) => ({
    at,
    type: 'call.waiting',
    call,
    kind: 'tool',
    instance: 'hosted:4',
    tool: 'set',
    digest: 'd',
    agent: 'agent:7',
    agent_name: 'x',
    ...more,
  });
  const record = (type: string, call: string, more: object = {}) => ({ at, type, call, ...more });

  test('settles what was open: sent is unknown, everything else withdrawn', () => {
    const past = replay([
      waiting('call:1'),
      waiting('call:2'),
      record('call.approved', 'call:2', { by: 'view:1' }),
      waiting('call:3'),
      record('call.approved', 'call:3'),
      record('call.dispatched', 'call:3'),
      waiting('call:4'),
      record('call.denied', 'call:4', { words: 'no' }),
    ]);
    const ends = past.calls.map(({ summary }) => [summary.call, summary.state]);
    expect(ends).toEqual([
      ['call:1', 'withdrawn'],
      ['call:2', 'withdrawn'],
      ['call:3', 'unknown'],
      ['call:4', 'denied'],
    ]);
    expect(past.settled.map(({ type, fields }) => [type, fields.call])).toEqual([
      ['call.withdrawn', 'call:1'],
      ['call.withdrawn', 'call:2'],
      ['call.unknown', 'call:3'],
    ]);
    expect(past.calls[2]?.summary.sent_at).toBe(Date.parse(at));
  });

  test('counts on from every id, and keeps keys, secrets and agents', () => {
    const past = replay([
      { at, type: 'agent', agent: 'agent:7', name: 'x', secret_hash: 'h' },
      { at, type: 'instance', instance: 'hosted:4' },
      { at, type: 'instance', instance: 'shell:2' },
      waiting('call:9', { key: 'k' }),
      record('call.secret', 'call:9', { secret_hash: 'one' }),
      record('call.secret', 'call:9', { secret_hash: 'two' }),
      waiting('call:10'),
      record('call.key', 'call:10', { key: 'l' }),
      record('call.of_a_later_version', 'call:10'),
      record('call.denied', 'call:404'),
    ]);
    expect(past).toMatchObject({ nextCall: 405, nextAgent: 8, nextHosted: 5, nextShell: 3 });
    expect(past.agents).toEqual([{ agent: 'agent:7', name: 'x', secretHash: 'h' }]);
    expect(past.calls).toMatchObject([
      { key: 'k', secretHashes: ['one', 'two'] },
      { key: 'l', summary: { state: 'withdrawn' } },
    ]);
  });

  test('forgets what is old, but nothing unknown and nothing that has a key', () => {
    const records = Array.from({ length: 300 }, (_, index) => [
      waiting(`call:${index + 1}`, index === 5 ? { key: 'k' } : {}),
      ...(index === 3 ? [record('call.approved', 'call:4'), record('call.dispatched', 'call:4')] : []),
    ]).flat();
    const calls = replay(records).calls.map(({ summary }) => summary.call);
    expect(calls).toHaveLength(202);
    expect(calls.slice(0, 3)).toEqual(['call:4', 'call:6', 'call:101']);
  });

  test('shows the unknown, sends nothing, and never gives an id twice', async () => {
    const { host, operator, puppet, agent } = await hostWithPuppet();
    const { call } = await agent.propose(puppet.instance, 'set', { value: 1 });
    await host.again();
    const { digest } = (host.journal().find((line) => line.call === call) ?? {}) as { digest: string };
    const next = await host.operator();
    expect((await next.client.request(operatorApi.picture, {})).recent).toMatchObject([
      { call, state: 'withdrawn', words: 'the host ended', digest },
    ]);
    const second = await host.puppet(next);
    expect(second.instance).toBe('hosted:2');
    const other = await host.agent();
    expect(other.id).toBe('agent:2');
    expect((await other.propose(second.instance, 'set')).call).toBe('call:2');
    expect(second.calls).toEqual([]);
    operator.leave();
  });

  test('says in its log what it had to repair', async () => {
    const host = await TestHost.start();
    await host.host.shutDown('torn');
    appendFileSync(host.options.journal, '{"type":"call.wai');
    await host.again();
    const operator = await host.operator();
    const { entries } = await operator.client.request(operatorApi.log, {});
    expect(entries[0]).toMatchObject({ level: 'warn', text: expect.stringContaining('torn') });
  });
});
