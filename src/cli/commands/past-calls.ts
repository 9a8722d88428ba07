/** Looks calls up in the journal of a session, which needs no host. */
import { visible } from '../../cells/visible.ts';
import { findCalls, type JournaledCall } from '../../host/journal-calls.ts';
import type { SessionPaths } from '../../platform/paths.ts';
import type { CallState } from '../../rpc/api/calls.ts';
import { exitCodes } from '../exit.ts';
import type { Output } from '../output.ts';
import { journalTrouble } from './journal.ts';

/** What a call has to be; each that is given. */
export interface CallFilter {
  call?: string;
  instance?: string;
  /** Id of the agent, or what it calls itself. */
  agent?: string;
  tool?: string;
  outcome?: CallState;
  /** Milliseconds since 1970, of its proposal. */
  since?: number;
}

export async function pastCalls(
  filter: CallFilter,
  most: number,
  paths: SessionPaths,
  output: Output,
): Promise<number> {
  const wanted = (call: JournaledCall) => fits(filter, call);
  const calls = await findCalls(paths.journal, wanted, most).catch((error) => {
    throw journalTrouble(paths, error);
  });
  for (const call of calls) output.answer(call, () => callLines(call, output));
  if (calls.length === 0) output.remark('No call of this session is like that.');
  return exitCodes.ok;
}

function fits({ call, instance, agent, tool, outcome, since }: CallFilter, one: JournaledCall): boolean {
  return (
    (call === undefined || call === one.call) &&
    (instance === undefined || instance === one.instance) &&
    (agent === undefined || agent === one.agent || agent === one.agent_name) &&
    (tool === undefined || tool === one.tool) &&
    (outcome === undefined || outcome === one.state) &&
    (since === undefined || one.proposed_at >= since)
  );
}

const colours: Partial<Record<CallState, 'green' | 'red' | 'yellow'>> = {
  succeeded: 'green',
  failed: 'red',
  unknown: 'red',
  waiting: 'yellow',
};

function callLines(one: JournaledCall, output: Output): string[] {
  const colour = colours[one.state];
  const state = colour ? output.colour[colour](one.state) : one.state;
  const where = one.instance === undefined ? '' : ` on ${one.instance}`;
  const by = one.decided_by === undefined ? '' : `, decided by ${visible(one.decided_by)}`;
  const time = new Date(one.proposed_at).toISOString().slice(0, 19).replace('T', ' ');
  const lines = [
    `${output.dim(`${time}Z`)} ${one.call} ${state}: ${visible(one.tool)}${where} ` +
      `for ${one.agent} ${visible(one.agent_name)}${by}`,
  ];
  if (one.arguments !== undefined) lines.push(output.dim(`  ${visible(JSON.stringify(one.arguments))}`));
  if (one.words !== undefined) lines.push(output.dim(`  ${visible(one.words)}`));
  return lines;
}
