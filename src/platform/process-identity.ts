/**
 * Tells one process from another that later got the same number, and whether it is stopped.
 * Only asks; never signals anybody.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, named so that a reused pid is not mistaken for it. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in words of the system: compare for equality only. */
  started: string;
}

/** This very process. */
export function ownIdentity(): ProcessIdentity {
  const started = startTime(process.pid);
  if (!started)
    throw new Error('This system does not tell when a process started: neither /proc nor ps works.');
  return { pid: process.pid, started };
}

/** Whether that same process exists, stopped or not. A zombie does not: its files and sockets are closed. */
export function isAlive(identity: ProcessIdentity): boolean {
  return startTime(identity.pid) === identity.started;
}

/** Whether a process exists and was stopped by a signal (SIGSTOP, Ctrl-Z). Unknown counts as no. */
export function isStopped(pid: number): boolean {
  return /^[Tt]/.test(statusLine(pid)?.state ?? '');
}

function startTime(pid: number): string | undefined {
  const line = statusLine(pid);
  return line && !line.state.startsWith('Z') ? line.started : undefined;
}

function statusLine(pid: number): { state: string; started: string } | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): { state: string; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Ticks since boot repeat after a reboot, so the boot is part of the time.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { state: fields[0] ?? '', started: `${boot} ${fields[19]}` };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): { state: string; started: string } | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [, state, started] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    return state && started ? { state, started } : undefined;
  } catch {
    return undefined;
  }
}
