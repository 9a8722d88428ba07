/** The help, held against the command line itself: nothing is left out, nothing is made up. */
import { describe, expect, it } from 'vitest';
import { commandPages } from '../../src/cli/help.ts';
import { useCliPlace } from '../support/cli.ts';

const place = useCliPlace();

it('has a page for every command, and for nothing else', async () => {
  const { stdout } = await place.run(['--help']);
  const [, list = ''] = /\nSessions:\n([\s\S]*?)\n\n`tickmux COMMAND/.exec(stdout) ?? [];
  const commands = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name);
  expect(commands.filter((name) => name !== 'help').sort()).toEqual(Object.keys(commandPages).sort());
});

describe.each(Object.keys(commandPages))('tickmux %s --help', (command) => {
  it('says synopsis, options, exit codes and examples, in at most 100 columns', async () => {
    const { code, stdout, stderr } = await place.run([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: tickmux ${command}`));
    for (const section of ['Options:', 'Exit codes:', 'Examples:'])
      expect(stdout).toContain(`\n${section}\n`);
    expect(stdout.split('\n').filter((line) => line.length > 100 && !line.includes('tickmux '))).toEqual([]);
  });
});

it('says defaults', async () => {
  expect((await place.run(['log', '--help'])).stdout).toContain('(default: 20)');
  expect((await place.run(['status', '--help'])).stdout).toContain('(default: 0)');
});
