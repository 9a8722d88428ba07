/** The doctor: every check against something well and something wrong, and the terminal it mends. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkClock, checkNode, checkPython, checkTerminals } from '../../src/cli/doctor/machine.ts';
import { checkConfig, checkNesting, checkRunDirectory } from '../../src/cli/doctor/surroundings.ts';
import { checkVariables, judge, resetSequence } from '../../src/cli/doctor/terminal.ts';
import { sessionPaths } from '../../src/platform/paths.ts';
import { Screen } from '../../src/screen/index.ts';
import { enterSequence } from '../../src/tui/stage/terminal.ts';

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tickmux-doctor-'));
  env = { HOME: home, PATH: process.env.PATH };
});
afterEach(() => rmSync(home, { recursive: true }));

const states = (checks: { name: string; state: string }[]) =>
  checks.map(({ name, state }) => `${name} ${state}`);

describe('the machine', () => {
  it('needs a Node that is new enough', () => {
    expect(checkNode()).toMatchObject({ state: 'ok' });
    expect(checkNode('20.18.3')).toMatchObject({ state: 'fail', found: '20.18.3 is too old' });
  });

  it('opens terminals', async () => {
    expect(await checkTerminals(env)).toMatchObject({ state: 'ok' });
  });

  it('may lack Python, or have one that does not run', () => {
    const python = (script: string) => {
      writeFileSync(join(home, 'python3'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      return checkPython({ PATH: home });
    };
    expect(checkPython({ PATH: home })).toMatchObject({ state: 'warn', found: 'is not in PATH' });
    expect(python('echo Python 3.99.0')).toMatchObject({ state: 'ok', found: 'Python 3.99.0' });
    expect(python('echo no such version >&2; exit 127')).toMatchObject({
      state: 'warn',
      found: 'does not run: no such version',
    });
    expect(python('exit 3')).toMatchObject({
      state: 'warn',
      found: 'does not run: `python3 --version` ended with 3',
    });
  });

  it('has a clock that goes evenly, in our years', () => {
    expect(checkClock().state).toBe('ok');
    expect(checkClock(0, 0).state).toBe('fail');
    const now = Date.now();
    expect(checkClock(now, now - 60_000)).toMatchObject({
      state: 'warn',
      found: 'was moved by 60 s a moment ago',
    });
  });
});

describe('the run directory', () => {
  const check = (more: NodeJS.ProcessEnv = {}) => {
    const all = { ...env, ...more };
    return checkRunDirectory(sessionPaths('s', all), all);
  };
  const { run } = sessionPaths('s', { HOME: '' });

  it('need not be there', () => {
    expect(check()).toMatchObject({ state: 'ok', found: expect.stringContaining(home) });
    expect(run).toContain('/run/s');
  });

  it('is this person’s alone, and no link', () => {
    const paths = sessionPaths('s', env);
    mkdirSync(join(paths.run, '..'), { recursive: true });
    symlinkSync(home, paths.run);
    expect(check()).toMatchObject({ state: 'fail', next: 'remove it' });
    rmSync(paths.run);
    mkdirSync(paths.run);
    chmodSync(paths.run, 0o755);
    expect(check()).toMatchObject({ state: 'warn', found: expect.stringContaining('mode 755') });
    chmodSync(paths.run, 0o700);
    expect(check().state).toBe('ok');
  });

  it('has a path that is short enough for a socket, or another one', () => {
    expect(check({ XDG_STATE_HOME: `/${'x'.repeat(100)}` })).toMatchObject({
      state: 'warn',
      found: expect.stringContaining('too long for a socket'),
    });
  });
});

describe('variables', () => {
  it('are checked', () => {
    expect(
      states(checkVariables({ TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'de_DE.utf8' })),
    ).toEqual(['TERM ok', 'COLORTERM ok', 'locale ok']);
    expect(states(checkVariables({ TERM: 'dumb', LC_ALL: 'C', LANG: 'C.UTF-8' }))).toEqual([
      'TERM fail',
      'COLORTERM warn',
      'locale warn',
    ]);
  });

  it('tell what is around this terminal', () => {
    expect(checkNesting({}).state).toBe('ok');
    expect(checkNesting({ TMUX: '/tmp/tmux' }).found).toContain('tmux');
    expect(checkNesting({ TICKMUX_INSTANCE: 'shell:1' }).found).toContain('shell:1');
  });
});

it('tells every mistake of the configuration', () => {
  expect(checkConfig(env)).toMatchObject([{ state: 'ok' }]);
  mkdirSync(join(home, '.config/tickmux'), { recursive: true });
  const file = join(home, '.config/tickmux/config.jsonc');
  writeFileSync(file, '{ "prefx": "C-a",\n "scrollback": -1 }');
  expect(checkConfig(env)).toMatchObject([
    { state: 'fail', found: `${file}:1:3: there is no "prefx": did you mean "prefix"?` },
    { state: 'fail', found: `${file}:2:16: scrollback must be at least 0` },
  ]);
});

describe('answers of a terminal', () => {
  it('say what it can do', () => {
    const kitty = '\x1b[?0u\x1b[?2026;2$y\x1bP1$r0;48:2::1:2:3m\x1b\\\x1b[?62;4c';
    expect(states(judge(kitty))).toEqual([
      'terminal ok',
      'keyboard ok',
      'synchronized output ok',
      'colours ok',
    ]);
    expect(states(judge('\x1b[?2026;0$y\x1b[?1;2c'))).toEqual([
      'terminal ok',
      'keyboard warn',
      'synchronized output warn',
      'colours warn',
    ]);
  });

  it('that do not come are a failure', () => {
    expect(judge('')).toMatchObject([{ name: 'terminal', state: 'fail' }]);
  });
});

describe('a terminal that a view left without a word', () => {
  it('is mended in every mode, on both of its screens', () => {
    const screen = new Screen({ cols: 20, rows: 4 });
    const feed = (text: string) => {
      screen.write(Buffer.from(text));
      while (screen.parse(1_000));
    };
    const { modes } = screen.frame(0);
    feed('\x1b[>1u');
    feed(`${enterSequence}\x1b[>5u\x1b[=31;1u\x1b[>4;1m\x1b[?1003h\x1b=\x1b[?1h`);
    expect(screen.frame(0).modes.kittyKeyboard).toBe(31);
    feed(resetSequence);
    expect(screen.frame(0).modes).toEqual(modes);
    feed('\x1b[?1049h');
    expect(screen.frame(0).modes).toEqual({ ...modes, alternateScreen: true });
    screen.dispose();
  });
});
