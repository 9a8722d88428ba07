/** What a card is shown of a call. Drawn from the frozen call alone, never from what the Tick says now. */
import { brief } from '../protocol/brief.ts';
import type { Approval } from '../rpc/api/approvals.ts';
import { type Call, summaryOf } from './call.ts';
import type { Instances } from './instances.ts';

export function approvalOf(call: Call, instances: Instances): Approval {
  const instance = call.instance === undefined ? undefined : instances.find(call.instance);
  const approval: Approval = {
    summary: summaryOf(call),
    description: brief(call.description, 16_384),
    arguments_text: call.argumentsText,
    editable: call.check !== undefined,
    edited: call.edited,
    expires_at: call.expiresAt,
  };
  if (instance) approval.title = instance.title;
  const kind = instance?.session?.descriptor?.kind;
  if (kind !== undefined) approval.instance_kind = brief(kind, 200);
  if (call.declaration) approval.schema = call.declaration.input_schema;
  if (call.reason !== undefined) approval.reason = call.reason;
  if (call.revision !== undefined) approval.revision = brief(call.revision, 200);
  if (call.seqThen !== undefined) approval.seq_then = call.seqThen;
  const seq = instance?.session?.latest?.state.seq;
  if (seq !== undefined) approval.seq_now = seq;
  if (call.again !== undefined) approval.again = call.again;
  if (call.context !== undefined) approval.context = call.context;
  return approval;
}
