/** What a look through a journal finds wrong, and what it does not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Journal } from '../../src/host/journal.ts';
import { auditJournal } from '../../src/host/journal-audit.ts';
import { Replay } from '../../src/host/replay.ts';

type Step = 'waiting' | 'approved' | 'dispatched' | 'succeeded' | 'denied';

async function audited(calls: readonly (readonly (Step | readonly [Step, string])[])[], fileBytes?: number) {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-audit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'journal.jsonl');
  const options = fileBytes === undefined ? {} : { fileBytes, filesKept: 1 };
  const { journal } = await Journal.open(path, new Replay(), options);
  for (const [index, steps] of calls.entries()) {
    for (const step of steps) {
      const [state, digest] = typeof step === 'string' ? [step, 'd'] : step;
      await journal.append(`call.${state}`, {
        call: `call:${index + 1}`,
        kind: 'tool',
        tool: 't',
        agent: 'a',
        digest,
      });
    }
  }
  await journal.close();
  return auditJournal(path);
}

const done = ['waiting', 'approved', 'dispatched', 'succeeded'] as const;

test('nothing is wrong with calls that were approved and sent once', async () => {
  expect(await audited([done, ['waiting', 'denied'], ['waiting'], ['waiting', 'approved']])).toEqual({
    files: 1,
    records: 9,
    dispatched: 1,
    problems: [],
  });
});

test.each([
  ['without an approval', ['waiting', 'dispatched']],
  ['twice', [...done, 'dispatched']],
  ['with another digest', ['waiting', 'approved', ['dispatched', 'e']]],
] as const)('a call that was dispatched %s is found', async (what, steps) => {
  const { problems } = await audited([done, steps]);
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^call:2 was dispatched ${what}`))]);
});

test('a journal whose oldest files are gone goes by what the next one begins with', async () => {
  const { files, problems, dispatched } = await audited(Array(40).fill(done), 1_000);
  expect({ files, problems }).toEqual({ files: 2, problems: [] });
  expect(dispatched).toBeLessThan(40);
});
