/** What `npm start` shows: a session with the bundled Ticks, and rules that propose calls of them. */
import { dirname, join } from 'node:path';
import type { SessionPaths } from '../platform/paths.ts';
import { hostOptions, loadAhead, requireTerminal, showWorkspace } from './attach.ts';
import type { Context } from './context.ts';
import type { Output } from './output.ts';
import { connectOrStart } from './start-host.ts';
import { readWorkspace, workspaceValues } from './workspace.ts';

export async function demo(paths: SessionPaths, context: Context, output: Output): Promise<number> {
  requireTerminal(paths, context);
  const dist = dirname(context.entry);
  const workspace = readWorkspace(
    join(dist, '..', 'demo', 'workspace.jsonc'),
    { ...workspaceValues, ticks: join(dist, 'ticks') },
    context.env,
  );
  loadAhead();
  const found = await connectOrStart(paths, context, hostOptions(workspace));
  if (found.started) output.progress('tickmux: opening the demo workspace');
  // A session that is there is shown as it is.
  return showWorkspace(found.started ? workspace : { tabs: [] }, found, paths, context, output);
}
