/**
 * Decides whether a descriptor may be used (tick H-5.3-1). It keeps none, and compares none with
 * another.
 */

import { brief } from '../protocol/brief.ts';
import { exceeds } from '../protocol/json.ts';
import { type Limits, protocolVersion } from '../protocol/limits.ts';
import type { Descriptor, Json, JsonObject, Series, Tool } from '../protocol/messages.ts';
import { compileForeignSchema, cpuMs } from '../schema/index.ts';
import { isObject } from './shape.ts';

export type ReadDescriptor =
  | { ok: true; descriptor: Descriptor }
  | { ok: false /** A sentence. */; reason: string; requirement?: string };

/**
 * All schemas of a catalogue together may hold up the host this long, in ms of its own CPU: on a busy
 * machine the clock on the wall says nothing about a schema.
 */
const compileMs = 3_000;

class Rejection extends Error {
  readonly requirement: string | undefined;
  constructor(requirement: string | undefined, reason: string) {
    super(reason);
    this.requirement = requirement;
  }
}

/**
 * @param sourceBytes size of the line that held the result.
 * @returns a copy without the members that are not known (tick H-4.3-4), or the first rule it breaks.
 */
export function readDescriptor(result: Json, limits: Limits, sourceBytes: number): ReadDescriptor {
  try {
    return { ok: true, descriptor: read(result, limits, sourceBytes) };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { message: reason, requirement } = error;
    return requirement === undefined ? { ok: false, reason } : { ok: false, reason, requirement };
  }
}

function read(result: Json, limits: Limits, sourceBytes: number): Descriptor {
  if (!isObject(result)) throw new Rejection(undefined, 'The descriptor is not an object.');
  checkProtocol(result);
  if (exceeds(result, limits.descriptorBytes, sourceBytes)) {
    throw new Rejection('H-5.3-1h', `The descriptor is larger than ${limits.descriptorBytes} bytes.`);
  }
  const kind = text(result, 'kind', 'The descriptor');
  if (kind.trim() === '') throw new Rejection('H-5.3-1b', 'The kind in the descriptor is empty.');
  const title = text(result, 'title', 'The descriptor');
  if (title.trim() === '') throw new Rejection('H-5.3-1b', 'The title in the descriptor is empty.');
  const description = text(result, 'description', 'The descriptor');
  const revision = text(result, 'revision', 'The descriptor');
  if (revision === '') throw new Rejection('H-5.3-1c', 'The revision in the descriptor is empty.');
  const tools = readTools(result.tools);

  const descriptor: Descriptor = { protocol: protocolVersion, kind, title, description, revision, tools };
  if (result.recover_with !== undefined) descriptor.recover_with = readRecovery(result.recover_with, tools);
  if (result.state !== undefined) descriptor.state = readStateDeclaration(result.state);
  return descriptor;
}

/** First of all: what follows is known for our own version only. */
function checkProtocol({ protocol }: JsonObject): void {
  if (protocol === protocolVersion) return;
  const theirs = protocol === undefined ? 'none' : JSON.stringify(protocol).slice(0, 40);
  throw new Rejection(
    'H-5.3-1a',
    `The Tick names protocol version ${theirs}; this host speaks version ${protocolVersion} only.`,
  );
}

function readTools(value: Json | undefined): Tool[] {
  if (!Array.isArray(value)) throw new Rejection(undefined, 'The tools in the descriptor are not a list.');
  const names = new Set<string>();
  // The first schema of all loads the validator, which is no fault of its Tick.
  compileForeignSchema({});
  const compileUntil = cpuMs() + compileMs;
  return value.map((item, index) => {
    const tool = readTool(item, index);
    if (names.has(tool.name)) {
      throw new Rejection('H-5.3-1d', `Two tools are named ${quote(tool.name)}.`);
    }
    names.add(tool.name);
    const compiled = compileForeignSchema(tool.input_schema);
    if (!compiled.ok) {
      throw new Rejection(
        'H-5.3-1e',
        `The input_schema of tool ${quote(tool.name)} cannot be used: it ${brief(compiled.reason)}.`,
      );
    }
    if (cpuMs() > compileUntil) {
      throw new Rejection(undefined, `The schemas of the tools take more than ${compileMs} ms to compile.`);
    }
    return tool;
  });
}

function readTool(item: Json, index: number): Tool {
  const which = `Tool ${index + 1}`;
  if (!isObject(item)) throw new Rejection(undefined, `${which} is not an object.`);
  const name = text(item, 'name', which);
  if (name.trim() === '') throw new Rejection('H-5.3-1d', `The name of tool ${index + 1} is empty.`);
  const description = text(item, 'description', which);
  const { input_schema, mutates } = item;
  if (!isObject(input_schema)) {
    throw new Rejection('H-5.3-1e', `The input_schema of tool ${quote(name)} is not an object.`);
  }
  if (typeof mutates !== 'boolean') {
    throw new Rejection(undefined, `Tool ${quote(name)} does not say whether it mutates.`);
  }
  return { name, description, input_schema, mutates };
}

function readRecovery(name: Json, tools: Tool[]): string {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Rejection('H-5.3-1f', 'recover_with names no tool of the catalogue.');
  if (tool.mutates) throw new Rejection('H-5.3-1f', 'recover_with names a tool that mutates.');
  return tool.name;
}

function readStateDeclaration(value: Json): { series?: Series[] } {
  if (!isObject(value)) throw new Rejection(undefined, 'The state in the descriptor is not an object.');
  if (value.series === undefined) return {};
  if (!Array.isArray(value.series)) throw new Rejection(undefined, 'state.series is not a list.');
  const paths = new Set<string>();
  const series = value.series.map((item, index): Series => {
    const which = `Series ${index + 1}`;
    if (!isObject(item)) throw new Rejection(undefined, `${which} is not an object.`);
    const path = text(item, 'path', which);
    const { newest } = item;
    if (path !== '' && !path.startsWith('/')) {
      throw new Rejection(
        'H-5.3-1g',
        `The path of series ${index + 1} neither is empty nor begins with "/".`,
      );
    }
    if (paths.has(path)) throw new Rejection('H-5.3-1g', `Two series have the path ${quote(path)}.`);
    paths.add(path);
    if (newest !== 'first' && newest !== 'last') {
      throw new Rejection(undefined, `${which} says neither "first" nor "last" for newest.`);
    }
    return { path, newest };
  });
  return { series };
}

function text(holder: JsonObject, member: string, which: string): string {
  const value = holder[member];
  if (typeof value === 'string') return value;
  throw new Rejection(undefined, `${which} has no ${member}, or one that is not text.`);
}

function quote(name: string): string {
  return JSON.stringify(brief(name, 100));
}
