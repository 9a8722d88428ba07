#!/usr/bin/env node
/**
 * The counter: one value that a person's keys and an agent's calls share. The smallest of the bundled Ticks.
 */
import { defineTick, NotExecuted } from '../sdk/index.ts';
import { type Change, counterScreen } from './counter-screen.ts';
import { terminalFor } from './screen.ts';

/** Values stay well inside what every JSON reader keeps exactly, and inside the screen. */
const largest = 999_999_999;
const kept = 256;

let value = 0;
let count = 0;
const changes: Change[] = [];

const tick = defineTick({
  kind: 'example.counter',
  title: 'Counter',
  description: 'One whole number. Keys in the terminal and calls of an agent change the same value.',
  state: () => ({
    value,
    changes: count,
    changed_by: changes.at(-1)?.by ?? null,
    changed_at: changes.at(-1)?.at ?? null,
    recent: changes.slice(-24).map(({ n, value, by }) => ({ n, value, by })),
    queries: { history: `the last ${kept} changes with their times` },
  }),
  series: [{ path: '/recent', newest: 'last' }],
  recoverWith: 'history',
  tools: {
    add: {
      description: 'Add a whole number to the value; a negative amount subtracts. Returns the new value.',
      input: object({ amount: { type: 'integer', minimum: -1_000_000, maximum: 1_000_000 } }, ['amount']),
      mutates: true,
      run: ({ amount }: { amount: number }) => change(value + amount, `add ${amount}`, 'agent'),
    },
    set: {
      description: 'Set the value, whatever it was before. Returns the new value.',
      input: object({ value: { type: 'integer', minimum: -largest, maximum: largest } }, ['value']),
      mutates: true,
      run: (args: { value: number }) => change(args.value, `set ${args.value}`, 'agent'),
    },
    reset: {
      description: 'Set the value to 0. Returns the new value.',
      input: object({}),
      mutates: true,
      run: () => change(0, 'reset', 'agent'),
    },
    history: {
      description: `List the last changes, oldest first: number, new value, what was done, by whom, when.`,
      input: object({ limit: { type: 'integer', minimum: 1, maximum: kept } }),
      mutates: false,
      run: ({ limit = kept }: { limit?: number }) => ({
        changes: changes.slice(-limit).map((c) => ({ ...c })),
      }),
    },
  },
});

function object(properties: { [name: string]: { [key: string]: string | number } }, required: string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

function change(to: number, what: string, by: Change['by']) {
  if (Math.abs(to) > largest) {
    throw new NotExecuted(`The value would leave the range from -${largest} to ${largest}.`);
  }
  value = to;
  count += 1;
  changes.push({ n: count, value, what, by, at: new Date().toISOString() });
  if (changes.length > kept) changes.shift();
  tick.changed();
  draw();
  return { n: count, value };
}

const terminal = terminalFor('counter', tick.hosted);

function draw(): void {
  terminal?.draw(counterScreen({ value, count, changes, quits: !tick.hosted }, terminal));
}

/** A key at the end of the range does nothing: there is nobody to send an error to. */
function press(to: number, what: string): void {
  if (Math.abs(to) <= largest) change(to, what, 'person');
}

terminal?.onResize(draw);
terminal?.onKey((key) => {
  if (key === '+' || key === '=' || key === 'up') press(value + 1, 'add 1');
  else if (key === '-' || key === 'down') press(value - 1, 'add -1');
  else if (key === 'page-up') press(value + 10, 'add 10');
  else if (key === 'page-down') press(value - 10, 'add -10');
  else if (key === 'r') press(0, 'reset');
  else if (key === 'q' && !tick.hosted) process.exit(0);
});

draw();
tick.start();
