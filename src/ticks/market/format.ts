/**
 * Numbers, names and colours as every panel of the market shows them. Never lays out.
 */
import { pad, type Style, style, width } from '../../sdk/index.ts';
import type { Owner, Side } from './book.ts';

export const sideStyle: Readonly<Record<Side, Style>> = { buy: 'green', sell: 'red' };
export const ownerStyle: Readonly<Record<Owner, Style>> = { person: 'yellow', agent: 'cyan', crowd: 'grey' };

export function grey(text: string): string {
  return style(text, 'grey');
}

/** A price: `100.04`. */
export function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** An amount: `1,250.00`. */
export function amount(cents: number): string {
  return money(cents).replace(/\B(?=(\d{3})+\.)/g, ',');
}

/** An amount gained or lost: `+1,250.00`. The sign is always there, or a gain would look like a price. */
export function signed(cents: number): string {
  return (cents < 0 ? '-' : '+') + amount(Math.abs(cents));
}

/** Green above zero, red below, and nothing at all at zero. */
export function gain(cents: number, text = signed(cents)): string {
  if (Math.round(cents) === 0) return text;
  return style(text, cents < 0 ? 'red' : 'green');
}

/** Shares: `12,345`. */
export function shares(qty: number): string {
  return String(qty).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Plain text of narrow characters at the right of `cells`; measuring it would cost more than all the rest. */
export function right(text: string, cells: number): string {
  return text.slice(0, cells).padStart(cells);
}

/** A grey word and what it names. */
export function named(name: string, value: string): string {
  return `${grey(name)} ${value}`;
}

/** Exactly `height` lines: what is missing is empty, what is too much goes. */
export function tall(lines: readonly string[], height: number): string[] {
  return Array.from({ length: Math.max(0, height) }, (_, row) => lines[row] ?? '');
}

/** Panels side by side, two cells apart. Each is as wide as it says; the lines are no longer than that. */
export function beside(...panels: readonly (readonly [lines: readonly string[], cells: number])[]): string[] {
  const height = Math.max(...panels.map(([lines]) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    panels.map(([lines, cells]) => pad(lines[row] ?? '', cells)).join('  '),
  );
}

/** As many of `parts` as fit in `cells`, with `gap` cells between them. */
export function joined(parts: readonly string[], cells: number, gap = 3): string {
  let line = '';
  for (const part of parts) {
    const next = line === '' ? part : line + ' '.repeat(gap) + part;
    if (width(next) > cells) break;
    line = next;
  }
  return line;
}
