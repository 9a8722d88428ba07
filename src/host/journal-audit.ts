/**
 * Looks a journal through from its oldest file to its newest: whether the chain holds, and whether what was promised of
 * calls is borne out. Reads only, also beside a host that writes.
 */
import { basename } from 'node:path';
import { type JournalRecord, readAll, readJournalFile } from './journal-files.ts';

export interface JournalAudit {
  files: number;
  records: number;
  /** Calls that were sent to a program. */
  dispatched: number;
  /** What is wrong, a sentence each, in the order of the journal. */
  problems: string[];
}

/** What is known of a call at some record. */
interface Traced {
  approved?: string;
  dispatched: boolean;
}

/** Rejects when the journal at `path` cannot be read. */
export async function auditJournal(path: string): Promise<JournalAudit> {
  return readAll(path, auditFiles);
}

async function auditFiles(files: readonly string[]): Promise<JournalAudit> {
  const audit: JournalAudit = { files: 0, records: 0, dispatched: 0, problems: [] };
  const calls = new Map<string, Traced>();
  let before = files.length === 1 ? '' : undefined;
  for (const file of files) {
    const read = await readJournalFile(file, before);
    before = read.link;
    audit.files++;
    audit.records += read.records.length;
    const name = basename(file);
    for (const line of read.unreadable) audit.problems.push(`${name}:${line} is no record.`);
    for (const line of read.broken) {
      audit.problems.push(
        `${name}:${line} is not what was written after the line before it: it, or lines before it, were changed.`,
      );
    }
    for (const record of read.records) trace(record, calls, audit);
  }
  return audit;
}

function trace(record: JournalRecord, calls: Map<string, Traced>, audit: JournalAudit): void {
  const id = String(record.call);
  if (record.type === 'checkpoint' && audit.files === 1) {
    // The files before are gone; what they held is told here.
    for (const { summary } of record.calls as {
      summary: { call: string; state: string; digest: string };
    }[]) {
      const approved = summary.state === 'approved' ? { approved: summary.digest } : {};
      calls.set(summary.call, { ...approved, dispatched: summary.state === 'dispatched' });
    }
  } else if (record.type === 'call.waiting') {
    calls.set(id, { dispatched: false });
  } else if (record.type === 'call.approved') {
    const call = calls.get(id);
    if (call) call.approved = String(record.digest);
  } else if (record.type === 'call.dispatched') {
    audit.dispatched++;
    const call = calls.get(id);
    if (call?.dispatched) audit.problems.push(`${id} was dispatched twice.`);
    else if (call?.approved === undefined) audit.problems.push(`${id} was dispatched without an approval.`);
    else if (call.approved !== record.digest)
      audit.problems.push(`${id} was dispatched with another digest than the one approved.`);
    if (call) call.dispatched = true;
  }
}
