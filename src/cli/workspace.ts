/** Reads a workspace file: what to open in a new session, and where. Opens nothing. */
import { readFileSync } from 'node:fs';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { CliError } from './exit.ts';

export interface WorkspaceInstance {
  /** What others name it by in `beside`. */
  id: string;
  name: string;
  command?: string[];
  /** An ordinary program; without a command the user's shell. */
  shell?: boolean;
  place: { in: 'tab'; name?: string } | { in: 'split'; beside: string; direction: 'right' | 'down' };
}

/** @param values what `${node}` and the like stand for in commands */
export function readWorkspace(path: string, values: Readonly<Record<string, string>>): WorkspaceInstance[] {
  const errors: ParseError[] = [];
  const file = parse(readFileSync(path, 'utf8'), errors) as { open?: WorkspaceInstance[] } | undefined;
  const [error] = errors;
  if (error) {
    throw new CliError(
      `${path} cannot be read: ${printParseErrorCode(error.error)} at character ${error.offset}.`,
    );
  }
  if (!Array.isArray(file?.open))
    throw new CliError(`${path} names nothing to open: it needs a list "open".`);
  return file.open.map((one) => ({
    ...one,
    ...(one.command ? { command: one.command.map((part) => fill(part, values)) } : {}),
  }));
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
