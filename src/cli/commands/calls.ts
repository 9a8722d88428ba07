/** Commands about calls: propose one, ask how one ended, list those that wait, and decide. */
import { visible } from '../../cells/visible.ts';
import type { SessionPaths } from '../../platform/paths.ts';
import type { JsonObject } from '../../protocol/messages.ts';
import type { Approval } from '../../rpc/api/approvals.ts';
import { agentApi, operatorApi } from '../../rpc/api/index.ts';
import { withAgent, withOperator } from '../connection.ts';
import { type Context, paneOf } from '../context.ts';
import { CliError, exitCodes } from '../exit.ts';
import { age, jsonLines, type Output, textLines } from '../output.ts';
import { callTool, type Proposal } from '../proposals.ts';
import { tellReport } from '../reports.ts';

export interface CallOptions extends Proposal {
  instance: string;
  tool: string;
  arguments: JsonObject;
}

export async function call(
  { instance, tool, arguments: args, ...proposal }: CallOptions,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  return withAgent(paths, context, (host) =>
    callTool(host, { instance, tool, arguments: args }, { ...proposal, session: paths.session }, output),
  );
}

export async function status(
  id: string,
  secret: string,
  waitSeconds: number,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  const report = await withAgent(paths, context, (host) =>
    host.request(agentApi.tickCallStatus, { call: id, secret, wait_ms: waitSeconds * 1_000 }),
  );
  return tellReport(report, paths.session, output);
}

export async function pending(paths: SessionPaths, context: Context, output: Output): Promise<number> {
  const { calls } = await withOperator(paths, context, (host) => host.request(operatorApi.pending, {}));
  await output.answerTable(
    { calls },
    'No call waits for a person.',
    ['CALL', 'INSTANCE', 'TOOL', 'ASKED BY', 'SINCE', 'DIGEST'],
    calls.map((one) => [
      one.call,
      one.instance ?? '',
      one.tool,
      `${one.agent} ${one.agent_name}`,
      age(one.proposed_at),
      one.digest.slice(0, 8),
    ]),
  );
  return exitCodes.ok;
}

export interface Decision {
  call: string;
  decision: 'approve' | 'deny';
  words?: string;
  /** Refuse unless the call's digest begins so: what an earlier look showed. */
  digest?: string;
}

/** Prints the call in full and decides on exactly what was printed. */
export async function decide(
  { call: id, decision, words, digest }: Decision,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  if (paneOf(paths.session, context.env)) {
    throw new CliError(
      'Nothing is decided from inside a pane of the session: use an attached view (prefix a).',
    );
  }
  return withOperator(paths, context, async (client, host) => {
    if (!host.cli_decisions) {
      throw new CliError(
        `The host of session ${paths.session} takes no decisions by command: decide in an attached view ` +
          `(\`tickmux -s ${paths.session}\`, then prefix a), or start it with \`tickmux host --allow-cli-decisions\`.`,
      );
    }
    const approval = await client.request(operatorApi.showApproval, { call: id });
    const held = approval.summary.digest;
    if (!output.json) output.answer(undefined, () => card(approval));
    if (digest !== undefined && !held.startsWith(digest.toLowerCase())) {
      throw new CliError(`${id} is not what it was: its digest is ${held}. Look again, then decide.`);
    }
    const { state } = await client.request(operatorApi.decide, {
      call: id,
      digest: held,
      decision,
      ...(words ? { words } : {}),
    });
    output.answer({ call: id, digest: held, state, approval }, () => ['', `${id}: ${state}.`]);
    return exitCodes.ok;
  });
}

function card(approval: Approval): string[] {
  const { summary } = approval;
  const field = (name: string, value: string | undefined) =>
    value === undefined ? [] : textLines(value).map((line, n) => `${(n ? '' : name).padEnd(11)}${line}`);
  return [
    `${summary.call}  ${visible(summary.tool)}${summary.instance ? `  on ${summary.instance}` : ''}` +
      `${approval.title === undefined ? '' : ` ${visible(approval.title)}`}`,
    ...field('does', approval.description),
    ...field('asked by', `${summary.agent} ${summary.agent_name}, ${age(summary.proposed_at)} ago`),
    ...field('its words', approval.reason),
    ...field('again', approval.again),
    ...field('goes to', approval.context?.join('\n')),
    ...field('revision', approval.revision),
    ...field('digest', summary.digest),
    approval.edited ? 'arguments, edited by a person:' : 'arguments:',
    ...jsonLines(JSON.parse(approval.arguments_text)),
  ];
}
