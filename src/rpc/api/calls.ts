/** A call, as agents and views see it: its states, its report, its summary in the queue. */
import { type Static, Type } from '@sinclair/typebox';

export const CallState = Type.Union(
  [
    Type.Literal('waiting'),
    Type.Literal('approved'),
    Type.Literal('dispatched'),
    Type.Literal('succeeded'),
    Type.Literal('failed'),
    Type.Literal('unknown'),
    Type.Literal('denied'),
    Type.Literal('expired'),
    Type.Literal('withdrawn'),
    Type.Literal('stale'),
  ],
  {
    description:
      'waiting: for a person. approved: its turn comes. dispatched: written to the program. ' +
      'succeeded, failed: answered. unknown: it may have run and will never be sent again. ' +
      'denied, expired, withdrawn, stale: it was never sent.',
  },
);
export type CallState = Static<typeof CallState>;

export const CallKind = Type.Union(
  [
    Type.Literal('tool'),
    Type.Literal('open'),
    Type.Literal('close'),
    Type.Literal('restart'),
    Type.Literal('input'),
  ],
  { description: "tool: a call of a Tick's tool. The others are proposals made through TickManage." },
);
export type CallKind = Static<typeof CallKind>;

const CallError = Type.Object({
  code: Type.Optional(Type.Integer({ description: 'JSON-RPC error code of the Tick, if it gave one.' })),
  message: Type.String(),
  data: Type.Optional(Type.Unknown()),
});

export const CallReport = Type.Object(
  {
    call: Type.Optional(
      Type.String({ description: 'Id of the call, for example call:12. A query has none: it ran at once.' }),
    ),
    kind: CallKind,
    instance: Type.Optional(Type.String()),
    tool: Type.String(),
    state: CallState,
    result: Type.Optional(Type.Unknown({ description: 'What the tool returned (state succeeded).' })),
    error: Type.Optional(CallError),
    effect: Type.Optional(
      Type.Union([Type.Literal('none'), Type.Literal('possible')], {
        description: 'Whether a call that failed may have changed something.',
      }),
    ),
    words: Type.Optional(Type.String({ description: 'What the person said when denying, or why it ended.' })),
    arguments: Type.Optional(
      Type.Unknown({ description: 'The arguments that ran, when a person edited them before approving.' }),
    ),
    secret: Type.Optional(
      Type.String({ description: 'Given once, with wait: false: whoever holds it may ask for the outcome.' }),
    ),
  },
  { description: 'How a call stands or ended.' },
);
export type CallReport = Static<typeof CallReport>;

export const CallSummary = Type.Object(
  {
    call: Type.String(),
    kind: CallKind,
    instance: Type.Optional(Type.String()),
    tool: Type.String(),
    agent: Type.String({ description: 'Id of the agent, for example agent:3.' }),
    agent_name: Type.String({ description: 'What the agent calls itself: its words.' }),
    state: CallState,
    digest: Type.String({ description: '64 hexadecimal digits over everything an approval is bound to.' }),
    proposed_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
    sent_at: Type.Optional(Type.Integer()),
    decided_by: Type.Optional(Type.String({ description: 'view:N, or cli.' })),
    words: Type.Optional(Type.String({ description: 'Why it ended as it did.' })),
  },
  { description: 'One line of the queue.' },
);
export type CallSummary = Static<typeof CallSummary>;
