/** The test's hand on test/fixtures/host/puppet.mjs: starts it, pulls its strings, reads what it received. */
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Descriptor, Json, JsonObject, State } from '../../src/protocol/messages.ts';

const program = fileURLToPath(new URL('../fixtures/host/puppet.mjs', import.meta.url));

export interface PuppetMembers {
  descriptor?: Descriptor;
  state?: State;
  describe?: Json;
}

interface Strings {
  become: PuppetMembers;
  declare: Partial<Descriptor>;
  update: Json;
  answer: { tool: string; result?: Json; error?: { code: number; message: string } };
  draw: string;
  print: string;
  exit: number;
}

export class Puppet {
  readonly directory: string;
  instance = '';

  constructor(directory: string) {
    this.directory = directory;
  }

  command(members: PuppetMembers = {}): [string, ...string[]] {
    return [process.execPath, program, this.directory, JSON.stringify(members)];
  }

  on(instance: string): this {
    this.instance = instance;
    return this;
  }

  /** Resolves when the puppet has done it. */
  pull<S extends keyof Strings>(string: S, value: Strings[S]): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(join(this.directory, 'control.sock'));
      socket.on('error', reject);
      socket.on('data', () => {
        socket.destroy();
        resolve();
      });
      // It has exited, as it was told.
      socket.on('close', () => resolve());
      socket.write(`${JSON.stringify([string, value])}\n`);
    });
  }

  get started(): { pid: number; env: Record<string, string>; argv: string[]; cwd: string } {
    return JSON.parse(readFileSync(join(this.directory, 'started'), 'utf8'));
  }

  /** Every byte it received. */
  get received(): string {
    const path = join(this.directory, 'received');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** The calls it received, with the text of their arguments as it came. */
  get calls(): { tool: string; argsText: string; revision: string }[] {
    return this.received
      .split('\n')
      .filter((line) => line.includes('"tick/call"'))
      .map((line) => {
        const { params } = JSON.parse(line) as {
          params: { tool: string; args: JsonObject; revision: string };
        };
        const argsText = line.slice(line.indexOf('"args":') + 7, line.lastIndexOf(',"revision":'));
        return { tool: params.tool, argsText, revision: params.revision };
      });
  }
}
