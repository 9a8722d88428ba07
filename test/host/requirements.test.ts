/** Every requirement of the Tick protocol that binds a host has a test by its id and a mutant that the test kills. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const tests = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(tests, path), 'utf8');
/** The ids of tick.md, as they stand there. */
const ids: string[] = JSON.parse(read('fixtures/host/requirements.json'));
const { mutants, exempt } = JSON.parse(read('mutants/list.json')) as {
  mutants: { id: string; file: string; find: string }[];
  exempt: Record<string, string>;
};
const named = new Set(
  readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...read(name).matchAll(/['"`](H-\d+(?:\.\d+)?-\d+[a-z]?): /g)])
    .map(([, id]) => id as string),
);
const mutated = new Set(mutants.map(({ id }) => id));

test.each(ids)('%s is named by a test and has a mutant, or a reason to have none', (id) => {
  const reason = exempt[id];
  expect(named.has(id) || reason).toBeTruthy();
  expect(mutated.has(id) || reason).toBeTruthy();
});

test('what is exempt says why, and every id that is named is one of the protocol', () => {
  for (const reason of Object.values(exempt)) expect(reason.length).toBeGreaterThan(20);
  const known = new Set(ids);
  expect([...named, ...mutated, ...Object.keys(exempt)].filter((id) => !known.has(id))).toEqual([]);
});

test('every mutant still fits the source: it would pass for killed otherwise', () => {
  const times = mutants.map(({ id, file, find }) => [id, read(join('..', file)).split(find).length - 1]);
  expect(times.filter(([, count]) => count !== 1)).toEqual([]);
});
