/**
 * The files a journal is made of: the one that is written, and those it filled before, oldest first. Reads them and
 * repairs what a crash left; appends nothing.
 */
import { readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { firstLink, readLink } from './journal-chain.ts';

export interface JournalRecord {
  /** RFC 3339 with milliseconds. */
  at: string;
  type: string;
  [field: string]: unknown;
}

/**
 * Reads the journal at `path` and all before it by `read`, again when a host changed to a new file meanwhile: what was
 * read has then moved.
 */
export async function readAll<T>(path: string, read: (files: string[]) => Promise<T>): Promise<T> {
  for (;;) {
    const archives = await archivesOf(path);
    const before = await isChanging(path, archives.at(-1)?.path);
    const found = await read([...archives.map((archive) => archive.path), path]).catch(
      (error) => error as Error,
    );
    const after = await archivesOf(path);
    const ends = (list: typeof archives) => `${list.at(0)?.number} ${list.at(-1)?.number}`;
    if (before || ends(after) !== ends(archives)) continue;
    if (found instanceof Error) throw found;
    return found;
  }
}

/** For a moment the full journal has both names. */
async function isChanging(path: string, newest: string | undefined): Promise<boolean> {
  if (newest === undefined) return false;
  const [present, full] = await Promise.all([path, newest].map((file) => stat(file).catch(() => undefined)));
  return present !== undefined && present.ino === full?.ino;
}

/** The lines of one journal file. */
export interface ReadJournal {
  records: JournalRecord[];
  /** What the next record is chained to. */
  link: string;
  /** Line numbers, from 1, of what cannot be read, and of what the chain does not hold. */
  unreadable: number[];
  broken: number[];
}

/**
 * @param text whole lines
 * @param before what the first record is chained to; undefined takes that on trust
 */
export function readLines(text: string, before: string | undefined): ReadJournal {
  const read: ReadJournal = { records: [], link: before ?? firstLink, unreadable: [], broken: [] };
  let trusted = before === undefined;
  text.split('\n').forEach((line, index) => {
    if (line === '') return;
    const record = parseRecord(line);
    if (record) read.records.push(record);
    else read.unreadable.push(index + 1);
    const { link, intact } = readLink(line, read.link);
    if (!intact && !(trusted && link !== undefined)) read.broken.push(index + 1);
    trusted = false;
    // From there on it may hold again.
    if (link !== undefined) read.link = link;
  });
  return read;
}

/** Reads one file, beside a host that may be writing it. `before` as for {@link readLines}. */
export async function readJournalFile(file: string, before: string | undefined): Promise<ReadJournal> {
  const text = await readFile(file, 'utf8');
  // What stands behind the last newline may just be being written.
  return readLines(text.slice(0, text.lastIndexOf('\n') + 1), before);
}

/** Reads the journal that is to be written on; drops a torn last line from it, which a crash leaves behind. */
export async function openLines(path: string): Promise<ReadJournal & { size: number; torn: number }> {
  const archives = await finishChange(path);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const size = bytes.lastIndexOf(10) + 1;
  const torn = bytes.length - size;
  if (torn > 0) await truncate(path, size);
  const first = archives === 0 ? firstLink : undefined;
  return { ...readLines(bytes.subarray(0, size).toString('utf8'), first), size, torn };
}

/** The name a full journal gets; numbers rise, so that names sort by age. */
export function archivePath(path: string, number: number): string {
  return `${path.replace(/\.jsonl$/, '')}.${String(number).padStart(6, '0')}.jsonl`;
}

/** Where a new journal is made before it takes the place of the full one. */
export function comingPath(path: string): string {
  return `${path}.new`;
}

/** The full journals beside `path`, oldest first. */
export async function archivesOf(path: string): Promise<{ path: string; number: number }[]> {
  const start = `${basename(path).replace(/\.jsonl$/, '')}.`;
  const names = await readdir(dirname(path));
  return names
    .flatMap((name) => {
      const digits = name.startsWith(start) && /^(\d{6,})\.jsonl$/.exec(name.slice(start.length))?.[1];
      return digits ? [{ path: join(dirname(path), name), number: Number(digits) }] : [];
    })
    .sort((a, b) => a.number - b.number);
}

/**
 * Undoes the change to a new file that a crash broke off before that took the place of the full one.
 * @returns how many full files there are
 */
async function finishChange(path: string): Promise<number> {
  await rm(comingPath(path), { force: true });
  const archives = await archivesOf(path);
  const newest = archives.at(-1);
  if (!newest) return 0;
  if (!(await isChanging(path, newest.path))) return archives.length;
  await rm(newest.path);
  return archives.length - 1;
}

function parseRecord(line: string): JournalRecord | undefined {
  try {
    const value = JSON.parse(line) as JournalRecord | null;
    return value && typeof value === 'object' && typeof value.type === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
