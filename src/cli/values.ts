/** Arguments of commands that hold a value: JSON, text, ids. Says what is wrong with them. */
import type { ReadStream } from 'node:tty';
import type { JsonObject } from '../protocol/messages.ts';
import { UsageError } from './exit.ts';

/** The argument itself, or standard input for `-`. */
export async function textOrInput(argument: string, stdin: ReadStream): Promise<string> {
  if (argument !== '-') return argument;
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The arguments of a call: a JSON object. */
export function jsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The arguments are not JSON: ${(error as Error).message}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError('The arguments of a tool are a JSON object, for example \'{"by": 2}\'.');
  }
  return value as JsonObject;
}

export function instanceId(text: string): string {
  if (!/^(hosted|shell):[1-9][0-9]{0,8}$/.test(text)) {
    throw new UsageError(
      `"${text}" names no instance: ids look like hosted:1 or shell:2; \`tickmux ls\` lists them.`,
    );
  }
  return text;
}

export function callId(text: string): string {
  const id = /^[0-9]+$/.test(text) ? `call:${text}` : text;
  if (!/^call:[1-9][0-9]{0,11}$/.test(id)) {
    throw new UsageError(`"${text}" names no call: ids look like call:7; \`tickmux pending\` lists them.`);
  }
  return id;
}

/** A whole number from `low` to `high`. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value < low || value > high) {
      throw new UsageError(`"${text}" is no whole number from ${low} to ${high}.`);
    }
    return value;
  };
}
