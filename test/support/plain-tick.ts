import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../fixtures/host/plain-tick.sh', import.meta.url));

/** The command of a Tick that costs a few milliseconds to start and one megabyte to keep. */
export function plainTick(name: string): [string, ...string[]] {
  return ['/bin/sh', program, name];
}
