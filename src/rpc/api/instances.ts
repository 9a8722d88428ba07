/** Instances: one running program each, a Tick (`hosted:N`) or an ordinary program (`shell:N`). */
import { type Static, Type } from '@sinclair/typebox';
import type { Descriptor, Json } from '../../protocol/messages.ts';
import { notification, request } from './message.ts';

export const InstanceId = Type.String({
  pattern: '^(hosted|shell):[1-9][0-9]{0,8}$',
  description: 'hosted:N (a Tick) or shell:N (an ordinary program). Never reused in a session.',
});

export const Command = Type.Array(Type.String({ maxLength: 65_536 }), {
  minItems: 1,
  maxItems: 1_024,
  description: 'Program and arguments.',
});
export const Environment = Type.Record(Type.String(), Type.String());

export const Instance = Type.Object(
  {
    instance: InstanceId,
    status: Type.Union([Type.Literal('starting'), Type.Literal('running'), Type.Literal('ended')]),
    title: Type.String({ description: "Name given at opening, or the Tick's title, or the program's name." }),
    kind: Type.Optional(Type.String({ description: 'Kind of the Tick, for example example.counter.' })),
    screen_title: Type.Optional(Type.String({ description: 'What the program set with OSC 0 or 2.' })),
    command: Command,
    cwd: Type.String(),
    pid: Type.Optional(Type.Integer()),
    ended: Type.Optional(
      Type.String({ description: 'How it ended, in words; present when status is ended.' }),
    ),
    opened_by: Type.String({ description: 'operator, or the id of an agent.' }),
    shared: Type.Boolean({ description: 'Every agent may see the screen.' }),
    seq: Type.Optional(Type.Integer()),
    revision: Type.Optional(Type.String()),
    silently_changed: Type.Optional(
      Type.String({
        description:
          'A tool whose declaration the Tick changed without a new revision, since its program started: it breaks the Tick protocol (T-5.5-1).',
      }),
    ),
    waiting: Type.Integer({ description: 'Calls that wait for approval.' }),
    cols: Type.Integer(),
    rows: Type.Integer(),
    bells: Type.Integer({ description: 'Bells rung so far.' }),
  },
  { description: 'An instance as lists show it.' },
);
export type Instance = Static<typeof Instance>;

/** Where an operator wants the pane of a new instance. */
export const Placement = Type.Union([
  Type.Object({ in: Type.Literal('tab'), name: Type.Optional(Type.String({ maxLength: 64 })) }),
  Type.Object({
    in: Type.Literal('split'),
    pane: Type.String(),
    direction: Type.Union([Type.Literal('right'), Type.Literal('down')]),
  }),
  Type.Object({ in: Type.Literal('none') }),
]);
export type Placement = Static<typeof Placement>;

export const open = request(
  'instances.open',
  'Starts a program. A Tick is `hosted`, an ordinary program `shell`. Answers once a Tick is initialized; ' +
    'refused with the reason (and the first 256 characters of its screen) when it is not.',
  Type.Object({
    command: Type.Optional(Command),
    shell: Type.Optional(
      Type.Boolean({ description: "An ordinary program. Without a command: the user's shell." }),
    ),
    cwd: Type.Optional(Type.String()),
    cwd_of: Type.Optional(InstanceId),
    env: Type.Optional(Environment),
    name: Type.Optional(Type.String({ maxLength: 64 })),
    place: Type.Optional(Placement),
  }),
  Type.Object({
    instance: InstanceId,
    pane: Type.Optional(Type.String()),
    tab: Type.Optional(Type.String()),
  }),
);

export const list = request(
  'instances.list',
  'Every instance, those without a pane included.',
  Type.Object({}),
  Type.Object({ instances: Type.Array(Instance) }),
);

const One = Type.Object({ instance: InstanceId });

export const close = request(
  'instances.close',
  'Ends the program: SIGTERM to its group, SIGKILL after two seconds. The pane keeps its last screen.',
  One,
  Type.Object({}),
);

export const restart = request(
  'instances.restart',
  'Starts the same command again in the same instance. Refused while it runs.',
  One,
  Type.Object({}),
);

export const forget = request(
  'instances.forget',
  'Removes an instance that has ended, with its panes.',
  One,
  Type.Object({}),
);

