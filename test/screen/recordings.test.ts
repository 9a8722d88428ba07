import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Screen } from '../../src/screen/index.ts';

/** Recorded streams with the visible text they must give; data of another project, kept outside this one. */
const folder = join(import.meta.dirname, '../../../shared/vt/xterm-escape-sequences');

/** What the emulator does otherwise; it leaves out the same recordings (and t0101) in its own tests. */
const knownFailures: Record<string, string> = {
  't0055-EL': 'erasing to the right while a wrap is pending keeps the last character and the wrap',
  't0084-CBT': 'a back tab, reverse index and cursor left from a pending wrap end in another column',
  't0103-reverse_wrap': 'reverse wrap stops at hard line ends and at the top',
  't0504-vim': 'the screen that comes back after vim stands seven lines higher',
};

const seed = Number(process.env.RECORDINGS_SEED ?? 20_261_130);

function textAfter(chunks: Buffer[]): string {
  const screen = new Screen({ cols: 80, rows: 25 });
  for (const chunk of chunks) {
    screen.write(chunk);
    while (screen.parse(1_000));
  }
  const text = screen.text().join('\n');
  screen.dispose();
  return text;
}

/** Numbers from 0 up to 1, always the same for a seed. */
function random(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The bytes in pieces of 1 to `longest`. */
function pieces(bytes: Buffer, longest: number, next: () => number): Buffer[] {
  const cut: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(next() * longest);
    cut.push(bytes.subarray(at, at + length));
    at += length;
  }
  return cut;
}

const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.in'))
      .map((file) => file.slice(0, -3))
  : [];

describe('recorded escape sequences', () => {
  if (names.length === 0) it.skip(`skipped: no recordings in ${folder}`, () => {});

  for (const name of names) {
    const input = () =>
      // A terminal line turns LF into CR LF.
      Buffer.from(readFileSync(join(folder, `${name}.in`), 'latin1').replace(/\n/g, '\r\n'), 'latin1');
    const check = () => {
      const shown = textAfter([input()]).trimEnd();
      const expected = readFileSync(join(folder, `${name}.text`), 'utf8').split('\n');
      expect(shown).toBe(
        expected
          .map((line) => line.trimEnd())
          .join('\n')
          .trimEnd(),
      );
    };
    const reason = knownFailures[name];
    if (reason) it.fails(`${name} (known to differ: ${reason})`, check);
    else it(name, check);

    it(`${name}, cut anywhere, shows the same`, () => {
      const bytes = input();
      const whole = textAfter([bytes]);
      const next = random(seed);
      for (const longest of [1, 7, 100]) expect(textAfter(pieces(bytes, longest, next))).toBe(whole);
    });
  }
});
