/** Opening a program on the operator's behalf: which command, where, with which environment, in which pane. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Static } from '@sinclair/typebox';
import { visible } from '../cells/visible.ts';
import { RpcError } from '../rpc/api/errors.ts';
import type * as api from '../rpc/api/instances.ts';
import type { HostParts } from './host.ts';
import type { Instance } from './instance.ts';
import type { View } from './views.ts';

/** The directory that the program last said it is in, unless that is none any more, or never was. */
function claimedDirectory(instance: Instance | undefined): string | undefined {
  const claimed = instance?.screen.workingDirectory;
  if (claimed === undefined) return undefined;
  try {
    return statSync(claimed).isDirectory() ? claimed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Without a command: the user's shell. The environment is the asking client's; the directory is the
 * one given, else that of the instance named by `cwd_of`, else the client's.
 */
export async function openForOperator(
  parts: HostParts,
  view: View | undefined,
  params: Static<typeof api.open.params>,
): Promise<Static<typeof api.open.result>> {
  const env = params.env ?? view?.env ?? parts.options.env;
  const beside = params.cwd_of === undefined ? undefined : parts.instances.find(params.cwd_of);
  const cwd = params.cwd ?? claimedDirectory(beside) ?? beside?.spec.cwd ?? view?.cwd ?? homedir();
  if (!isAbsolute(cwd)) {
    throw new RpcError('invalidParams', `cwd must be an absolute path, not "${visible(cwd)}".`);
  }
  if (params.place?.in === 'split') parts.layout.pane(params.place.pane);
  const instance = await parts.instances.open({
    command: params.command ?? [env.SHELL || '/bin/sh'],
    hosted: params.shell !== true && params.command !== undefined,
    cwd,
    env,
    name: params.name,
    openedBy: 'operator',
  });
  const place = params.place ?? { in: 'tab' };
  if (place.in === 'none') return { instance: instance.id };
  // The pane it was to stand beside may have gone while the program started.
  const placement =
    place.in === 'split' && !parts.layout.hasPane(place.pane) ? { in: 'tab' as const } : place;
  return { instance: instance.id, ...parts.layout.place(instance.id, placement, instance.title) };
}
