/** Takes values out of a Tick's state: pointers, argument templates, the words of a reason. */
import { pointerSegments } from '@hyperjump/json-pointer';
import type { Json } from '../../protocol/messages.ts';
import type { Pointer, StateValue, Template, TextPart } from './playbook.ts';

/** Why a template has no value in the present state, in words. */
export class NoValue {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** Reads a JSON Pointer; `undefined` when it is none. */
export function readPointer(text: string): Pointer | undefined {
  try {
    return { text, segments: [...pointerSegments(text)] };
  } catch {
    return undefined;
  }
}

/** The value `pointer` names, or `undefined`. Own members only: a state may hold any name. */
export function valueAt(pointer: Pointer, state: Json): Json | undefined {
  let value: Json | undefined = state;
  for (const segment of pointer.segments) {
    if (Array.isArray(value)) {
      value = /^(0|[1-9][0-9]*)$/.test(segment) ? value[Number(segment)] : undefined;
    } else if (typeof value === 'object' && value !== null) {
      value = Object.hasOwn(value, segment) ? value[segment] : undefined;
    } else {
      return undefined;
    }
  }
  return value;
}

/** Fills a template from the state. */
export function fill(template: Template, state: Json): Json | NoValue {
  switch (template.type) {
    case 'literal':
      return template.value;
    case 'state':
      return fromState(template, state);
    case 'text':
      return sayText(template.parts, state);
    case 'list': {
      const items: Json[] = [];
      for (const item of template.items) {
        const value = fill(item, state);
        if (value instanceof NoValue) return value;
        items.push(value);
      }
      return items;
    }
    case 'object': {
      const members: [string, Json][] = [];
      for (const [name, member] of template.members) {
        const value = fill(member, state);
        if (value instanceof NoValue) return value;
        members.push([name, value]);
      }
      // Not by assignment: a member may be called __proto__.
      return Object.fromEntries(members);
    }
  }
}

function fromState({ path, times, plus, round }: StateValue, state: Json): Json | NoValue {
  const value = valueAt(path, state);
  if (value === undefined) return new NoValue(`the state has no ${path.text}`);
  if (times === undefined && plus === undefined && round === undefined) return value;
  if (typeof value !== 'number') return new NoValue(`${path.text} is not a number`);
  const result = value * (times ?? 1) + (plus ?? 0);
  if (!Number.isFinite(result)) return new NoValue(`${path.text} leaves the range of numbers`);
  return round === undefined ? result : Number(result.toFixed(round));
}

/** Longest value a placeholder stands for, in characters. */
const placeholderChars = 200;

/** Words with values in them; a value that is not there reads "?". */
export function sayText(parts: readonly TextPart[], state: Json): string {
  return parts.map((part) => (typeof part === 'string' ? part : inWords(valueAt(part, state)))).join('');
}

function inWords(value: Json | undefined): string {
  if (value === undefined) return '?';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > placeholderChars ? `${text.slice(0, placeholderChars)}…` : text;
}
