#!/usr/bin/env node
/**
 * Switches off one check of the protocol at a time and asks whether the test named after its
 * requirement notices. It never changes a file of the tree (see vitest.mutants.config.ts).
 *
 *   node scripts/mutants.mjs [H-5.3 ...]     only the requirements that begin so
 *
 * test/mutants/list.json holds
 *   mutants  { id, file, find, replace, test }: in `file` the text `find`, which must be there exactly
 *            once, becomes `replace`; then a test in `test` whose title begins with `id:` must fail
 *   covered  folders in which every requirement named by a title must have a mutant
 *   exempt   { id: reason } for those that can have none
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const atOnce = 2;
const { mutants, covered, exempt } = JSON.parse(readFileSync(join(root, 'test/mutants/list.json'), 'utf8'));
const wanted = process.argv.slice(2);
const chosen = mutants.filter(
  ({ id }) => wanted.length === 0 || wanted.some((start) => id.startsWith(start)),
);

const faults = [...mutants.flatMap(faultsOf), ...uncovered()];
if (faults.length > 0 || chosen.length === 0) {
  console.error(faults.length > 0 ? faults.join('\n') : 'No mutant has such an id.');
  process.exit(1);
}

const reports = mkdtempSync(join(tmpdir(), 'tickmux-mutants-'));
try {
  process.exitCode = (await unmutatedPass()) && (await allKilled()) ? 0 : 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}

/** A mutant that no longer fits the source would pass for killed, or for nothing. */
function faultsOf({ id, file, find, replace, test }) {
  const times = readFileSync(join(root, file), 'utf8').split(find).length - 1;
  const faults = [];
  if (times !== 1) faults.push(`${id}: ${file} holds ${JSON.stringify(find)} ${times} times instead of once`);
  if (find === replace) faults.push(`${id}: changes nothing in ${file}`);
  if (!titles(test).has(id)) faults.push(`${id}: no title in ${test} begins with "${id}: "`);
  return faults;
}

function uncovered() {
  const mutated = new Set(mutants.map(({ id }) => id));
  const named = covered.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.test.ts'))
      .flatMap((name) => [...titles(`${folder}/${name}`)]),
  );
  const missing = [...new Set(named)].filter((id) => !mutated.has(id) && !Object.hasOwn(exempt, id)).sort();
  return missing.map((id) => `${id}: named by a title, but has no mutant and no reason to be exempt`);
}

function titles(test) {
  const source = readFileSync(join(root, test), 'utf8');
  return new Set([...source.matchAll(/['"`](H-\d+(?:\.\d+)?-\d+[a-z]?): /g)].map(([, id]) => id));
}

/** Otherwise a test that is broken anyway would kill every mutant. */
async function unmutatedPass() {
  const files = [...new Set(chosen.map(({ test }) => test))];
  const results = await inParallel(files, async (file) => ({
    file,
    ...(await run(file, '(^| )H-\\d', null)),
  }));
  const failing = results.filter(({ passed, failed }) => failed > 0 || passed === 0);
  for (const { file, output } of failing) console.error(`${file} fails without any mutation.\n${output}`);
  return failing.length === 0;
}

async function allKilled() {
  const survivors = [];
  const broken = [];
  await inParallel(chosen, async (mutant) => {
    const pattern = `(^| )${mutant.id.replaceAll('.', '\\.')}: `;
    const { passed, failed, output } = await run(mutant.test, pattern, mutant);
    const name = `${mutant.id} (${mutant.file}: ${mutant.find.split('\n')[0].trim()})`;
    if (failed > 0) return;
    if (passed > 0) survivors.push(name);
    else broken.push(`${name}\n${output}`);
  });
  for (const text of broken) console.error(`No test could be run with ${text}`);
  const killed = chosen.length - survivors.length - broken.length;
  const list = survivors.length > 0 ? survivors.map((name) => `\n  ${name}`).join('') : ' none';
  console.log(`${chosen.length} mutants, ${killed} killed, survivors:${list}`);
  return survivors.length === 0 && broken.length === 0;
}

/** Runs the tests of one file whose full names match `pattern`, with `mutant` in place. */
function run(test, pattern, mutant) {
  return new Promise((resolve) => {
    const report = join(mkdtempSync(join(reports, 'run-')), 'report.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const options = ['--config', 'vitest.mutants.config.ts', '--reporter=json', `--outputFile=${report}`];
    const child = spawn(process.execPath, [vitest, 'run', test, '-t', pattern, ...options], {
      cwd: root,
      env: { ...process.env, TEST_MUTANT: JSON.stringify(mutant) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('close', () => {
      const { numPassedTests: passed, numFailedTests: failed } = readReport(report);
      resolve({ passed, failed, output });
    });
  });
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}

async function inParallel(items, work) {
  const queue = items.entries();
  const results = [];
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
