/** Past calls found in a journal: as they ended, with what is known of them, however many files it has. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Journal, type JournalOptions } from '../../src/host/journal.ts';
import { findCalls } from '../../src/host/journal-calls.ts';
import { Replay } from '../../src/host/replay.ts';

async function journalOf(options: JournalOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-journal-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'journal.jsonl');
  const { journal } = await Journal.open(path, new Replay(), options);
  onTestFinished(() => journal.close());
  const propose = (number: number, more: object = {}) =>
    journal.append('call.waiting', {
      call: `call:${number}`,
      kind: 'tool',
      tool: 'set',
      instance: 'hosted:1',
      agent: 'agent:1',
      agent_name: 'tester',
      digest: 'd',
      arguments: { value: number },
      ...more,
    });
  return { path, journal, propose };
}
const all = () => true;

test('tells how each ended, and what it was', async () => {
  const { path, journal, propose } = await journalOf();
  await propose(1, { reason: 'because' });
  await propose(2);
  await propose(3);
  await journal.append('call.approved', { call: 'call:2', by: 'view:1', digest: 'd' });
  await journal.append('call.edited', {
    call: 'call:1',
    by: 'view:1',
    digest: 'e',
    arguments: { value: 9 },
  });
  await journal.append('call.denied', { call: 'call:1', by: 'view:1', words: 'no' });
  await journal.append('call.dispatched', { call: 'call:2', digest: 'd' });
  await journal.append('call.unknown', { call: 'call:2', why: 'no answer came' });
  const found = await findCalls(path, all, 10);
  expect(found).toMatchObject([
    {
      call: 'call:1',
      state: 'denied',
      digest: 'e',
      arguments: { value: 9 },
      reason: 'because',
      words: 'no',
      decided_by: 'view:1',
      ended_at: expect.any(Number),
    },
    { call: 'call:2', state: 'unknown', words: 'no answer came', sent_at: expect.any(Number) },
    { call: 'call:3', state: 'waiting', arguments: { value: 3 } },
  ]);
  expect(found[2]).not.toHaveProperty('ended_at');
});

test('keeps the newest of those that are wanted, in the order of their proposals', async () => {
  const { path, journal, propose } = await journalOf();
  for (let number = 1; number <= 50; number++) {
    await propose(number);
    if (number % 2 === 0) await journal.append('call.withdrawn', { call: `call:${number}`, why: 'gone' });
  }
  const numbers = async (state: string, most: number) =>
    (await findCalls(path, (call) => call.state === state, most)).map(({ call }) => Number(call.slice(5)));
  expect(await numbers('withdrawn', 3)).toEqual([46, 48, 50]);
  expect(await numbers('waiting', 2)).toEqual([47, 49]);
  expect(await numbers('denied', 5)).toEqual([]);
  expect((await findCalls(path, all, 4)).map(({ call }) => call)).toEqual([
    'call:47',
    'call:48',
    'call:49',
    'call:50',
  ]);
});

test('looks through all files, and takes from the first what those before it held', async () => {
  const { path, journal, propose } = await journalOf({ fileBytes: 4_000, filesKept: 2 });
  await propose(1);
  for (let number = 2; number <= 60; number++) {
    await propose(number);
    await journal.append('call.denied', { call: `call:${number}`, by: 'view:1' });
  }
  await journal.append('call.approved', { call: 'call:1', by: 'view:2', digest: 'd' });
  const found = await findCalls(path, all, 100);
  expect(found.map(({ call }) => call)).toEqual(
    Array.from({ length: 60 }, (_, index) => `call:${index + 1}`),
  );
  expect(found[0]).toMatchObject({ state: 'approved', decided_by: 'view:2' });
  expect(found.at(-1)).toMatchObject({ state: 'denied', decided_by: 'view:1' });
});
