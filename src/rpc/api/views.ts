/**
 * Views: what an attached terminal shows. The host sends frames of the instances a view shows; the
 * next frame of an instance follows only when the last one was acknowledged, so that a slow view
 * skips pictures and holds nobody up.
 */
import { Type } from '@sinclair/typebox';
import type { WireFrame } from '../../cells/frame.ts';
import { Environment, InstanceId } from './instances.ts';
import { notification, request } from './message.ts';

export const attach = request(
  'views.attach',
  'Makes this connection an attached view. session.changed follows at once. Refused from inside a pane of ' +
    'the same session.',
  Type.Object({
    cols: Type.Integer({ minimum: 1, maximum: 10_000 }),
    rows: Type.Integer({ minimum: 1, maximum: 10_000 }),
    cwd: Type.String({ description: 'Where programs opened by this view start by default.' }),
    env: Environment,
    inside: Type.Optional(Type.String({ description: 'TICKMUX_INSTANCE of the asking process, if set.' })),
  }),
  Type.Object({
    view: Type.String({ description: 'view:N' }),
    pane: Type.Optional(
      Type.String({
        description: 'pane:N, where the view that was used last had the focus: a place to begin.',
      }),
    ),
  }),
);

export const show = notification(
  'client',
  'views.show',
  'The instances this view shows now, with the size of each pane inside its border, and the focused one. ' +
    'Frames follow for exactly these, a full one for each that was not shown before.',
  Type.Object({
    panes: Type.Array(
      Type.Object({
        instance: InstanceId,
        cols: Type.Integer({ minimum: 1, maximum: 10_000 }),
        rows: Type.Integer({ minimum: 1, maximum: 10_000 }),
      }),
      { maxItems: 256 },
    ),
    focused: Type.Union([InstanceId, Type.Null()]),
  }),
);

export const frame = notification(
  'host',
  'views.frame',
  'Rows of one instance that changed since the last frame this view acknowledged.',
  Type.Object({
    instance: InstanceId,
    frame: Type.Unsafe<WireFrame>({ description: 'See cells/frame.ts: rows as packed cells in base64.' }),
  }),
);

export const copied = notification(
  'host',
  'views.copied',
  'The program in the focused pane of this view put a text on the clipboard (OSC 52). At most five times a second, ' +
    'the newest counts.',
  Type.Object({ instance: InstanceId, text: Type.String() }),
);

export const active = notification(
  'host',
  'views.active',
  'Instances whose screens changed since this view last showed them. Each is told once, half a second after ' +
    'the change, until the view has shown it again.',
  Type.Object({ instances: Type.Array(InstanceId) }),
);

export const acknowledge = notification(
  'client',
  'views.acknowledge',
  'The frame of this generation is drawn: send the next one when there is something new.',
  Type.Object({ instance: InstanceId, generation: Type.Integer({ minimum: 0 }) }),
);
