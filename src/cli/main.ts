#!/usr/bin/env node
/** The command `tickmux`: surrounds, words for failures, exit code. What a command does stands elsewhere. */
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import type { Context } from './context.ts';
import { run } from './run.ts';

const context: Context = {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  entry: fileURLToPath(import.meta.url),
  version: packageJson.version,
};

// A reader that has seen enough (`tickmux log | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const code = await run(process.argv.slice(2), context);
// Everything printed first; then out, whatever is open: a host that is stopped never ends its connections.
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((flushed) => stream.write('', () => flushed()));
}
process.exit(code);
