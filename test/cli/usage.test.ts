/** What the command line makes of wrong usage, of no terminal and of no host. Nothing here may start one. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useCliPlace } from '../support/cli.ts';

const place = useCliPlace();

describe('help', () => {
  it('documents the exit codes', async () => {
    const { code, stdout, stderr } = await place.run(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Exit codes:\n +0 .*\n +1 .*\n +2 .*\n +3 /);
  });

  it('is there for each command, with its options', async () => {
    const { code, stdout } = await place.run(['call', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--reason');
    expect(stdout).toContain('--json');
  });

  it('tells the version', async () => {
    expect((await place.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe.each([
  ['an unknown command', ['dance'], "unknown command 'dance'"],
  ['an unknown option', ['ls', '--fast'], "unknown option '--fast'"],
  ['a missing argument', ['call', 'hosted:1'], 'missing required argument'],
  ['something that is no instance', ['read', 'counter'], '"counter" names no instance'],
  ['something that is no call', ['approve', 'x'], '"x" names no call'],
  ['arguments that are not JSON', ['call', 'hosted:1', 'add', '{a}'], 'not JSON'],
  ['arguments that are no object', ['call', 'hosted:1', 'add', '[1]'], 'JSON object'],
  ['a number out of range', ['log', '-n', '5000'], 'from 0 to 1000'],
  ['a session that is no name', ['-s', '../x', 'ls'], 'cannot name a session'],
  ['nothing to open', ['open'], 'tickmux open -- CMD'],
])('%s', (_, args, words) => {
  it('exits with 2 and says what is wrong', async () => {
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

it('says where more is told of the command that was mistyped', async () => {
  expect((await place.run(['call', 'hosted:1'])).stderr).toContain('(tickmux call --help tells');
  expect((await place.run(['ls', '--fast'])).stderr).toContain('(tickmux ls --help tells');
  expect((await place.run(['dance'])).stderr).toContain('(tickmux --help lists');
});

it('says in words why a playbook cannot be read', async () => {
  const { code, stderr } = await place.run(['host', '--playbook', 'nowhere.jsonc', '-s', 'usage']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^tickmux: The playbook \S+nowhere\.jsonc cannot be read: there is no such file\.$/m,
  );
  expect(stderr).not.toContain('ENOENT');
  expect((await place.run(['host', '--playbook', '.', '-s', 'usage'])).stderr).toContain('it is a directory');
});

describe.each([[[]], [['-s', 'other']], [['--', 'ls']], [['attach']], [['demo']]])(
  'without a terminal, tickmux %j',
  (args) => {
    it('says what to do, exits with 2, starts nothing and sends no escape codes', async () => {
      const { code, stdout, stderr } = await place.run(args, { FORCE_COLOR: '3' });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('Run it in a terminal');
      expect(stderr).not.toContain('\u001b');
      expect(existsSync(place.paths('main').run)).toBe(false);
    });
  },
);

describe('without a host', () => {
  it.each([
    [['ls']],
    [['read', 'hosted:1']],
    [['pending']],
    [['log']],
    [['kill-session']],
    [['open', '--shell', '--', 'cat']],
  ])('%j exits with 1 and says how to start one', async (args) => {
    const { code, stdout, stderr } = await place.run(['-s', 'none', ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('tickmux: No host runs for session none: start it with `tickmux -s none`.\n');
  });

  it('tells it to programs as JSON', async () => {
    const { code, stdout } = await place.run(['ls', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ error: { message: expect.stringContaining('No host runs') } });
  });
});
