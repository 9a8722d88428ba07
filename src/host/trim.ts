/**
 * Cuts what is delivered to an agent to a budget (tick T-6.4-1, T-6.4-3): declared series keep their
 * newest end, other arrays head and tail, long strings their beginning. Pure: the same input gives the
 * same output, which says what is gone.
 */
import type { Json, Series } from '../protocol/messages.ts';
import { escapeSegment } from './pointer.ts';

/** Bytes of a whole delivery, and of each of its items when there are several. */
export const deliveryBytes = 16 * 1024;
export const itemBytes = 4 * 1024;

export interface Trimmed {
  data: Json;
  /** One line for each value that was cut, `POINTER: what is left of what`; empty when nothing was. */
  cut: string[];
}

/** How much of each value is kept in one attempt. */
interface Measure {
  items: number;
  members: number;
  characters: number;
  depth: number;
}

const largest: Measure = { items: 2_048, members: 512, characters: 8_192, depth: 32 };
/** Each attempt keeps this much of the one before. */
const step = 0.75;
const attempts = 40;
const listedCuts = 20;
const listedPointer = 120;

/** Cuts `data` so that it and the list of cuts take at most `budget` bytes as JSON. */
export function trim(data: Json, series: readonly Series[], budget: number): Trimmed {
  const whole: Trimmed = { data, cut: [] };
  if (size(whole) <= budget) return whole;
  const newest = new Map(series.map(({ path, newest }) => [path, newest]));
  for (let attempt = 0; attempt < attempts; attempt++) {
    const trimmed = new Cutter(measureOf(attempt), newest).run(data);
    if (size(trimmed) <= budget) return trimmed;
  }
  const nothing: Trimmed = { data: null, cut: [`: left out, ${size(whole)} bytes`] };
  return size(nothing) <= budget ? nothing : { data: null, cut: [] };
}

interface DeliveryItem {
  data: Json;
  series: readonly Series[];
  /** What was cut of the same data before, by budget: half a megabyte takes tens of milliseconds, for each agent. */
  known?: Map<number, Trimmed>;
}

/** Trims each item of one delivery: all of the budget for a single one, a share for each of several. */
export function trimDelivery(items: readonly DeliveryItem[]): Trimmed[] {
  const share =
    items.length === 1 ? deliveryBytes : Math.min(itemBytes, Math.floor(deliveryBytes / items.length));
  return items.map(({ data, series, known }) => {
    const trimmed = known?.get(share) ?? trim(data, series, share);
    known?.set(share, trimmed);
    return trimmed;
  });
}

/** Shapes go last: a cut list still says more than a missing one. */
function measureOf(attempt: number): Measure {
  const factor = step ** attempt;
  const of = (count: number, least: number) => Math.max(least, Math.floor(count * factor));
  return {
    items: of(largest.items, 0),
    members: of(largest.members, 1),
    characters: of(largest.characters, 0),
    depth: of(largest.depth, Math.min(4, attempts - attempt)),
  };
}

class Cutter {
  readonly #measure: Measure;
  readonly #newest: ReadonlyMap<string, Series['newest']>;
  readonly #cut: string[] = [];
  #unlisted = 0;

  constructor(measure: Measure, newest: ReadonlyMap<string, Series['newest']>) {
    this.#measure = measure;
    this.#newest = newest;
  }

  run(data: Json): Trimmed {
    const kept = this.#value(data, '', 0);
    const more = this.#unlisted > 0 ? [`and ${this.#unlisted} more values`] : [];
    return { data: kept, cut: [...this.#cut, ...more] };
  }

  #value(value: Json, pointer: string, depth: number): Json {
    if (typeof value === 'string') return this.#string(value, pointer);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= this.#measure.depth) {
      this.#say(pointer, `left out, nested ${depth} levels deep`);
      return null;
    }
    return Array.isArray(value) ? this.#array(value, pointer, depth) : this.#object(value, pointer, depth);
  }

  #string(value: string, pointer: string): string {
    const { characters } = this.#measure;
    if (value.length <= characters) return value;
    // Never half of a surrogate pair: the result has to be encodable.
    const last = value.charCodeAt(characters - 1);
    const end = last >= 0xd800 && last <= 0xdbff ? characters - 1 : characters;
    this.#say(pointer, `the first ${end} of ${value.length} characters`);
    return `${value.slice(0, end)}… ${value.length - end} more characters`;
  }

  #array(value: Json[], pointer: string, depth: number): Json[] {
    const { items } = this.#measure;
    const newest = this.#newest.get(pointer);
    const kept = (list: Json[], first: number) =>
      list.map((item, index) => this.#value(item, `${pointer}/${first + index}`, depth + 1));
    if (value.length <= items) return kept(value, 0);
    const from = value.length - items;
    if (newest) {
      this.#say(pointer, `the newest ${items} of ${value.length} items`);
      return newest === 'first' ? kept(value.slice(0, items), 0) : kept(value.slice(from), from);
    }
    const head = Math.ceil(items / 2);
    const tail = items - head;
    this.#say(pointer, `the first ${head} and the last ${tail} of ${value.length} items`);
    return [...kept(value.slice(0, head), 0), ...kept(value.slice(value.length - tail), value.length - tail)];
  }

  #object(value: { [key: string]: Json }, pointer: string, depth: number): Json {
    const keys = Object.keys(value);
    const kept = keys.slice(0, this.#measure.members);
    if (kept.length < keys.length) this.#say(pointer, `${kept.length} of ${keys.length} members`);
    // Not by assignment: a member may be called __proto__.
    return Object.fromEntries(
      kept.map((key) => [
        key,
        this.#value(value[key] as Json, `${pointer}/${escapeSegment(key)}`, depth + 1),
      ]),
    );
  }

  #say(pointer: string, what: string): void {
    if (this.#cut.length >= listedCuts || pointer.length > listedPointer) this.#unlisted++;
    else this.#cut.push(`${pointer}: ${what}`);
  }
}

function size(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
