import { describe, expect, test } from 'vitest';
import { cleanEnvironment } from '../../src/launch/index.ts';

describe('cleanEnvironment', () => {
  test('H-4.1-3: keeps the environment of the user', () => {
    const env = { HOME: '/home/x', LANG: 'C.UTF-8', 'odd-name': '1', TMUX_TMPDIR: '/t', WINDOWS: 'y' };
    expect(cleanEnvironment(env)).toEqual({ ...env, TERM: 'xterm-256color', COLORTERM: 'truecolor' });
  });

  test('H-4.1-3: drops what tells of another terminal, another multiplexer or of tickmux', () => {
    const names = ['TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'WINDOWID', 'TERMCAP', 'COLUMNS', 'LINES', 'ZELLIJ'];
    names.push(
      'ZELLIJ_PANE_ID',
      'TICKMUX_INSTANCE',
      'TICKMUX_ANYTHING',
      'TICKLOOP_INSTANCE_ID',
      'TICKLOOP_X',
    );
    names.push('TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'VTE_VERSION', 'KITTY_WINDOW_ID', 'WEZTERM_PANE');
    const env = Object.fromEntries(names.map((name) => [name, 'stale']));
    expect(cleanEnvironment({ ...env, TERM: 'screen' })).toEqual({
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
    });
  });

  test('drops the variables that hold keys of tickmux, and leaves its argument alone', () => {
    const env = Object.freeze({ MODEL_KEY: 'secret', PATH: '/bin', GONE: undefined });
    expect(cleanEnvironment(env, ['MODEL_KEY'])).toEqual({
      PATH: '/bin',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
    });
  });
});
