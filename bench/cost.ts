/** What processes cost, read from Linux's `/proc`. Knows no multiplexer. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Cost {
  /** User and system time so far, in milliseconds, in steps of ten. */
  cpuMs: number;
  /** Memory in MB, with what processes share counted once. */
  memoryMb: number;
}

/** Sums up the processes that have `mark` in their environment and a name that fits `name`. */
export function costOf(mark: string, name: RegExp): Cost {
  let [cpuMs, memoryKb] = [0, 0];
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, comm = '', rest = ''] = /\((.*)\) (.*)/s.exec(read(pid, 'stat')) ?? [];
      if (!name.test(comm) || !read(pid, 'environ').includes(mark)) continue;
      const fields = rest.split(' ');
      cpuMs += (Number(fields[11]) + Number(fields[12])) * 10;
      memoryKb += Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0);
    } catch {
      // It ended meanwhile, or is somebody else's.
    }
  }
  return { cpuMs, memoryMb: memoryKb / 1024 };
}

const read = (pid: string, file: string) => readFileSync(`/proc/${pid}/${file}`, 'latin1');
