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

/** One of the words. */
export function oneOf<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new UsageError(`"${text}" is none of ${words.join(', ')}.`);
    return found;
  };
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A moment in the past, in milliseconds since 1970: how long ago (`30m`, `2h`, `7d`), or a date as ISO 8601 writes it. */
export function moment(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * unitMs[unit as keyof typeof unitMs];
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new UsageError(
    `"${text}" is no moment: write how long ago, as 30m, 2h or 7d, or a date, as 2026-11-30T14:00.`,
  );
}
