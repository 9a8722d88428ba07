/**
 * `npm run picture`: opens the demo in a terminal of its own, enters the first approval card and draws
 * what is on the screen as docs/screen.svg, the picture of the README.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import pty from 'node-pty';
import { build, root } from './build.mjs';
import { drawSvg } from './picture/svg.mjs';

const cols = 150;
const rows = 40;

if (!build()) process.exit(1);
const state = mkdtempSync(join(tmpdir(), 'tickmux-picture-'));
const env = { ...process.env, XDG_STATE_HOME: state, TERM: 'xterm-256color' };
const cli = join(root, 'dist', 'cli.mjs');
const screen = new xterm.Terminal({ cols, rows, allowProposedApi: true });
const program = pty.spawn(process.execPath, [cli, 'demo'], { cols, rows, env, cwd: root });
program.onData((data) => screen.write(data));
screen.onData((reply) => program.write(reply));

const line = (y) => screen.buffer.active.getLine(y)?.translateToString(true) ?? '';
const text = () => Array.from({ length: rows }, (_, y) => line(y)).join('\n');

try {
  await shows(/1 waiting/);
  await shows(/▁|▂|▃/);
  program.write('\x02a');
  await shows(/digest[\s\S]*y once/);
  writeFileSync(join(root, 'docs', 'screen.svg'), drawSvg(screen));
} finally {
  const ended = new Promise((resolve) => program.onExit(resolve));
  execFileSync(process.execPath, [cli, '-s', 'demo', 'kill-session'], { env });
  await ended;
  rmSync(state, { recursive: true, force: true });
}

/** Waits until the screen matches; fails with what is on it after a minute. */
async function shows(pattern) {
  const deadline = Date.now() + 60_000;
  while (!pattern.test(text())) {
    if (Date.now() > deadline) throw new Error(`The screen never showed ${pattern}:\n${text()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
