/** Configuration, memory, workspaces and the doctor of the built product, in real terminals. */
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { JsoncText } from '../../src/cli/jsonc.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { builtCli, prefix, TestSession } from '../support/end-to-end.ts';
import { until } from '../support/outer-terminal.ts';

let cli: string;
beforeAll(() => {
  cli = builtCli();
}, 120_000);

function configure(session: TestSession, text: string): void {
  const directory = join(session.directory, 'config/tickmux');
  mkdirSync(directory, { recursive: true });
  // As editors save: whole, then in place of the old one.
  writeFileSync(join(directory, 'config.jsonc.new'), text);
  renameSync(join(directory, 'config.jsonc.new'), join(directory, 'config.jsonc'));
}
const file = (session: TestSession, name: string) => join(session.directory, name);
const run = async (session: TestSession, ...args: string[]) => {
  const terminal = session.terminal([process.execPath, cli, ...args]);
  const { code } = await terminal.exits();
  return { code, text: terminal.text };
};

it('has the prefix, shell and scrollback it was given, and takes a newer text at once', async () => {
  const session = new TestSession(cli);
  configure(session, '{ "prefix": "C-a", "shell": "/bin/bash", "scrollback": 7 }');
  const screen = session.tickmux();
  await screen.shows('shell:1 bash', 'C-a ?');
  screen.press('echo "SHELL is $SHELL"\r');
  await screen.shows('SHELL is /bin/bash');
  configure(session, '{ "prefix": "C-t", "keys": { "zoom": "Z" } }');
  await screen.shows('Settings read anew.');
  screen.press('\x14');
  screen.press('z');
  await screen.shows('C-t z does nothing: C-t ? lists the keys.');
  configure(session, '{ "prefix": "C-a", "keys": { "zomo": "Z" } }');
  await screen.shows('config.jsonc:1:30: there is no "zomo" in keys: did you mean "zoom"?');
  configure(session, '{ "prefix": "C-t"');
  await screen.shows('config.jsonc:1:18: a closing brace is expected here');
  screen.press('\x01');
  screen.press('d');
  expect((await screen.exits()).code).toBe(0);
  expect(screen.text).toContain('Detached.');
});

it('starts all the same with a text that is wrong, and says so', async () => {
  const session = new TestSession(cli);
  configure(session, '{ "theme": "none", "playbook": "no.jsonc" }');
  const screen = session.tickmux();
  await screen.shows(
    'shell:1 sh',
    '2 mistakes, see tickmux doctor: config.jsonc:1:12: there is no theme "none"',
  );
  const operator = await session.operator();
  const { entries } = await operator.request(operatorApi.log, { lines: 20 });
  expect(entries.map(({ text }) => text).join('\n')).toContain('playbook: there is no file');
});

it('remembers theme, inspector and command lines from view to view', async () => {
  const session = new TestSession(cli);
  const first = session.tickmux();
  await first.shows('shell:1 sh', 'State');
  first.press(`${prefix}:theme dusk\r`);
  first.press(`${prefix}:hide-inspector\r`);
  await first.hides('State');
  const path = file(session, 'tickmux/remembered.json');
  await until('it is written down', () => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')).inspector === 'hidden';
    } catch {
      return false;
    }
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  first.press(`${prefix}d`);
  await first.exits();
  const second = session.tickmux();
  await second.shows('shell:1 sh');
  expect(second.text).not.toContain('State');
  // Dusk is the one with colours of its own.
  expect(second.raw).toMatch(/[34]8[:;]2[:;]/);
  second.press(`${prefix}:`);
  await second.shows('Commands');
  second.press('\x1b[A\x1b[A');
  await second.shows(': theme dusk');
});

const workspace = `{
  // three programs
  "tabs": [
    {
      "name": "work",
      "root": {
        "columns": [
          { "name": "left", "shell": true, "command": ["/bin/cat"], "weight": 3 },
          { "rows": [{ "shell": true }, { "name": "low", "shell": true, "command": ["/bin/cat", "-u"], "weight": 2 }] },
        ],
      },
    },
    { "name": "other", "root": { "shell": true, "command": ["/bin/sh", "-i"], "name": "sub" } },
  ],
}`;

