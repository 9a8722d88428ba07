/** Commands about the session as a whole: its log, its end. */
import { visible } from '../../cells/visible.ts';
import type { SessionPaths } from '../../platform/paths.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import type { LogEntry } from '../../rpc/api/session.ts';
import { ConnectionEnded } from '../../rpc/client.ts';
import { withOperator } from '../connection.ts';
import { type Context, paneOf } from '../context.ts';
import { CliError, exitCodes } from '../exit.ts';
import { hostEnd } from '../host-end.ts';
import type { Output } from '../output.ts';

export async function log(
  { lines, follow }: { lines: number; follow: boolean },
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  return withOperator(paths, context, async (host) => {
    const tell = (entry: LogEntry) => output.answer(entry, () => [logLine(entry, output)]);
    host.on(operatorApi.logged, tell);
    const { entries } = await host.request(operatorApi.log, { lines, follow });
    for (const entry of entries) tell(entry);
    if (!follow) return exitCodes.ok;
    await host.closed;
    output.remark(`The host of session ${paths.session} ended.`);
    return exitCodes.ok;
  });
}

function logLine({ at, level, text, instance, call }: LogEntry, output: Output): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const mark = level === 'info' ? '' : output.colour[level === 'warn' ? 'yellow' : 'red'](`${level} `);
  const about = [instance, call].filter((id) => id !== undefined && !text.includes(id)).join(' ');
  return `${output.dim(time)} ${mark}${visible(text)}${about ? output.dim(` (${about})`) : ''}`;
}

export async function killSession(paths: SessionPaths, context: Context, output: Output): Promise<number> {
  if (paneOf(paths.session, context.env)) {
    throw new CliError('This runs inside a pane of that session: end it from another terminal.');
  }
  await withOperator(paths, context, async (host) => {
    try {
      await host.request(operatorApi.kill, {});
    } catch (error) {
      // It may be gone before its answer is out.
      if (!(error instanceof ConnectionEnded)) throw error;
    }
  });
  await hostEnd(paths);
  output.answer({ session: paths.session, ended: true }, () => [`Session ${paths.session} ended.`]);
  return exitCodes.ok;
}
