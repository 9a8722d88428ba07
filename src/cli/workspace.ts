/** Reads a workspace file: what to open in a new session, and where. Opens nothing. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readText } from '../platform/config.ts';
import { expandHome } from './config.ts';
import { CliError } from './exit.ts';
import { describeProblems, JsoncText } from './jsonc.ts';
import { whyUnreadable } from './unreadable.ts';
import { Workspace, type WorkspaceNode } from './workspace-schema.ts';

/** What a `${name}` in a command stands for. */
export type Values = Readonly<Record<string, string>>;

/** A workspace with every path absolute and every `${name}` filled in. */
export interface ReadWorkspace {
  playbook?: string;
  tabs: { name?: string; root: WorkspaceNode }[];
}

/** @throws CliError with every problem, `file:line:column: what`, unless it can be opened as it is */
export function readWorkspace(path: string, values: Values, env: NodeJS.ProcessEnv): ReadWorkspace {
  const source = new JsoncText(textOf(path));
  source.check(Workspace);
  const reader = new Reader(source, path, values, env);
  const workspace = source.problems.length === 0 ? reader.workspace(source.value as Workspace) : undefined;
  if (workspace && source.problems.length === 0) return workspace;
  throw new CliError(
    ['The workspace cannot be opened:', ...describeProblems(path, source.problems)].join('\n'),
  );
}

function textOf(path: string): string {
  let text: string | undefined;
  try {
    text = readText(path);
  } catch (error) {
    throw new CliError(`The workspace ${path} cannot be read: ${whyUnreadable(error)}.`);
  }
  if (text === undefined) {
    throw new CliError(
      `There is no workspace ${path}: \`tickmux save FILE\` writes the present session as one.`,
    );
  }
  return text;
}

type Path = readonly (string | number)[];

class Reader {
  readonly #source: JsoncText;
  readonly #directory: string;
  readonly #values: Values;
  readonly #env: NodeJS.ProcessEnv;

  constructor(source: JsoncText, file: string, values: Values, env: NodeJS.ProcessEnv) {
    this.#source = source;
    this.#directory = dirname(resolve(file));
    this.#values = values;
    this.#env = env;
  }

  workspace({ cwd, playbook, tabs }: Workspace): ReadWorkspace {
    const base = this.#place(this.#directory, cwd);
    if (cwd !== undefined) this.#need(base, 'directory', ['cwd'], 'cwd');
    const read: ReadWorkspace = {
      tabs: tabs.map(({ name, root }, index) => ({
        ...(name !== undefined && { name }),
        root: this.#node(root, base, ['tabs', index, 'root']),
      })),
    };
    if (playbook === undefined) return read;
    const file = this.#place(this.#directory, playbook);
    this.#need(file, 'file', ['playbook'], 'playbook');
    return { ...read, playbook: file };
  }

  #node(node: WorkspaceNode, base: string, path: Path): WorkspaceNode {
    const { name, command, shell, cwd, columns, rows, weight } = node;
    const size = weight === undefined ? {} : { weight };
    const program = command !== undefined || shell === true;
    if ([columns, rows, program || undefined].filter((part) => part !== undefined).length !== 1) {
      this.#source.complain(
        path,
        columns || rows
          ? 'a pane is split into "columns" or into "rows", or has a program: only one of them'
          : 'a pane needs "command" for a Tick, "shell": true for a shell or another program, or "columns" or "rows"',
      );
      return node;
    }
    if (!program) {
      const axis = columns ? 'columns' : 'rows';
      for (const key of ['name', 'cwd', 'shell'] as const) {
        if (node[key] !== undefined) {
          this.#source.complain([...path, key], `a split has no ${key}: give it to the panes in it`, true);
        }
      }
      const children = (columns ?? rows ?? []).map((child, index) =>
        this.#node(child, base, [...path, axis, index]),
      );
      return { ...size, [axis]: children };
    }
    const place = this.#place(base, cwd);
    if (cwd !== undefined) this.#need(place, 'directory', [...path, 'cwd'], 'cwd');
    return {
      ...size,
      ...(name !== undefined && { name }),
      ...(shell === true && { shell }),
      ...(command && { command: command.map((part) => fill(part, this.#values)) }),
      cwd: place,
    };
  }

  #place(base: string, path = '.'): string {
    return resolve(base, expandHome(path, this.#env));
  }

  #need(path: string, what: 'file' | 'directory', at: Path, name: string): void {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (what === 'file' ? stat?.isFile() : stat?.isDirectory()) return;
    this.#source.complain(at, `${name}: there is no ${what} ${path}`);
  }
}

/** `$${node}` is the text `${node}` itself. Names that stand for nothing stay as they are. */
function fill(text: string, values: Values): string {
  return text.replace(/(\$+)\{(\w+)\}/g, (whole, dollars: string, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    return dollars.length === 1 ? value : whole.slice(1);
  });
}

/** The opposite of filling in: a text that reads as `text`. */
export function keepDollars(text: string, names: readonly string[]): string {
  return text.replace(/\$+\{(\w+)\}/g, (whole, name: string) => (names.includes(name) ? `$${whole}` : whole));
}

/** What `${name}` means in a workspace of anybody's. */
export const workspaceValues: Values = { node: process.execPath };
