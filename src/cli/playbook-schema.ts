/** The format of a playbook as a JSON Schema, for editors. The reader in `agents/embedded` is what decides. */
import { Type } from '@sinclair/typebox';

const pointer = { pattern: '^(?:/(?:[^~/]|~[01])*)*$' };
const Seconds = (least: number, description: string, byDefault: number) =>
  Type.Optional(Type.Number({ minimum: least, maximum: 86_400, default: byDefault, description }));
const Text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

const FromState = Type.Object(
  {
    $state: Type.String({ ...pointer, description: 'JSON Pointer into the state.' }),
    times: Type.Optional(Type.Number({ description: 'First multiplied by this.' })),
    plus: Type.Optional(Type.Number({ description: 'Then this is added.' })),
    round: Type.Optional(Type.Integer({ minimum: 0, maximum: 12, description: 'Then rounded to decimals.' })),
  },
  { additionalProperties: false, description: 'A value from the state.' },
);
const Operand = Type.Union([Type.Number(), FromState]);

const Condition = Type.Object(
  {
    path: Type.String({ ...pointer, description: 'JSON Pointer into the state.' }),
    equals: Type.Optional(Type.Unknown()),
    above: Type.Optional(Operand),
    below: Type.Optional(Operand),
    at_least: Type.Optional(Operand),
    at_most: Type.Optional(Operand),
    contains: Type.Optional(Type.Unknown()),
    exists: Type.Optional(Type.Boolean()),
    changes: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false, minProperties: 2 },
);

const Rule = Type.Object(
  {
    name: Text('Shown in the log.'),
    kind: Text('Every Tick of this kind; or `instance`.'),
    instance: Type.Optional(Type.String({ pattern: '^hosted:[1-9][0-9]{0,8}$' })),
    when: Type.Union([Condition, Type.Array(Condition, { minItems: 1 })], {
      description: 'All of them must hold.',
    }),
    tool: Type.String({ minLength: 1, description: 'What it proposes.' }),
    arguments: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        description: 'Any value may be {"$state": pointer, …} or {"$text": "… a pointer in $ and braces …"}.',
      }),
    ),
    reason: Text('Shown to the person who decides; a pointer in $ and braces is a value of the state.'),
    cooldown_s: Seconds(1, 'From the outcome to the next proposal.', 30),
    start_after_s: Seconds(0, 'From the first state to the first proposal.', 0),
  },
  { additionalProperties: false, oneOf: [{ required: ['kind'] }, { required: ['instance'] }] },
);

export const Playbook = Type.Object(
  {
    name: Text('Shown in the log.'),
    start_after_s: Seconds(0, 'Nothing is proposed earlier.', 0),
    pace_s: Seconds(0, 'Shortest time between two proposals.', 0),
    rules: Type.Array(Rule),
  },
  {
    title: 'tickmux playbook',
    description: 'What the rules driver proposes and when, JSON with comments: docs/playbook.md.',
    additionalProperties: false,
  },
);
