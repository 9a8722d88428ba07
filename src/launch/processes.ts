/**
 * Looks at the system's processes: who is whose child, in which group and session. It never signals any.
 * Linux reads /proc; elsewhere `ps` is asked, which has not been tried on a real macOS.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Undefined where the system does not tell (macOS). */
  readonly session: number | undefined;
  /** The controlling terminal's name as `ps` prints it; only where `session` is not known. */
  readonly terminal: string | undefined;
  /** The group in the foreground of its terminal; undefined without a terminal. */
  readonly foreground: number | undefined;
  /** Clock ticks since boot; tells a pid from its later reuse. Linux only. */
  readonly startTime: number | undefined;
  /** Dead, and waiting for its parent to notice. */
  readonly zombie: boolean;
}

const onLinux = process.platform === 'linux';
/** Processes read between two turns of the event loop: about a millisecond. */
const rowsPerTurn = 16;
const psColumns = 'pid=,ppid=,pgid=,tpgid=,tty=,stat=';

/** Reads the table for all who ask, so that ending fifty programs does not read it fifty times over. */
let running: Promise<ProcessRow[]> | undefined;
let next: Promise<ProcessRow[]> | undefined;

/** All processes, as seen over some turns of the event loop that begin after this call. */
export function processTable(): Promise<ProcessRow[]> {
  // A reading under way may already have passed what the caller wants to see.
  if (running) {
    next ??= running.catch(() => undefined).then(() => processTable());
    return next;
  }
  next = undefined;
  running = readTable().finally(() => {
    running = undefined;
  });
  return running;
}

async function readTable(): Promise<ProcessRow[]> {
  if (!onLinux) {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', psColumns]);
    return stdout.split('\n').flatMap((line) => parsePs(line) ?? []);
  }
  const rows: ProcessRow[] = [];
  let sinceTurn = 0;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const row = readStat(pid);
    if (row) rows.push(row);
    if (++sinceTurn % rowsPerTurn === 0) await nextTurn();
  }
  return rows;
}

/** One process, or undefined when it is gone. Synchronous; on macOS it costs a run of `ps`. */
export function processRow(pid: number): ProcessRow | undefined {
  if (onLinux) return readStat(pid);
  try {
    return parsePs(execFileSync('ps', ['-o', psColumns, '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return undefined;
  }
}

/** Whether `row` belongs to the session that `leader` founded on the terminal `device`. */
export function inSession(row: ProcessRow, leader: number, device: string): boolean {
  if (row.session !== undefined) return row.session === leader;
  return row.group === leader || row.terminal === basename(device);
}

/** The pids below `ancestor`, itself not included. */
export function descendants(rows: readonly ProcessRow[], ancestor: number): Set<number> {
  const found = new Set<number>();
  const parents = [ancestor];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const row of rows) {
      if (row.parent !== parent || found.has(row.pid)) continue;
      found.add(row.pid);
      parents.push(row.pid);
    }
  }
  return found;
}

/**
 * Whether the process was started with `name=value` in its environment. False where that cannot be read:
 * other users' processes, and systems without /proc.
 */
export async function hasVariable(pid: number, name: string, value: string): Promise<boolean> {
  if (!onLinux) return false;
  try {
    return `\0${await readFile(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${name}=${value}\0`);
  } catch {
    return false;
  }
}

function readStat(pid: number): ProcessRow | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the program's name in brackets, and may itself hold blanks and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (index: number): number => Number(fields[index]);
  const foreground = field(5);
  return {
    pid,
    parent: field(1),
    group: field(2),
    session: field(3),
    terminal: undefined,
    foreground: foreground > 0 ? foreground : undefined,
    startTime: field(19),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
  };
}

function parsePs(line: string): ProcessRow | undefined {
  const [pid, parent, group, foreground, terminal, state] = line.trim().split(/\s+/);
  if (!pid || !state) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: undefined,
    terminal,
    foreground: Number(foreground) > 0 ? Number(foreground) : undefined,
    startTime: undefined,
    zombie: state.startsWith('Z'),
  };
}
