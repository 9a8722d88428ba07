/**
 * Approvals: what an operator is shown of a waiting call, and the decision on exactly that.
 * Only the operator socket speaks these.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { JsonObject } from '../../protocol/messages.ts';
import { CallState, CallSummary } from './calls.ts';
import { request } from './message.ts';

const CallId = Type.String({ pattern: '^call:[1-9][0-9]{0,11}$' });
const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The digest that was displayed.' });

export const Complaint = Type.Object({
  path: Type.String({ description: 'JSON Pointer into the arguments.' }),
  message: Type.String(),
});

export const Approval = Type.Object(
  {
    summary: CallSummary,
    title: Type.Optional(Type.String({ description: 'Title of the instance.' })),
    instance_kind: Type.Optional(Type.String({ description: 'Kind of the Tick.' })),
    description: Type.String({ description: "The tool's own description." }),
    schema: Type.Optional(Type.Unsafe<JsonObject>({ description: "The tool's input_schema." })),
    arguments_text: Type.String({ description: 'The frozen arguments: canonical JSON, the bytes that run.' }),
    reason: Type.Optional(Type.String({ description: 'Why the agent proposes it: its words.' })),
    revision: Type.Optional(Type.String()),
    editable: Type.Boolean(),
    edited: Type.Boolean(),
    expires_at: Type.Optional(Type.Integer({ description: 'Milliseconds since 1970.' })),
    seq_then: Type.Optional(Type.Integer({ description: 'State the agent last saw before proposing.' })),
    seq_now: Type.Optional(Type.Integer()),
    again: Type.Optional(
      Type.String({ description: 'Set when an equal call was sent before: when, and how it ended.' }),
    ),
    context: Type.Optional(
      Type.Array(Type.String(), {
        description: 'For terminal input: foreground program and the screen it would go to.',
      }),
    ),
  },
  { description: 'Everything a card shows.' },
);
export type Approval = Static<typeof Approval>;

export const list = request(
  'approvals.list',
  'Waiting calls of all instances, oldest first.',
  Type.Object({}),
  Type.Object({ calls: Type.Array(CallSummary) }),
);

export const show = request(
  'approvals.show',
  'The whole of one call, as a card shows it.',
  Type.Object({ call: CallId }),
  Approval,
);

export const decide = request(
  'approvals.decide',
  'Approves once or denies. The digest is the one the view displayed: another one held by the host refuses ' +
    'the decision as `changed`; a call somebody else settled refuses it as `decided`, saying who. ' +
    'Needs an attached view, unless the host allows decisions by command.',
  Type.Object({
    call: CallId,
    digest: Digest,
    decision: Type.Union([Type.Literal('approve'), Type.Literal('deny')]),
    words: Type.Optional(Type.String({ maxLength: 4_096, description: 'Reach the agent.' })),
  }),
  Type.Object({ state: CallState }),
);

export const edit = request(
  'approvals.edit',
  "Replaces the arguments of a waiting call. The host validates them by the tool's schema; accepted ones give " +
    'a new digest, which every view has to show before anybody can approve.',
  Type.Object({
    call: CallId,
    digest: Digest,
    arguments_text: Type.String({ maxLength: 8_388_608 }),
    check_only: Type.Optional(Type.Boolean({ description: 'Only say what is wrong with them.' })),
  }),
  Type.Object({
    accepted: Type.Boolean(),
    digest: Type.Optional(Type.String()),
    complaints: Type.Array(Complaint),
  }),
);
