/**
 * The layout: tabs of panes, kept by the host and the same for every view. Which tab a view shows,
 * which pane has its focus and whether it is zoomed belong to the view and never travel.
 */
import { type Static, Type } from '@sinclair/typebox';
import { InstanceId } from './instances.ts';
import { request } from './message.ts';

export interface PaneNode {
  type: 'pane';
  /** pane:N */
  pane: string;
  instance: string;
}

export interface SplitNode {
  type: 'split';
  /** `columns`: children beside each other; `rows`: one above the other. */
  axis: 'columns' | 'rows';
  children: LayoutNode[];
  /** Relative sizes, one a child, all above 0. */
  weights: number[];
}

export type LayoutNode = PaneNode | SplitNode;

/** A layout by its panes alone, as {@link arrange} takes it. */
export type Arrangement =
  | { type: 'pane'; pane: string }
  | { type: 'split'; axis: SplitNode['axis']; children: Arrangement[]; weights: number[] };

export interface Tab {
  /** tab:N */
  tab: string;
  name: string;
  root: LayoutNode;
}

export const Layout = Type.Object({
  tabs: Type.Array(
    Type.Unsafe<Tab>({ description: '{tab, name, root}; root is a pane or a split of nodes.' }),
  ),
});
export type Layout = Static<typeof Layout>;

const TabId = Type.String({ pattern: '^tab:[1-9][0-9]*$' });
const PaneId = Type.String({ pattern: '^pane:[1-9][0-9]*$' });

export const removePane = request(
  'layout.remove_pane',
  'Removes a pane only; the instance goes on. A tab without panes goes too.',
  Type.Object({ pane: PaneId }),
  Type.Object({}),
);

export const renameTab = request(
  'layout.rename_tab',
  'Names a tab.',
  Type.Object({ tab: TabId, name: Type.String({ minLength: 1, maxLength: 64 }) }),
  Type.Object({}),
);

export const showInstance = request(
  'layout.show_instance',
  'Gives an instance a pane: beside a pane, or in a tab of its own.',
  Type.Object({
    instance: InstanceId,
    beside: Type.Optional(PaneId),
    direction: Type.Optional(Type.Union([Type.Literal('right'), Type.Literal('down')])),
  }),
  Type.Object({ pane: PaneId, tab: TabId }),
);

export const movePane = request(
  'layout.move_pane',
  'Moves a pane with what it shows: beside another pane, to its right by default, or into a tab of its own at the ' +
    'end. A tab without panes goes.',
  Type.Object({
    pane: PaneId,
    beside: Type.Optional(PaneId),
    direction: Type.Optional(Type.Union([Type.Literal('right'), Type.Literal('down')])),
  }),
  Type.Object({ tab: TabId }),
);

export const arrange = request(
  'layout.arrange',
  'Arranges the panes of a tab anew. Refused unless `root` holds each pane of the tab exactly once: panes may have ' +
    'come or gone meanwhile.',
  Type.Object({
    tab: TabId,
    root: Type.Unsafe<Arrangement>({
      type: 'object',
      description:
        '`{type: "pane", pane}`, or `{type: "split", axis, children, weights}`: axis `columns` or `rows`, ' +
        'two or more children, for each one weight above 0 and up to 1000000.',
    }),
  }),
  Type.Object({}),
);
