/** The format of a workspace file, as data: `tickmux schema workspace` prints it, reading and saving go by it. */
import { type Static, Type } from '@sinclair/typebox';

/** A pane with its program, or a split into panes. */
export interface WorkspaceNode {
  name?: string;
  command?: string[];
  shell?: boolean;
  cwd?: string;
  columns?: WorkspaceNode[];
  rows?: WorkspaceNode[];
  weight?: number;
}

const Children = (description: string) =>
  Type.Optional(
    Type.Array(Type.Unsafe<WorkspaceNode>({ $ref: '#/definitions/pane' }), { minItems: 1, description }),
  );

const Pane = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Title of the pane.' })),
    command: Type.Optional(
      Type.Array(Type.String({ maxLength: 65_536 }), {
        minItems: 1,
        maxItems: 1_024,
        description: 'Program and arguments, one text each; "$' + '{node}" is the Node that runs tickmux.',
      }),
    ),
    shell: Type.Optional(
      Type.Boolean({
        description: 'An ordinary program, not a Tick; without a command your shell.',
        default: false,
      }),
    ),
    cwd: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: "Where it starts, relative to the workspace's cwd.",
      }),
    ),
    columns: Children('Panes beside each other, in place of a program.'),
    rows: Children('Panes one above the other, in place of a program.'),
    weight: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000_000,
        default: 1,
        description: 'Its size beside its siblings.',
      }),
    ),
  },
  { additionalProperties: false, description: 'A pane with its program, or a split into panes.' },
);

export const Workspace = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'For editors: where this schema is.' })),
    cwd: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: "Where programs start, relative to this file; by default this file's directory.",
      }),
    ),
    playbook: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: 'Playbook of the rules driver, relative to this file.',
      }),
    ),
    tabs: Type.Array(
      Type.Object(
        {
          name: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 64,
              description: "Of the tab; by default its first pane's.",
            }),
          ),
          root: Type.Unsafe<WorkspaceNode>({ $ref: '#/definitions/pane' }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 256, description: 'From left to right.' },
    ),
  },
  {
    title: 'tickmux workspace',
    description: 'What `tickmux -f FILE` opens in a new session, JSON with comments.',
    additionalProperties: false,
    definitions: { pane: Pane },
  },
);
export type Workspace = Static<typeof Workspace>;
