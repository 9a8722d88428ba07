import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LaunchError, resolveProgram } from '../../src/launch/index.ts';

let directory: string;
const at = (name: string) => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tickmux-test-'));
  mkdirSync(at('bin'));
  mkdirSync(at('other'));
  const file = (name: string, text: string, mode: number) => {
    writeFileSync(at(name), text);
    chmodSync(at(name), mode);
  };
  file('bin/good', '#!/bin/sh\n', 0o755);
  file('bin/plain', 'text', 0o644);
  file('other/plain', '#!/usr/bin/env sh\n', 0o755);
  file('bin/orphan', '#! /no/such/interpreter -x\n', 0o755);
  file('bin/windows', '#!/bin/sh\r\n', 0o755);
  file('bin/wants', '#!/usr/bin/env no-such-program\n', 0o755);
  file('bin/assigns', '#!/usr/bin/env -S A=b sh\n', 0o755);
  symlinkSync('good', at('bin/link'));
  symlinkSync('nothing', at('bin/dangling'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function failure(command: string, cwd = directory, PATH = at('bin')): LaunchError {
  try {
    resolveProgram(command, cwd, PATH);
  } catch (error) {
    expect(error).toBeInstanceOf(LaunchError);
    return error as LaunchError;
  }
  throw new Error(`${command} was found`);
}

describe('resolveProgram', () => {
  test('H-4.1-1: finds an absolute path by PATH, by a relative path and through a link', () => {
    expect(resolveProgram('good', '/', at('bin'))).toBe(at('bin/good'));
    expect(resolveProgram('./bin/good', directory, '')).toBe(at('bin/good'));
    expect(resolveProgram(at('bin/link'), '/', undefined)).toBe(at('bin/link'));
    expect(resolveProgram('good', at('bin'), ':/nowhere')).toBe(at('bin/good'));
    expect(resolveProgram('sh', '/', undefined)).toMatch(/^\/.*\/sh$/);
    expect(resolveProgram('assigns', '/', `${at('bin')}:/usr/bin`)).toBe(at('bin/assigns'));
  });

  test('passes over a file that may not be run while another may', () => {
    expect(resolveProgram('plain', '/', `${at('bin')}:${at('other')}:/usr/bin:/bin`)).toBe(at('other/plain'));
    expect(failure('plain')).toMatchObject({ code: 'EACCES', path: at('bin/plain') });
  });

  test.each([
    ['no-such', 'ENOENT', 'no program of that name in PATH'],
    ['', 'ENOENT', 'no program of that name in PATH'],
    ['./no-such', 'ENOENT', 'does not exist'],
    ['bin/dangling', 'ENOENT', 'does not exist'],
    ['./bin', 'EISDIR', 'is a directory'],
    ['bin/good/x', 'ENOTDIR', 'is not a directory'],
    ['bin/plain', 'EACCES', 'chmod +x'],
    ['/dev/null', 'EACCES', 'not a regular file'],
    ['orphan', 'ENOENT', 'asks for "/no/such/interpreter", which does not exist'],
    ['windows', 'ENOENT', 'carriage return'],
    ['wants', 'ENOENT', 'asks for "no-such-program", which is not in PATH'],
  ])('says why %j cannot be started (%s)', (command, code, words) => {
    const error = failure(command);
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
  });

  test('H-4.1-2: refuses a working directory that is missing, relative or a file', () => {
    expect(failure('good', at('gone'))).toMatchObject({ code: 'ENOENT', path: at('gone') });
    expect(failure('good', at('bin/good'))).toMatchObject({ code: 'ENOTDIR' });
    expect(failure('good', 'bin')).toMatchObject({ code: 'EINVAL' });
    expect(failure('good', at('gone')).message).toBe(
      `Cannot start in ${at('gone')}: it does not exist. Choose another directory.`,
    );
  });

  test('keeps control characters of a command out of the message', () => {
    expect(failure('\u001b[2J').message).not.toContain('\u001b');
  });
});