it('opens a workspace, saves it, and opens what it saved as the same again', async () => {
  const session = new TestSession(cli);
  writeFileSync(file(session, 'work.jsonc'), workspace);
  const screen = session.tickmux(['-f', 'work.jsonc']);
  await screen.shows('shell:1 left', 'shell:2 sh', 'shell:3 low', '1 work*', '2 other');
  const { layout } = await session.picture();
  expect(layout.tabs[0]?.root).toMatchObject({
    axis: 'columns',
    weights: [3, 1],
    children: [{ instance: 'shell:1' }, { axis: 'rows', weights: [1, 2] }],
  });

  expect(await run(session, '-s', session.name, 'save', 'saved.jsonc')).toMatchObject({ code: 0 });
  const again = await run(session, '-s', session.name, 'save', 'saved.jsonc');
  expect(again.code).toBe(1);
  expect(again.text).toMatch(/saved\.jsonc exists already/);
  const text = readFileSync(file(session, 'saved.jsonc'), 'utf8');
  expect(text).not.toContain('XDG_STATE_HOME');

  screen.press(`${prefix}d`);
  await screen.exits();
  const copy = new TestSession(cli, 'copy');
  writeFileSync(file(copy, 'saved.jsonc'), text);
  const second = copy.tickmux(['-f', 'saved.jsonc']);
  await second.shows('shell:1 left', '2 other');
  expect((await copy.picture()).layout).toEqual(layout);
  const before = new JsoncText(text).value;
  await run(copy, '-s', 'copy', 'save', 'third.jsonc');
  expect(new JsoncText(readFileSync(file(copy, 'third.jsonc'), 'utf8')).value).toEqual(before);
});

it('opens no workspace in a session that has programs, and says what to do', async () => {
  const session = new TestSession(cli);
  writeFileSync(file(session, 'work.jsonc'), workspace);
  const screen = session.tickmux();
  await screen.shows('shell:1 sh');
  const { code, text } = await run(session, '-s', session.name, '-f', 'work.jsonc');
  expect(code).toBe(1);
  expect(text.replaceAll('\n', ' ')).toMatch(/already has a program.*tickmux -s NAME -f work\.jsonc/);
});

it('starts nothing for a workspace with a mistake', async () => {
  const session = new TestSession(cli);
  writeFileSync(file(session, 'work.jsonc'), '{\n  "tabs": [{ "root": { "shel": true } }]\n}');
  const { code, text } = await run(session, '-s', session.name, '-f', 'work.jsonc');
  expect(code).toBe(1);
  expect(text).toMatch(/work\.jsonc:2:24: there is no "shel" in\s+tabs\[0\]\.root: did you mean "shell"\?/);
  expect(session.processes).toEqual([]);
});

it('shows what did open of a workspace, and says what did not', async () => {
  const session = new TestSession(cli);
  writeFileSync(
    file(session, 'work.jsonc'),
    '{ "tabs": [{ "root": { "rows": [{ "shell": true }, { "name": "ghost", "command": ["./no-tick"] }] } }] }',
  );
  const screen = session.tickmux(['-f', 'work.jsonc']);
  await screen.shows('shell:1 sh', 'ghost did not open');
});

it('asks the terminal what it can do', async () => {
  const session = new TestSession(cli);
  const { code, text } = await run(session, 'doctor');
  expect(code).toBe(0);
  expect(text).toMatch(/^ok +terminal +answers/m);
  expect(text).toMatch(/^(ok|warn) +keyboard/m);
  expect(text).toMatch(/^ok +node-pty/m);
});

it('puts a terminal in order that was left in a bad state', async () => {
  const session = new TestSession(cli);
  const bad =
    '\\033[?1049h\\033[?1003h\\033[?1006h\\033[?2004h\\033[?1004h\\033[?25l\\033[?7l\\033[?1h\\033[2;5r\\033(0\\033[31m';
  const terminal = session.terminal([
    '/bin/sh',
    '-c',
    `stty raw -echo; printf '${bad}'; "$0" "$1" doctor --reset; stty -a`,
    process.execPath,
    cli,
  ]);
  expect((await terminal.exits()).code).toBe(0);
  await terminal.shows('The terminal is in order again.', / icanon/, / echo/);
  expect(terminal.modes).toEqual({
    screen: 'normal',
    cursor: true,
    mouse: 'none',
    paste: false,
    focus: false,
    wraps: true,
    cursorKeys: false,
  });
});
