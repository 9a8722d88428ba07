/**
 * Proposes a call on the agents' socket and tells how it ended. Ctrl-C withdraws it; should it be too late
 * for that, the outcome is still waited for, until a second Ctrl-C.
 */

import type { CallReport } from '../rpc/api/calls.ts';
import { agentApi } from '../rpc/api/index.ts';
import type { Params } from '../rpc/api/message.ts';
import { type Client, ConnectionEnded } from '../rpc/client.ts';
import { CliError, exitCodes } from './exit.ts';
import type { Output } from './output.ts';
import { tellReport } from './reports.ts';

export interface Proposal {
  reason?: string;
  /** false: do not wait for the outcome. */
  wait?: boolean;
}

/** A proposal and where it is made. */
type Placed = Proposal & { session: string };

type ToolCall = Pick<Params<typeof agentApi.tickCall>, 'instance' | 'tool' | 'arguments'>;
type Managing = Extract<
  Params<typeof agentApi.tickManage>,
  { action: 'open' | 'close' | 'restart' | 'input' }
>;

/** A remark that nothing happens because a person has to decide, should it take longer than this. */
const patienceMs = 400;

export async function callTool(
  host: Client,
  call: ToolCall,
  proposal: Placed,
  output: Output,
): Promise<number> {
  return conclude(
    (signal) => host.request(agentApi.tickCall, { ...call, ...fields(proposal) }, signal),
    `${call.tool} on ${call.instance}`,
    proposal.session,
    output,
  );
}

/** Proposes something to do with an instance, as any program without an operator's authority has to. */
export async function ask(
  host: Client,
  managing: Managing,
  proposal: Placed,
  output: Output,
): Promise<number> {
  return conclude(
    async (signal) => {
      const answer = await host.request(agentApi.tickManage, { ...managing, ...fields(proposal) }, signal);
      if (!('call' in answer)) throw new CliError(`The host answered ${managing.action} with no report.`);
      return answer;
    },
    managing.action,
    proposal.session,
    output,
  );
}

function fields({ reason, wait = true }: Placed) {
  return { wait, ...(reason === undefined ? {} : { reason }) };
}

async function conclude(
  propose: (signal: AbortSignal) => Promise<CallReport>,
  what: string,
  session: string,
  output: Output,
): Promise<number> {
  const withdrawal = new AbortController();
  const patience = setTimeout(
    () => output.progress(`${what} waits for a person to decide. Ctrl-C withdraws it.`),
    patienceMs,
  );
  let leave: (code: number) => void = () => {};
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  const interrupt = () => {
    if (withdrawal.signal.aborted) leave(exitCodes.unknown);
    else withdrawal.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    return await Promise.race([left, outcome(propose(withdrawal.signal), what, session, output)]);
  } finally {
    clearTimeout(patience);
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

async function outcome(
  report: Promise<CallReport>,
  what: string,
  session: string,
  output: Output,
): Promise<number> {
  try {
    return tellReport(await report, session, output);
  } catch (error) {
    if (!(error instanceof ConnectionEnded)) throw error;
    throw new CliError(
      `The host ended before it told how ${what} ended: it may have run. Read the state before trying again.`,
      exitCodes.unknown,
    );
  }
}
