/**
 * One proposed use of a tool, from proposal to outcome. Data only: `calls.ts` moves it through its
 * states, its effect knows what would run.
 */
import type { JsonObject } from '../protocol/messages.ts';
import type { CallKind, CallReport, CallState, CallSummary } from '../rpc/api/calls.ts';
import type { Declaration } from './digest.ts';

export interface AgentIdentity {
  /** agent:N */
  readonly id: string;
  /** What it calls itself. */
  readonly name: string;
}

export type Outcome =
  | { event: 'succeed'; result: unknown }
  | { event: 'fail'; effect: 'none' | 'possible'; error: { code?: number; message: string; data?: unknown } }
  | { event: 'lose'; reason: string };

/** What a call does once approved. The reasons are for people: why it is no longer what was shown. */
export interface Effect {
  /** Asks afresh whether what would run is still what was shown; undefined when it is. */
  verify(): Promise<string | undefined>;
  /** The same without asking anybody: the last look, in the step that dispatches. */
  current(): string | undefined;
  /** Runs it, once. `sent` is called when it left for the program. */
  run(argumentsText: string, sent: () => void): Promise<Outcome>;
  /** Waits for its turn; undefined when turns do not matter. */
  takeSlot?(): Promise<() => void>;
  /** After any outcome. */
  after?(): void;
}

/** What somebody proposes, already resolved and validated. */
export interface Proposal {
  kind: CallKind;
  agent: AgentIdentity;
  instance: string | undefined;
  incarnation: number;
  command: readonly string[] | undefined;
  tool: string;
  description: string;
  declaration: Declaration | undefined;
  revision: string | undefined;
  argumentsText: string;
  /** The arguments as they may be written down. */
  recordable: (argumentsText: string) => unknown;
  /** Complaints about other arguments; undefined when they cannot be edited. */
  check: ((args: JsonObject) => { path: string; message: string }[]) | undefined;
  reason: string | undefined;
  seqThen: number | undefined;
  context: string[] | undefined;
  expiresInS: number;
  key: string | undefined;
  wait: boolean;
  effect: Effect;
}

export interface Call extends Omit<Proposal, 'expiresInS' | 'wait'> {
  readonly id: string;
  digest: string;
  state: CallState;
  edited: boolean;
  readonly proposedAt: number;
  readonly expiresAt: number;
  sentAt: number | undefined;
  decidedBy: string | undefined;
  /** Why it ended as it did: a person's words when denied. */
  words: string | undefined;
  again: string | undefined;
  result: unknown;
  error: { code?: number; message: string; data?: unknown } | undefined;
  effectSeen: 'none' | 'possible' | undefined;
  /** Of the secrets that were given out with `wait: false`, one a caller. */
  readonly secretHashes: string[];
  /** Callers that wait for it; with none left and no `wait: false` caller it is withdrawn. */
  holders: number;
  keepWithoutCaller: boolean;
  readonly settled: Promise<void>;
  readonly settle: () => void;
}

export function summaryOf(call: Call): CallSummary {
  const summary: CallSummary = {
    call: call.id,
    kind: call.kind,
    tool: call.tool,
    agent: call.agent.id,
    agent_name: call.agent.name,
    state: call.state,
    digest: call.digest,
    proposed_at: call.proposedAt,
  };
  if (call.instance !== undefined) summary.instance = call.instance;
  if (call.sentAt !== undefined) summary.sent_at = call.sentAt;
  if (call.decidedBy !== undefined) summary.decided_by = call.decidedBy;
  if (call.words !== undefined) summary.words = call.words;
  return summary;
}

export function reportOf(call: Call): CallReport {
  const report: CallReport = { call: call.id, kind: call.kind, tool: call.tool, state: call.state };
  if (call.instance !== undefined) report.instance = call.instance;
  if (call.state === 'succeeded') report.result = call.result;
  if (call.error !== undefined) report.error = call.error as NonNullable<CallReport['error']>;
  if (call.effectSeen !== undefined) report.effect = call.effectSeen;
  if (call.words !== undefined) report.words = call.words;
  if (call.edited && (call.sentAt !== undefined || call.state === 'succeeded')) {
    report.arguments = JSON.parse(call.argumentsText);
  }
  return report;
}
