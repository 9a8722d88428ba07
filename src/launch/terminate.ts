/**
 * Ends a program with everything in its session: SIGTERM first, SIGKILL for what remains (tick H-4.5-1, H-4.5-2).
 * What left the session is reported and never signalled: it may have meant to stay, as a daemon does.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  descendants,
  hasVariable,
  inSession,
  type ProcessRow,
  processRow,
  processTable,
} from './processes.ts';

/** What is to be ended. */
export interface Target {
  /** Leader of its session and first process group. */
  readonly pid: number;
  /** When it started, to tell it from a later process of the same number. */
  readonly startTime: number | undefined;
  readonly device: string;
  /** A variable that only this program and what it starts were given. */
  readonly marker: { readonly name: string; readonly value: string };
  /** Signals of the first step, in order. */
  readonly gentle: readonly NodeJS.Signals[];
  /** From the first signal to SIGKILL, in milliseconds. */
  readonly graceMs: number;
  /** Whether the program itself has not exited yet. */
  running(): boolean;
  /** Resolves at its exit. */
  readonly exit: Promise<void>;
}

const pollMs = 20;
/** A killed process goes within milliseconds unless the kernel holds it, as on a dead network disk. */
const killedWithinMs = 2000;

/** The signals that end a Tick. A stopped program acts on SIGTERM only once it is continued. */
export const tickSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGCONT'];
/** An interactive shell ignores SIGTERM, and takes SIGHUP for what it is: its terminal goes away. */
export const shellSignals: readonly NodeJS.Signals[] = ['SIGHUP', 'SIGTERM', 'SIGCONT'];

/**
 * @returns the pids that had left the session and are still alive (found by parentage, and on Linux by the
 * marker too), with any that even SIGKILL could not end
 */
export async function terminate(target: Target): Promise<{ escaped: number[] }> {
  const before = await processTable();
  const children = descendants(before, target.pid);
  // The program itself first and always, whatever the table shows.
  const groups = groupsOf(members(before, target));
  if (target.running()) groups.add(target.pid);
  for (const signal of target.gentle) for (const group of groups) signalGroup(group, signal);

  const deadline = Date.now() + target.graceMs;
  let left = await emptyBy(target, deadline);
  const killDeadline = Date.now() + killedWithinMs;
  while (left.length > 0 && Date.now() < killDeadline) {
    // Again each round: a program may fork between our look and our signal.
    for (const group of groupsOf(left)) signalGroup(group, 'SIGKILL');
    left = await emptyBy(target, Date.now() + pollMs);
  }
  return { escaped: await escaped(target, children) };
}

/** Waits until the session is empty or the time has come, and returns who is left. */
async function emptyBy(target: Target, deadline: number): Promise<ProcessRow[]> {
  if (target.running()) await Promise.race([target.exit, delay(Math.max(0, deadline - Date.now()))]);
  let seenEmpty = false;
  for (;;) {
    const left = members(await processTable(), target);
    // Twice, since a process that forks and dies while the table is read hides its child.
    if (left.length === 0 && seenEmpty) return left;
    seenEmpty = left.length === 0;
    if (seenEmpty) continue;
    if (Date.now() >= deadline) return left;
    await delay(pollMs);
  }
}

/** Living processes of the session. */
function members(rows: readonly ProcessRow[], target: Target): ProcessRow[] {
  const leader = rows.find((row) => row.pid === target.pid);
  // The kernel reuses a number only when no process is in its session any more.
  if (leader && leader.startTime !== target.startTime) return [];
  return rows.filter((row) => !row.zombie && inSession(row, target.pid, target.device));
}

function groupsOf(rows: readonly ProcessRow[]): Set<number> {
  return new Set(rows.map((row) => row.group));
}

async function escaped(target: Target, children: ReadonlySet<number>): Promise<number[]> {
  const rows = await processTable();
  const survivors = members(rows, target).map((row) => row.pid);
  for (const row of rows) {
    if (row.zombie || survivors.includes(row.pid) || row.pid === process.pid) continue;
    // Only a later process can be a child: that spares reading the environment of nearly all.
    if ((row.startTime ?? 0) < (target.startTime ?? 0)) continue;
    const child =
      children.has(row.pid) || (await hasVariable(row.pid, target.marker.name, target.marker.value));
    // Looked at again, since reading took a moment.
    if (child && processRow(row.pid)?.startTime === row.startTime) survivors.push(row.pid);
  }
  return survivors.sort((a, b) => a - b);
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Gone already, or it changed its user: then it stays on the list of those who are left.
  }
}
