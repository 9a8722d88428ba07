/** What `npm start` shows: a session with the bundled Ticks, and rules that propose calls of them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { visible } from '../cells/visible.ts';
import type { SessionPaths } from '../platform/paths.ts';
import { operatorApi } from '../rpc/api/index.ts';
import type { Placement } from '../rpc/api/instances.ts';
import type { Client } from '../rpc/client.ts';
import { requireTerminal, show } from './attach.ts';
import type { Context } from './context.ts';
import { CliError } from './exit.ts';
import type { Output } from './output.ts';
import { connectOrStart } from './start-host.ts';
import { readWorkspace, type WorkspaceInstance } from './workspace.ts';

export async function demo(paths: SessionPaths, context: Context, output: Output): Promise<number> {
  requireTerminal(paths, context);
  const dist = dirname(context.entry);
  const folder = join(dist, '..', 'demo');
  const playbook = join(folder, 'playbook.jsonc');
  const found = await connectOrStart(paths, context, existsSync(playbook) ? ['--playbook', playbook] : []);
  const problems: string[] = [];
  const code = await show(found, paths, context, async (host) => {
    if (!found.started) return undefined;
    output.progress('tickmux: opening the demo workspace');
    const workspace = readWorkspace(join(folder, 'workspace.jsonc'), {
      node: process.execPath,
      ticks: join(dist, 'ticks'),
    });
    problems.push(...(await openWorkspace(workspace, host, folder)));
    if (problems.length === workspace.length) throw new CliError(problems.join('\n'));
    return undefined;
  });
  for (const problem of problems) output.remark(problem);
  return code;
}

/** Opens one after the other, each where it belongs; returns what went wrong, in words. */
async function openWorkspace(
  workspace: readonly WorkspaceInstance[],
  host: Client,
  cwd: string,
): Promise<string[]> {
  const panes = new Map<string, string>();
  const problems: string[] = [];
  for (const { id, name, command, shell, place } of workspace) {
    try {
      const { pane } = await host.request(operatorApi.open, {
        name,
        cwd,
        ...(command ? { command } : {}),
        ...(shell ? { shell } : {}),
        place: placement(place, panes),
      });
      if (pane !== undefined) panes.set(id, pane);
    } catch (error) {
      problems.push(`${name} did not open: ${visible((error as Error).message)}`);
    }
  }
  return problems;
}

/** Beside a pane that failed to open: in a tab of its own. */
function placement(place: WorkspaceInstance['place'], panes: Map<string, string>): Placement {
  if (place.in === 'tab') return place;
  const pane = panes.get(place.beside);
  return pane === undefined ? { in: 'tab' } : { in: 'split', pane, direction: place.direction };
}
