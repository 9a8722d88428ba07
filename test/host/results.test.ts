import { expect, test } from 'vitest';
import type { Call } from '../../src/host/call.ts';
import { Results } from '../../src/host/results.ts';

const megabyte = 1024 * 1024;
const ended = (result: unknown, error?: Call['error']) => ({ state: 'succeeded', result, error }) as Call;

test('keeps large results while they fit together, and lets the oldest go with a word', () => {
  let now = 0;
  const results = new Results(3 * megabyte, () => now);
  const small = ended('small');
  const large = Array.from({ length: 6 }, () => ended('x'.repeat(megabyte)));
  results.keep(small);
  for (const call of large) {
    now += 61_000;
    results.keep(call);
  }
  const kept = large.map(({ result }) => result !== undefined);
  expect(kept).toEqual([false, false, false, false, true, true]);
  expect(large[0]).toMatchObject({ state: 'succeeded', words: expect.stringContaining('ask the Tick') });
  expect(small).toMatchObject({ result: 'small' });
  expect(large[5]?.words).toBeUndefined();
});

test('lets nothing go that somebody may still be waiting for', () => {
  let now = 0;
  const results = new Results(megabyte, () => now);
  const [first, second, third] = [1, 2, 3].map(() => ended(null, { message: 'x'.repeat(megabyte), code: 7 }));
  for (const call of [first, second]) results.keep(call as Call);
  expect(first?.error?.message).toHaveLength(megabyte);
  now = 61_000;
  results.keep(third as Call);
  expect(first?.error).toMatchObject({
    code: 7,
    message: expect.stringMatching(/^x{400}… \(1048576 characters\)$/),
  });
  expect(second?.words).toBeDefined();
  expect(third?.words).toBeUndefined();
});
