/**
 * What the journal says happened before this host started. Nothing is ever dispatched on replay:
 * a call that was dispatched without an outcome is unknown, one that never was is withdrawn.
 */
import type { CallKind, CallState, CallSummary } from '../rpc/api/calls.ts';
import type { Stopped } from '../rpc/api/session.ts';
import { callTransitions, isSettled } from './call-states.ts';
import type { RecordKeeper } from './journal.ts';
import type { JournalRecord } from './journal-files.ts';

export interface PastCall {
  summary: CallSummary;
  key: string | undefined;
  secretHashes: string[];
}

export interface PastAgent {
  agent: string;
  name: string;
  secretHash: string;
}

export interface Past {
  /** Calls of earlier runs, oldest first: the newest 200, every unknown one, and those with a key. */
  calls: PastCall[];
  /** Those of them that this replay settles, with the records to append. */
  settled: { type: string; fields: Record<string, unknown> }[];
  agents: PastAgent[];
  /** All dispatching was stopped, and nobody resumed it. */
  stopped: Stopped | undefined;
  nextCall: number;
  nextAgent: number;
  nextHosted: number;
  nextShell: number;
}

const kept = 200;
/** Calls remembered for their key alone, and agents; the oldest give way. */
const keptKeyed = 10_000;
const keptAgents = 1_000;

/** What a journal says, record by record. */
export class Replay implements RecordKeeper {
  #calls = new Map<string, PastCall>();
  #agents = new Map<string, PastAgent>();
  #stopped: Stopped | undefined;
  #next = { call: 1, agent: 1, hosted: 1, shell: 1 };

  apply(record: JournalRecord): void {
    if (record.type === 'agent') {
      const { agent, name, secret_hash } = record as unknown as Record<string, string>;
      if (agent && secret_hash) this.#agents.set(agent, { agent, name: name ?? '', secretHash: secret_hash });
      this.#count('agent', agent);
    } else if (record.type === 'instance') {
      this.#count(String(record.instance).startsWith('shell:') ? 'shell' : 'hosted', record.instance);
    } else if (record.type === 'checkpoint') {
      const { calls, agents, stopped, next } = record as unknown as Checkpoint;
      this.#stopped = stopped;
      this.#calls = new Map(calls.map((call) => [call.summary.call, call]));
      this.#agents = new Map(agents.map((agent) => [agent.agent, agent]));
      this.#next = { ...this.#next, ...next };
    } else if (record.type === 'panic') {
      this.#stopped =
        record.stopped === true ? { by: String(record.by), at: Date.parse(record.at) } : undefined;
    } else if (record.type.startsWith('call.')) {
      this.#count('call', record.call);
      applyCallRecord(this.#calls, record);
      if (this.#calls.size > 4 * kept + keptKeyed) this.#forgetOld();
    }
  }

  checkpoint(): Record<string, unknown> {
    this.#forgetOld();
    const checkpoint: Checkpoint = {
      calls: [...this.#calls.values()],
      agents: [...this.#agents.values()].slice(-keptAgents),
      ...(this.#stopped && { stopped: this.#stopped }),
      next: this.#next,
    };
    return { ...checkpoint };
  }

  /** What a host that starts now takes up; changes nothing here. */
  past(): Past {
    const calls = structuredClone([...this.#calls.values()]);
    const settled: Past['settled'] = [];
    for (const { summary } of calls) {
      if (isSettled(summary.state)) continue;
      summary.state = summary.state === 'dispatched' ? 'unknown' : 'withdrawn';
      summary.words = 'the host ended before it was settled';
      settled.push({ type: `call.${summary.state}`, fields: { call: summary.call, why: summary.words } });
    }
    const { call, agent, hosted, shell } = this.#next;
    return {
      calls: worthKeeping(calls),
      settled,
      agents: [...this.#agents.values()].slice(-keptAgents),
      stopped: this.#stopped,
      nextCall: call,
      nextAgent: agent,
      nextHosted: hosted,
      nextShell: shell,
    };
  }

  #forgetOld(): void {
    const calls = worthKeeping([...this.#calls.values()]);
    this.#calls = new Map(calls.map((call) => [call.summary.call, call]));
  }

  #count(noun: keyof Checkpoint['next'], id: unknown): void {
    const number = Number(String(id).split(':')[1]);
    if (Number.isSafeInteger(number)) this.#next[noun] = Math.max(this.#next[noun], number + 1);
  }
}

interface Checkpoint {
  calls: PastCall[];
  agents: PastAgent[];
  stopped?: Stopped;
  /** The next number of each noun. */
  next: { call: number; agent: number; hosted: number; shell: number };
}

/** What is not settled, what is unknown, the newest, and the newest that have a key. */
function worthKeeping(calls: readonly PastCall[]): PastCall[] {
  const first = calls.length - kept;
  let keyedBefore = calls.filter(({ key }) => key !== undefined).length - keptKeyed;
  return calls.filter(({ summary, key }, index) => {
    const remembered = key !== undefined && --keyedBefore < 0;
    return remembered || index >= first || !isSettled(summary.state) || summary.state === 'unknown';
  });
}

/** One step in the life of a call; a record of a call that is not among them tells nothing. */
export function applyCallRecord(calls: Map<string, PastCall>, record: JournalRecord): void {
  const id = String(record.call);
  const event = record.type.slice('call.'.length);
  const at = Date.parse(record.at);
  if (event === 'waiting') {
    const summary: CallSummary = {
      call: id,
      kind: record.kind as CallKind,
      tool: String(record.tool),
      agent: String(record.agent),
      agent_name: String(record.agent_name),
      state: 'waiting',
      digest: String(record.digest),
      proposed_at: at,
    };
    if (typeof record.instance === 'string') summary.instance = record.instance;
    calls.set(id, { summary, key: record.key as string | undefined, secretHashes: [] });
    return;
  }
  const call = calls.get(id);
  if (!call) return;
  if (event === 'secret') {
    call.secretHashes.push(String(record.secret_hash));
    return;
  }
  if (event === 'key') {
    call.key = String(record.key);
    return;
  }
  if (typeof record.digest === 'string') call.summary.digest = record.digest;
  if (event === 'edited') return;
  // A later version of ours may have written what this one does not know.
  if (!Object.hasOwn(callTransitions, event)) return;
  call.summary.state = event as CallState;
  if (event === 'dispatched') call.summary.sent_at = at;
  if (typeof record.by === 'string') call.summary.decided_by = record.by;
  const words = record.words ?? record.why;
  if (typeof words === 'string') call.summary.words = words;
}
