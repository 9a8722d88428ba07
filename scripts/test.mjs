/**
 * `npm test`: installs and builds what is missing, checks types, style and unused code, runs the tests, and
 * ends with one line that counts them. Arguments go to vitest.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, root } from './build.mjs';
import { install } from './install.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);

/** No escape codes where nobody looks at a terminal, whatever the environment says. */
const { FORCE_COLOR, ...plain } = process.env;
const env = process.stdout.isTTY ? process.env : { ...plain, NO_COLOR: '1' };

/** Runs a program; resolves to whether it ended with 0, with what it printed unless that was shown. */
function run(program, args, stdio) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

async function check(name, program, args) {
  const began = Date.now();
  const { ok, output } = await run(program, args, ['ignore', 'pipe', 'pipe']);
  console.log(`${name}: ${ok ? 'ok' : 'FAILED'} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  if (!ok) console.log(output.trimEnd());
  return ok ? [] : [name];
}

/** Counts tests by vitest's own report; a file that did not even load counts as one that failed. */
function count(report) {
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const broken = results.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  );
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + broken.length,
    skipped: results.numPendingTests + (results.numTodoTests ?? 0),
  };
}

async function tests(args) {
  const directory = mkdtempSync(join(tmpdir(), 'tickmux-test-'));
  const report = join(directory, 'report.json');
  const { ok } = await run(
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
    ['ignore', 'inherit', 'inherit'],
  );
  const counted = count(report);
  rmSync(directory, { recursive: true });
  return { ok: ok && counted.failed === 0, ...counted };
}

if (!install()) process.exit(1);
const failed = [];
if (!build()) failed.push('build');
const [types, rest] = await Promise.all([
  check('types', bin('tsc'), ['--noEmit']),
  check('lint', bin('biome'), ['check', '--error-on-warnings']).then(async (lint) => [
    ...lint,
    ...(await check('unused', bin('knip'), [])),
  ]),
]);
failed.push(...types, ...rest);
const result = await tests(process.argv.slice(2));
if (!result.ok) failed.push('tests');

if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}.`);
const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : '';
console.log(`\n${result.passed} passed, ${result.failed} failed${skipped}`);
process.exitCode = failed.length > 0 ? 1 : 0;