export const share = request(
  'instances.share',
  'Lets every agent see the screen of an instance, or no longer.',
  Type.Object({ instance: InstanceId, shared: Type.Boolean() }),
  Type.Object({}),
);

export const type = notification(
  'client',
  'instances.type',
  'Bytes for the terminal of an instance, as typed by the operator.',
  Type.Object({ instance: InstanceId, base64: Type.String() }),
);

export const typeText = request(
  'instances.type_text',
  'Like instances.type, for a command line: answers, and refuses an instance that has ended.',
  Type.Object({ instance: InstanceId, text: Type.String({ maxLength: 1_048_576 }) }),
  Type.Object({}),
);

export const screen = request(
  'instances.screen',
  'The visible text of an instance.',
  One,
  Type.Object({
    cols: Type.Integer(),
    rows: Type.Integer(),
    lines: Type.Array(Type.String()),
    cursor: Type.Object({ x: Type.Integer(), y: Type.Integer() }),
    title: Type.String(),
  }),
);

const RowNumber = Type.Integer({
  minimum: 0,
  description:
    'Counts every row there ever was, from 0: a row keeps its number while it scrolls, until the width changes.',
});

export const history = request(
  'instances.history',
  'Rows of an instance with all they look like: those that scrolled off its screen, and after them the screen.',
  Type.Object({
    instance: InstanceId,
    start: RowNumber,
    count: Type.Integer({ minimum: 0, maximum: 500, description: 'At most so many; fewer near the end.' }),
  }),
  Type.Object({
    cols: Type.Integer(),
    first: Type.Integer({ description: 'The oldest row that is kept.' }),
    screen: Type.Integer({ description: 'The row at the top of the screen.' }),
    end: Type.Integer({ description: 'The row after the last one.' }),
    start: Type.Integer({
      description: 'The number of the first of `rows`: `start`, or `first` if that is gone.',
    }),
    rows: Type.Array(Type.Unknown({ description: 'A row as in views.frame.' })),
  }),
);

export const find = request(
  'instances.find',
  'Looks for text in rows of an instance, one row at a time. Upper and lower case are told apart only if `text` has upper case.',
  Type.Object({
    instance: InstanceId,
    text: Type.String({ minLength: 1, maxLength: 1_024 }),
    row: RowNumber,
    column: Type.Integer({ description: 'Before or after this column of `row`; -1 for before its first.' }),
    backward: Type.Boolean(),
  }),
  Type.Object({
    found: Type.Optional(Type.Object({ row: Type.Integer(), column: Type.Integer() })),
    next: Type.Optional(Type.Integer({ description: 'Not found in the rows looked at: go on at this one.' })),
  }),
);

export const Inspection = Type.Object(
  {
    instance: InstanceId,
    descriptor: Type.Optional(Type.Unsafe<Descriptor>({ description: 'Last good descriptor.' })),
    state: Type.Optional(
      Type.Object({
        seq: Type.Integer(),
        data: Type.Unsafe<Json>({}),
        at: Type.String({ description: "RFC 3339: the Tick's own, else time of receipt." }),
        received_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
      }),
    ),
    changed: Type.Array(Type.String(), {
      description: 'JSON Pointers of values that the last update changed or added (at most 200).',
    }),
    merged: Type.Integer({ description: 'Updates merged into this delivery; 1 when each was seen.' }),
    updates: Type.Integer({ description: 'Updates received so far.' }),
    note: Type.Optional(
      Type.String({ description: 'Why there is no state, or what is wrong with the Tick, in words.' }),
    ),
  },
  { description: 'What the inspector shows of one instance.' },
);
export type Inspection = Static<typeof Inspection>;

export const inspect = request(
  'instances.inspect',
  'Names the one instance whose state this connection wants to see; null for none. ' +
    'The answer is the present state, instances.inspected follows whenever it changes.',
  Type.Object({ instance: Type.Union([InstanceId, Type.Null()]) }),
  Type.Object({ inspection: Type.Union([Inspection, Type.Null()]) }),
);

export const inspected = notification(
  'host',
  'instances.inspected',
  'The inspected instance changed: the latest, complete picture.',
  Inspection,
);
