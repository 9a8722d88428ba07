/** Writes the present session as a workspace file. Environments are never written. */
import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { SessionPaths } from '../../platform/paths.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import type { Instance } from '../../rpc/api/instances.ts';
import type { LayoutNode } from '../../rpc/api/layout.ts';
import type { Picture } from '../../rpc/api/session.ts';
import { withOperator } from '../connection.ts';
import type { Context } from '../context.ts';
import { CliError, exitCodes } from '../exit.ts';
import type { Output } from '../output.ts';
import { keepDollars, workspaceValues } from '../workspace.ts';
import type { Workspace, WorkspaceNode } from '../workspace-schema.ts';

export interface SaveOptions {
  /** Standard output when there is none. */
  file?: string;
  /** Replaces a file that is there. */
  force?: boolean;
}

export async function save(
  { file, force = false }: SaveOptions,
  paths: SessionPaths,
  context: Context,
  output: Output,
): Promise<number> {
  const picture = await withOperator(paths, context, (host) => host.request(operatorApi.picture, {}));
  const { workspace, left } = workspaceOf(picture, context.env.SHELL);
  if (workspace.tabs.length === 0) {
    throw new CliError(`Session ${paths.session} has no pane that could be saved: open something first.`);
  }
  for (const words of left) output.remark(`tickmux: ${words}`);
  const text = workspaceText(workspace, paths.session);
  if (file === undefined) {
    context.stdout.write(text);
    return exitCodes.ok;
  }
  const path = resolve(context.cwd, file);
  try {
    // Command lines are nobody else's business.
    writeFileSync(path, text, { flag: force ? 'w' : 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(
      code === 'EEXIST'
        ? `${path} exists already: name another file, or replace it with --force.`
        : `The workspace cannot be written to ${path}: ${message}`,
    );
  }
  output.remark(`Saved. \`tickmux -s NAME -f ${file}\` opens it in a new session.`);
  return exitCodes.ok;
}

/** @param ownShell what a pane without a command starts, so that it need not be named */
function workspaceOf(
  { instances, layout }: Picture,
  ownShell: string | undefined,
): { workspace: Workspace; left: string[] } {
  const unsaved = new Map(instances.map((one) => [one.instance, one]));
  const left: string[] = [];
  const nodeOf = (node: LayoutNode): WorkspaceNode | undefined => {
    if (node.type === 'pane') {
      const instance = unsaved.get(node.instance);
      // Opened twice it would be two programs.
      if (!instance) left.push(`${node.instance} has several panes: only the first is saved.`);
      unsaved.delete(node.instance);
      return instance && programOf(instance, ownShell);
    }
    const children = node.children.flatMap((child, index) => {
      const saved = nodeOf(child);
      if (!saved) return [];
      const weight = rounded(node.weights[index] ?? 1);
      return [weight === 1 ? saved : { ...saved, weight }];
    });
    if (children.length < 2) return children[0] && withoutWeight(children[0]);
    return { [node.axis]: children };
  };
  const tabs = layout.tabs.flatMap(({ name, root }) => {
    const saved = nodeOf(root);
    return saved ? [{ name, root: saved }] : [];
  });
  for (const { instance, title } of unsaved.values()) {
    left.push(`${instance} ${title} has no pane and is not saved.`);
  }
  return { workspace: { tabs }, left };
}

function programOf(instance: Instance, ownShell: string | undefined): WorkspaceNode {
  const { title, command, cwd } = instance;
  const shell = instance.instance.startsWith('shell:');
  const isOwn = shell && command.length === 1 && command[0] === ownShell;
  const names = Object.keys(workspaceValues);
  return {
    ...(title !== '' && title !== basename(command[0] ?? '') && { name: title.slice(0, 64) }),
    ...(shell && { shell }),
    ...(!isOwn && { command: command.map((part) => keepDollars(part, names)) }),
    cwd,
  };
}

function withoutWeight({ weight: _, ...node }: WorkspaceNode): WorkspaceNode {
  return node;
}

/** Halves of halves are exact; thirds need no fifteen digits. */
function rounded(weight: number): number {
  return Number(weight.toPrecision(6));
}

function workspaceText(workspace: Workspace, session: string): string {
  return `// Session ${session} as it was on ${new Date().toISOString().slice(0, 10)}. \`tickmux -f\` opens it again.\n${format(workspace)}\n`;
}

/** As JSON.stringify, with everything that fits on a line on one. */
function format(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (indent.length + line.length <= 100 || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const list = Array.isArray(value);
  const parts = list
    ? value.map((item) => inner + format(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${format(item, inner)}`);
  return `${list ? '[' : '{'}\n${parts.join(',\n')}\n${indent}${list ? ']' : '}'}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`);
  return `{ ${members.join(', ')} }`;
}
