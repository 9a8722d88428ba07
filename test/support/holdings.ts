/** What a process holds of the system, so that a test can say that nothing is left. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface Holdings {
  /** How many descriptors of each kind are open. */
  descriptors: Record<string, number>;
  /** Ends of pipes; the host keeps a stock of them. */
  stock: number;
  threads: number;
  /** Children, dead ones that nobody has waited for among them. */
  children: number[];
}

export function holdingsOf(pid: number = process.pid): Holdings {
  const { 'tickmux-pipes': stock = 0, ...descriptors } = descriptorsOf(pid);
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return { descriptors, stock, threads: threads.length, children };
}

function descriptorsOf(pid: number): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    let target: string;
    try {
      target = readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      continue; // The directory just listed.
    }
    const kind = /ptmx|pts|tickmux-pipes|null/.exec(target)?.[0] ?? 'other';
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

/** Memory of a process that is really in use, in bytes. */
export function residentBytes(pid: number = process.pid): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
