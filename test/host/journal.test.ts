/** What is written down, what happens when it cannot be, and what the next host makes of it. */
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Journal, JournalError } from '../../src/host/journal.ts';
import {
  archivePath,
  archivesOf,
  comingPath,
  type JournalRecord,
  readLines,
} from '../../src/host/journal-files.ts';
import { Replay } from '../../src/host/replay.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { fillDisk } from '../support/full-disk.ts';
import { hostWithPuppet, TestHost, until } from '../support/test-host.ts';

function journalPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-journal-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'journal');
}

/** Takes records in, and knows them by their types alone. */
class Taken {
  records: JournalRecord[] = [];
  apply(record: JournalRecord): void {
    this.records.push(record);
  }
  checkpoint() {
    return { had: this.records.length };
  }
}

/** What a host that starts now would take up from these records. */
function replay(records: readonly JournalRecord[]) {
  const kept = new Replay();
  for (const record of records) kept.apply(record);
  return kept.past();
}

const types = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).type);

describe('the journal', () => {
  test('is readable by its owner alone, and holds records in order', async () => {
    const path = journalPath();
    const { journal } = await Journal.open(path, new Taken());
    await Promise.all(['a', 'b', 'c'].map((type) => journal.append(type, { n: 1 })));
    await journal.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(types(path)).toEqual(['a', 'b', 'c']);
  });

  test('drops a torn last line, and passes over lines that cannot be read', async () => {
    const path = journalPath();
    writeFileSync(path, '{"type":"a"}\nnot json\n\n{"type":"b"}\n{"type":"c');
    const taken = new Taken();
    const { journal, repaired } = await Journal.open(path, taken);
    expect(taken.records).toEqual([{ type: 'a' }, { type: 'b' }]);
    expect(repaired).toMatch(/torn \(10 bytes\).* 1 lines of the journal .* cannot be read.* at line 1/);
    await journal.append('d', {});
    await journal.close();
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"type":"a"\}\nnot json\n\n\{"type":"b"\}\n\{"at":.*\}\n$/);
  });

  test('refuses while it cannot be written, and leaves no record out afterwards', async () => {
    const path = journalPath();
    const { journal } = await Journal.open(path, new Taken());
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

describe('the chain', () => {
  test('goes through every record, and shows any that was changed, left out, put in or moved', async () => {
    const path = journalPath();
    const { journal } = await Journal.open(path, new Taken());
    for (let n = 0; n < 6; n++) await journal.append('a', { n, text: 'é"\\\u2028' });
    await journal.close();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const broken = (changed: readonly string[]) => readLines(`${changed.join('\n')}\n`, '').broken;
    expect(broken(lines)).toEqual([]);
    lines.forEach((line, index) => {
      expect(broken(lines.with(index, line.replace('"a"', '"b"')))).toEqual([index + 1]);
      expect(broken(lines.toSpliced(index, 0, line))).not.toEqual([]);
      expect(broken(lines.toSpliced(index, 0, '{"type":"a"}'))).toEqual([index + 1]);
      if (index === lines.length - 1) return;
      expect(broken(lines.toSpliced(index, 1))).toEqual([index + 1]);
      expect(broken(lines.toSpliced(index, 2, lines[index + 1] as string, line))).not.toEqual([]);
    });
  });

  test('is told broken by the next host', async () => {
    const path = journalPath();
    const first = await Journal.open(path, new Taken());
    await first.journal.append('a', { n: 1 });
    await first.journal.append('b', { n: 2 });
    await first.journal.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"n":1', '"n":7'));
    const { journal, repaired } = await Journal.open(path, new Taken());
    expect(repaired).toMatch(/changed by something else at line 1/);
    await journal.close();
  });
});

describe('a full file', () => {
  test('gives way to one that begins with what is to be known, and the chain goes on', async () => {
    const path = journalPath();
    const taken = new Taken();
    const { journal } = await Journal.open(path, taken, { fileBytes: 2_000, filesKept: 3 });
    for (let n = 0; n < 100; n++) await journal.append('a', { n });
    await journal.close();
    const archives = await archivesOf(path);
    expect(archives).toHaveLength(3);
    expect(archives[0]?.number).toBeGreaterThan(1);
    expect(archives.map((archive) => statSync(archive.path).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    let link: string | undefined;
    for (const file of [...archives.map((archive) => archive.path), path]) {
      const read = readLines(readFileSync(file, 'utf8'), link);
      expect(read.broken).toEqual([]);
      expect(read.records[0]?.type).toBe('checkpoint');
      ({ link } = read);
    }
    const next = new Taken();
    const again = await Journal.open(path, next);
    await again.journal.close();
    expect(again.repaired).toBeUndefined();
    const [checkpoint, ...since] = next.records;
    expect([(checkpoint?.had as number) + since.length, since.at(-1)?.n]).toEqual([100, 99]);
    expect(taken.records).toHaveLength(100);
  });

  test.each(['before the new file was whole', 'before it took the other one’s place'])(
    'a crash %s loses nothing and leaves nothing behind',
    async (when) => {
      const path = journalPath();
      const first = await Journal.open(path, new Taken());
      await first.journal.append('a', { n: 1 });
      await first.journal.close();
      writeFileSync(comingPath(path), '{"type":"checkp');
      if (when.includes('place')) linkSync(path, archivePath(path, 1));
      const taken = new Taken();
      const { journal, repaired } = await Journal.open(path, taken);
      await journal.append('b', {});
      await journal.close();
      expect(repaired).toBeUndefined();
      expect(taken.records.map(({ type }) => type)).toEqual(['a', 'b']);
      expect(readdirSync(dirname(path))).toEqual(['journal']);
    },
  );

  test('goes on being written where no other can be made', async () => {
    const path = journalPath();
    const { journal } = await Journal.open(path, new Taken(), { fileBytes: 100 });
    mkdirSync(comingPath(path));
    for (let n = 0; n < 10; n++) await journal.append('a', { n });
    rmSync(comingPath(path), { recursive: true });
    for (let n = 10; n < 12; n++) await journal.append('a', { n });
    await journal.close();
    const [archive] = await archivesOf(path);
    expect(types(archive?.path ?? '').length).toBeGreaterThanOrEqual(10);
    expect(types(path)[0]).toBe('checkpoint');
  });

  test('leaves a later host knowing the same of calls, agents and ids', () => {
    const records: JournalRecord[] = [];
    const record = (type: string, more: object) =>
      records.push({ at: '2026-11-30T10:00:00.000Z', type, ...more });
    for (let n = 1; n <= 300; n++) {
      record('call.waiting', {
        call: `call:${n}`,
        kind: 'tool',
        tool: 't',
        agent: 'agent:1',
        key: n % 50 ? undefined : `k${n}`,
      });
      if (n % 7 === 0) record('call.dispatched', { call: `call:${n}`, digest: `d${n}` });
      if (n % 3 === 0) record('call.denied', { call: `call:${n}` });
    }
    record('agent', { agent: 'agent:9', name: 'x', secret_hash: 'h' });
    record('instance', { instance: 'shell:5' });
    for (const cut of [1, 100, 303, records.length]) {
      const [before, after] = [new Replay(), new Replay()];
      for (const one of records.slice(0, cut)) before.apply(one);
      after.apply(JSON.parse(JSON.stringify({ at: '', type: 'checkpoint', ...before.checkpoint() })));
      for (const one of records.slice(cut)) after.apply(one);
      expect(after.past()).toEqual(replay(records));
    }
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
