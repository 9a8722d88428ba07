/** `npm start`: installs and builds what is missing, then opens the demo workspace in this terminal. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, root } from './build.mjs';
import { install } from './install.mjs';

if (!process.stdin.isTTY || !process.stdout.isTTY) {
  process.stderr.write(
    'tickmux: `npm start` opens tickmux in a terminal, and standard input or output is none here.\n' +
      'Run it in a terminal window, or for scripts see `node dist/cli.mjs --help` (after `npm run build`).\n',
  );
  process.exit(2);
}
if (!install() || !build()) process.exit(1);

const cli = join(root, 'dist', 'cli.mjs');
// In this process, so that the terminal has one owner.
process.argv = [process.execPath, cli, 'demo', ...process.argv.slice(2)];
await import(pathToFileURL(cli).href);
