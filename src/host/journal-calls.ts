/**
 * Finds past calls in a journal, from its oldest file to its newest. Reads only, also beside a host that writes, and
 * keeps no more calls at a time than are asked for.
 */
import type { CallSummary } from '../rpc/api/calls.ts';
import { isSettled } from './call-states.ts';
import { type JournalRecord, readAll, readJournalFile } from './journal-files.ts';
import { applyCallRecord, type PastCall } from './replay.ts';

export interface JournaledCall extends CallSummary {
  /** As recorded: what its schema marks as secret is left out. Missing where only a summary was carried over. */
  arguments?: unknown;
  /** The agent's words. */
  reason?: string;
  /** When it ended, in milliseconds since 1970. */
  ended_at?: number;
}

/** The newest `most` calls that `wanted` takes, oldest first. Rejects when the journal at `path` cannot be read. */
export async function findCalls(
  path: string,
  wanted: (call: JournaledCall) => boolean,
  most: number,
): Promise<JournaledCall[]> {
  return readAll(path, async (files) => {
    const search = new Search(wanted, most);
    for (const file of files) {
      const { records } = await readJournalFile(file, undefined);
      for (const record of records) search.take(record);
    }
    return search.found();
  });
}

class Search {
  readonly #wanted: (call: JournaledCall) => boolean;
  readonly #most: number;
  /** Those that have not ended, as far as was read. */
  readonly #open = new Map<string, PastCall>();
  readonly #details = new Map<string, Pick<JournaledCall, 'arguments' | 'reason'>>();
  #ended: JournaledCall[] = [];
  #isFirst = true;

  constructor(wanted: (call: JournaledCall) => boolean, most: number) {
    this.#wanted = wanted;
    this.#most = most;
  }

  take(record: JournalRecord): void {
    if (record.type === 'checkpoint' && this.#isFirst) {
      // The files before are gone; this is what they held.
      for (const past of record.calls as PastCall[]) {
        this.#open.set(past.summary.call, past);
        if (isSettled(past.summary.state)) this.#end(past, undefined);
      }
    }
    this.#isFirst = false;
    if (!record.type.startsWith('call.')) return;
    const id = String(record.call);
    if (record.type === 'call.waiting') {
      const { reason } = record;
      this.#details.set(id, {
        arguments: record.arguments,
        ...(typeof reason === 'string' && { reason }),
      });
    } else if (record.type === 'call.edited') {
      this.#details.set(id, { ...this.#details.get(id), arguments: record.arguments });
    }
    applyCallRecord(this.#open, record);
    const past = this.#open.get(id);
    if (past && isSettled(past.summary.state)) this.#end(past, Date.parse(record.at));
  }

  found(): JournaledCall[] {
    const open = [...this.#open.values()].map((past) => this.#whole(past, undefined)).filter(this.#wanted);
    return [...this.#ended, ...open].sort((a, b) => numberOf(a) - numberOf(b)).slice(-this.#most);
  }

  #end(past: PastCall, at: number | undefined): void {
    const { call } = past.summary;
    const ended = this.#whole(past, at);
    this.#open.delete(call);
    this.#details.delete(call);
    if (!this.#wanted(ended)) return;
    this.#ended.push(ended);
    // Now and then, so that each is moved a few times at most.
    if (this.#ended.length > 2 * this.#most) this.#ended = this.#ended.slice(-this.#most);
  }

  #whole({ summary }: PastCall, at: number | undefined): JournaledCall {
    return { ...summary, ...this.#details.get(summary.call), ...(at !== undefined && { ended_at: at }) };
  }
}

function numberOf({ call }: CallSummary): number {
  return Number(call.slice('call:'.length));
}
