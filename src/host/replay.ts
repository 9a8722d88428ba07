/**
 * What the journal says happened before this host started. Nothing is ever dispatched on replay:
 * a call that was dispatched without an outcome is unknown, one that never was is withdrawn.
 */
import type { CallKind, CallState, CallSummary } from '../rpc/api/calls.ts';
import { callTransitions, isSettled } from './call-states.ts';
import type { JournalRecord } from './journal.ts';

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
  /** Calls of earlier runs, oldest first: the newest 200, and every unknown one. */
  calls: PastCall[];
  /** Those of them that this replay settles, with the records to append. */
  settled: { type: string; fields: Record<string, unknown> }[];
  agents: PastAgent[];
  nextCall: number;
  nextAgent: number;
  nextHosted: number;
  nextShell: number;
}

const kept = 200;

export function replay(records: readonly JournalRecord[]): Past {
  const calls = new Map<string, PastCall>();
  const agents = new Map<string, PastAgent>();
  const next = { call: 1, agent: 1, hosted: 1, shell: 1 };
  const count = (noun: keyof typeof next, id: unknown) => {
    const number = Number(String(id).split(':')[1]);
    if (Number.isSafeInteger(number)) next[noun] = Math.max(next[noun], number + 1);
  };
  for (const record of records) {
    if (record.type === 'agent') {
      const { agent, name, secret_hash } = record as unknown as Record<string, string>;
      if (agent && secret_hash) agents.set(agent, { agent, name: name ?? '', secretHash: secret_hash });
      count('agent', agent);
    } else if (record.type === 'instance') {
      count(String(record.instance).startsWith('shell:') ? 'shell' : 'hosted', record.instance);
    } else if (record.type.startsWith('call.')) {
      count('call', record.call);
      applyCallRecord(calls, record);
    }
  }
  const settled: Past['settled'] = [];
  for (const { summary } of calls.values()) {
    if (isSettled(summary.state)) continue;
    summary.state = summary.state === 'dispatched' ? 'unknown' : 'withdrawn';
    summary.words = 'the host ended before it was settled';
    settled.push({ type: `call.${summary.state}`, fields: { call: summary.call, why: summary.words } });
  }
  const all = [...calls.values()];
  const first = all.length - kept;
  return {
    calls: all.filter(
      (call, index) => index >= first || call.summary.state === 'unknown' || call.key !== undefined,
    ),
    settled,
    agents: [...agents.values()],
    nextCall: next.call,
    nextAgent: next.agent,
    nextHosted: next.hosted,
    nextShell: next.shell,
  };
}

function applyCallRecord(calls: Map<string, PastCall>, record: JournalRecord): void {
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
