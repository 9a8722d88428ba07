/**
 * The bundled Ticks and the Ticks among the fixtures as programs that Node 20 can run: built once for each
 * state of the sources, whatever number of test files asks.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Inside `node_modules`, so that what is not bundled is found from there. */
const cache = join(root, 'node_modules', '.cache', 'tickmux-built-ticks');
const sources = [
  'src/protocol',
  'src/schema',
  'src/sdk',
  'src/ticks',
  'src/ticks/market',
  'test/fixtures/ticks',
];
const staleMs = 24 * 60 * 60 * 1000;

export interface Program {
  command: string;
  args: string[];
}

export interface BuiltTicks {
  counter: Program;
  /** The price stands still unless `--step MS` is added. */
  market: Program;
  note: Program;
  /** For what only a Tick made for tests can show. */
  workshop: Program;
}

export async function builtTicks(): Promise<BuiltTicks> {
  const directory = join(cache, fingerprint());
  if (!existsSync(directory)) await buildInto(directory);
  const node = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(directory, `${name}.mjs`), ...args],
  });
  return {
    counter: node('counter'),
    market: node('market', '--step', '86400000'),
    note: { command: 'python3', args: [join(root, 'src/ticks/note.py')] },
    workshop: node('workshop'),
  };
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const name of readdirSync(join(root, source)).sort()) {
      const { mtimeMs, size } = statSync(join(root, source, name));
      hash.update(`${source}/${name}\0${size}\0${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Test files run side by side: each builds on its own, the first to finish is kept. */
async function buildInto(directory: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const old = join(cache, name);
    if (Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? 0) > staleMs) {
      rmSync(old, { recursive: true, force: true });
    }
  }
  const draft = `${directory}.${process.pid}`;
  await build({
    config: false,
    cwd: root,
    entry: {
      counter: 'src/ticks/counter.ts',
      market: 'src/ticks/market.ts',
      workshop: 'test/fixtures/ticks/workshop.ts',
    },
    outDir: draft,
    dts: false,
    logLevel: 'error',
  });
  try {
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(directory)) throw error;
  }
}
