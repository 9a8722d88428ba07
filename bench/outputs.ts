/** Long outputs of several kinds, as files to be printed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const outputMb = Number(process.env.BENCH_DRAIN_MB ?? 20);

/** What is printed again and again, by its number. */
const kinds: Record<string, (n: number) => string> = {
  plain: (n) => `${n} The quick brown fox jumps over the lazy dog, again and again.\n`,
  coloured: (n) =>
    `\x1b[3${n % 8}m${n}\x1b[0m \x1b[1;38;5;${n % 256}mquick\x1b[0m \x1b[48;2;${n % 256};20;90mfox\x1b[0m\n`,
  'wide and emoji': (n) => `${n} 敏捷的棕色狐狸跳过了懒狗，一次又一次 🦊 👩‍🚀 🇯🇵 끝없이\n`,
  'full redraws': (n) =>
    `\x1b[H${Array.from({ length: 48 }, (_, row) => `\x1b[${row + 1};1H\x1b[3${(n + row) % 8}m${'-'.repeat((n + row) % 60)}${n}\x1b[K`).join('')}`,
  'short lines': (n) => `${n % 100}\n`,
};

/** Paths by the name of their kind. */
export function makeOutputs(directory: string): Record<string, string> {
  mkdirSync(directory, { recursive: true });
  return Object.fromEntries(
    Object.entries(kinds).map(([name, text]) => {
      const parts: string[] = [];
      for (let size = 0, n = 0; size < outputMb * 1024 * 1024; n++) {
        const part = text(n);
        parts.push(part);
        size += Buffer.byteLength(part);
      }
      const path = join(directory, name.replaceAll(' ', '-'));
      writeFileSync(path, parts.join(''));
      return [name, path];
    }),
  );
}
