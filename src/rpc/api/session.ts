/** The session as a whole: greeting, the picture every view draws from, its log, its end. */
import { type Static, Type } from '@sinclair/typebox';
import { CallSummary } from './calls.ts';
import { Instance } from './instances.ts';
import { Layout } from './layout.ts';
import { notification, request } from './message.ts';

export const hello = request(
  'hello',
  'First message on the operator socket.',
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 64 }),
    version: Type.String({ maxLength: 64 }),
  }),
  Type.Object({
    host: Type.Object({ version: Type.String(), pid: Type.Integer() }),
    session: Type.String(),
    mark: Type.String({ description: 'Two words only tickmux draws: the real card carries the same ones.' }),
    cli_decisions: Type.Boolean({ description: 'The host allows decisions without an attached view.' }),
  }),
);

export const Agent = Type.Object({
  agent: Type.String(),
  name: Type.String({ description: 'Its own words.' }),
  version: Type.String(),
  connected: Type.Boolean(),
  waiting: Type.Integer(),
});
export type Agent = Static<typeof Agent>;

export const Stopped = Type.Object({
  by: Type.String({ description: 'Who stopped it: an attached view, or cli.' }),
  at: Type.Integer({ description: 'Milliseconds since 1970.' }),
});
export type Stopped = Static<typeof Stopped>;

export const Picture = Type.Object(
  {
    session: Type.String(),
    mark: Type.String(),
    instances: Type.Array(Instance),
    layout: Layout,
    waiting: Type.Array(CallSummary, { description: 'Waiting calls, oldest first.' }),
    recent: Type.Array(CallSummary, {
      description: 'Calls approved, on their way or settled, newest last (at most 50); unknown ones stay.',
    }),
    agents: Type.Array(Agent),
    views: Type.Integer({ description: 'Attached views.' }),
    stopped: Type.Optional(Stopped),
    problem: Type.Optional(
      Type.String({ description: 'What stops calls from being dispatched, if anything.' }),
    ),
  },
  { description: 'The newest complete picture of the session.' },
);
export type Picture = Static<typeof Picture>;

export const picture = request('session.picture', 'The present picture.', Type.Object({}), Picture);

export const changed = notification(
  'host',
  'session.changed',
  'Sent to attached views whenever the picture changed: the newest one wins, those between may be skipped.',
  Picture,
);

export const LogEntry = Type.Object({
  at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  level: Type.Union([Type.Literal('info'), Type.Literal('warn'), Type.Literal('error')]),
  text: Type.String({ description: 'One line; words of strangers in it are already made visible.' }),
  instance: Type.Optional(Type.String()),
  call: Type.Optional(Type.String()),
});
export type LogEntry = Static<typeof LogEntry>;

export const log = request(
  'session.log',
  'The newest entries of the log, newest last; with follow, session.logged sends those to come.',
  Type.Object({
    lines: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    follow: Type.Optional(Type.Boolean()),
  }),
  Type.Object({ entries: Type.Array(LogEntry) }),
);

export const logged = notification('host', 'session.logged', 'A new log entry.', LogEntry);

export const panic = request(
  'session.panic',
  'Stops all dispatching, or lets it go on. Nothing is withdrawn: what waits goes on waiting, what was approved is looked ' +
    'at afresh when it goes on. While it is stopped no call can be approved, also after a restart of the host. Going on ' +
    'is a decision, and takes who may decide.',
  Type.Object({ stopped: Type.Boolean() }),
  Type.Object({}),
);

export const kill = request(
  'session.kill',
  'Ends every program of the session and the host.',
  Type.Object({}),
  Type.Object({}),
);

export const ended = notification(
  'host',
  'session.ended',
  'The session is being ended on purpose: its programs end now, and the connection after them. A connection ' +
    'that breaks without it tells of a crash.',
  Type.Object({
    by: Type.String({ description: 'By whom or what, in words: an attached view, a command, a signal.' }),
  }),
);
