/** Completion in real shells: what they offer for a command line that is being typed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureBuilt } from '../support/built.ts';
import { CliPlace, root } from '../support/cli.ts';
import { OuterTerminal } from '../support/outer-terminal.ts';

const isInstalled = (program: string) => spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status === 0;
const session = 'typed';
let place: CliPlace;
let bin: string;

beforeAll(async () => {
  ensureBuilt();
  place = new CliPlace();
  bin = join(place.directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'tickmux'), `#!/bin/sh\nexec "${process.execPath}" "${root}dist/cli.mjs" "$@"\n`);
  chmodSync(join(bin, 'tickmux'), 0o755);
  writeFileSync(join(place.directory, 'my work.jsonc'), '{}');
  await place.host(session);
  for (const _ of [1, 2]) await place.run(['-s', session, 'open', '--shell', '--', '/bin/cat']);
}, 60_000);
afterAll(() => place.end());

/** What bash would offer at the end of `line`. */
function bash(line: string): string[] {
  const script = `
    source <(tickmux completion bash)
    COMP_LINE=$1 COMP_POINT=\${#1}
    compopt() { :; }
    _tickmux
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['--norc', '-c', script, 'bash', line], {
    encoding: 'utf8',
    cwd: place.directory,
    env: { ...place.env, PATH: `${bin}:${place.env.PATH}` },
  });
  return output.split('\n').filter((word) => word !== '');
}

describe('bash', () => {
  it.each([
    ['tickmux kil', ['kill-session']],
    ['tickmux -s typed de', ['describe', 'demo', 'deny']],
    ['tickmux --ver', ['--version']],
    ['tickmux call --re', ['--reason']],
    ['tickmux -s ', [session]],
    ['tickmux kill-session -s ty', [session]],
    ['tickmux schema w', ['workspace']],
    ['tickmux completion ', ['bash', 'zsh', 'fish']],
    ['tickmux -f my', ['my work.jsonc']],
    ['tickmux attach --file my', ['my work.jsonc']],
    ['tickmux status call:1 --secret ', []],
  ])('completes %j', (line, words) => {
    expect(bash(line).sort()).toEqual([...words].sort());
  });

  it('completes instances of the session that is named, past the colon as bash needs it', () => {
    expect(bash(`tickmux -s ${session} screen `)).toEqual(['shell:1', 'shell:2']);
    expect(bash(`tickmux screen -s ${session} shell:`)).toEqual(['1', '2']);
    expect(bash('tickmux screen ')).toEqual([]);
  });

  it('completes programs after --', () => {
    expect(bash('tickmux open --shell -- tickm')).toEqual(['tickmux']);
  });
});

describe.skipIf(!isInstalled('zsh'))('zsh', () => {
  it('completes commands, options, sessions and instances', async () => {
    const functions = join(place.directory, 'functions');
    mkdirSync(functions);
    writeFileSync(join(functions, '_tickmux'), (await place.run(['completion', 'zsh'])).stdout);
    const setUp = `PS1='> ' fpath=(${functions} $fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' list-prompt ''`;
    const terminal = new OuterTerminal(['/usr/bin/env', 'zsh', '-f', '-i'], {
      cwd: place.directory,
      env: { ...place.env, PATH: `${bin}:${place.env.PATH}`, LANG: 'C.UTF-8' },
    });
    onTestFinished(() => terminal.kill());
    terminal.press(`${setUp}; echo $((20 + 2)) ready\r`);
    await terminal.shows('22 ready');
    const types = async (line: string, wanted: RegExp) => {
      terminal.press(`\x15\x0c${line}\t`);
      await terminal.shows(wanted);
    };
    await types('tickmux kil', /^> tickmux kill-session /m);
    await types('tickmux call --rea', /^> tickmux call --reason /m);
    await types('tickmux schema wo', /^> tickmux schema workspace /m);
    await types('tickmux -s ', /^> tickmux -s typed /m);
    await types(
      `tickmux screen -s ${session} `,
      /shell:1.*shell:2|shell:1\s+shell:2|screen -s typed shell:/s,
    );
    await types('tickmux -f my', /^> tickmux -f my\\ work\.jsonc/m);
  }, 90_000);
});

describe.skipIf(!isInstalled('fish'))('fish', () => {
  it.each([
    ['tickmux kil', /^kill-session\t/],
    [`tickmux -s ${session} screen sh`, /^shell:1\nshell:2\n$/],
  ])('completes %j', (line, words) => {
    const script = 'tickmux completion fish | source; complete -C "$argv[1]"';
    const { stdout } = spawnSync('/usr/bin/env', ['fish', '-N', '-c', script, line], {
      encoding: 'utf8',
      env: { ...place.env, PATH: `${bin}:${place.env.PATH}` },
    });
    expect(stdout).toMatch(words);
  });
});
