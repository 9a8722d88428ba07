/** Opens a workspace in a session that has nothing yet: its programs, each in the pane the file gives it. */
import { visible } from '../cells/visible.ts';
import { operatorApi } from '../rpc/api/index.ts';
import type { Placement } from '../rpc/api/instances.ts';
import type { Arrangement } from '../rpc/api/layout.ts';
import type { Result } from '../rpc/api/message.ts';
import type { Client } from '../rpc/client.ts';
import type { ReadWorkspace } from './workspace.ts';
import type { WorkspaceNode } from './workspace-schema.ts';

export interface OpenedWorkspace {
  /** Programs that run. */
  opened: number;
  /** What went wrong, in words. */
  problems: string[];
}

/** @param env what programs get */
export async function openWorkspace(
  { tabs }: ReadWorkspace,
  host: Client,
  env: Record<string, string>,
): Promise<OpenedWorkspace> {
  const result: OpenedWorkspace = { opened: 0, problems: [] };
  for (const { name, root } of tabs) {
    const panes = new Map<WorkspaceNode, string>();
    let place: Placement = name === undefined ? { in: 'tab' } : { in: 'tab', name };
    let tab: string | undefined;
    for (const node of programsOf(root)) {
      try {
        const opened: Result<typeof operatorApi.open> = await host.request(operatorApi.open, {
          ...programOf(node),
          env,
          place,
        });
        result.opened++;
        if (opened.pane === undefined || opened.tab === undefined) continue;
        panes.set(node, opened.pane);
        tab = opened.tab;
        place = { in: 'split', pane: opened.pane, direction: 'right' };
      } catch (error) {
        const what = node.name ?? node.command?.join(' ') ?? 'the shell';
        result.problems.push(`${visible(what)} did not open: ${visible((error as Error).message)}`);
      }
    }
    const arrangement = arrange(root, panes);
    if (tab !== undefined && arrangement && panes.size > 1) {
      await host.request(operatorApi.arrange, { tab, root: arrangement }).catch((error: Error) => {
        result.problems.push(`${name ?? tab} is not arranged as it was to be: ${error.message}`);
      });
    }
  }
  return result;
}

function programsOf(node: WorkspaceNode): WorkspaceNode[] {
  const children = node.columns ?? node.rows;
  return children ? children.flatMap(programsOf) : [node];
}

function programOf({ name, command, shell, cwd }: WorkspaceNode) {
  return {
    ...(name !== undefined && { name }),
    ...(command && { command }),
    ...(shell && { shell }),
    ...(cwd !== undefined && { cwd }),
  };
}

/** Without the places of programs that did not open. */
function arrange(node: WorkspaceNode, panes: ReadonlyMap<WorkspaceNode, string>): Arrangement | undefined {
  const children = node.columns ?? node.rows;
  if (!children) {
    const pane = panes.get(node);
    return pane === undefined ? undefined : { type: 'pane', pane };
  }
  const parts = children.flatMap((child) => {
    const arranged = arrange(child, panes);
    return arranged ? [{ arranged, weight: child.weight ?? 1 }] : [];
  });
  if (parts.length < 2) return parts[0]?.arranged;
  return {
    type: 'split',
    axis: node.columns ? 'columns' : 'rows',
    children: parts.map(({ arranged }) => arranged),
    weights: parts.map(({ weight }) => weight),
  };
}
