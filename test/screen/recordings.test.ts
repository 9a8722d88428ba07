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

const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.in'))
      .map((file) => file.slice(0, -3))
  : [];

describe('recorded escape sequences', () => {
  if (names.length === 0) it.skip(`skipped: no recordings in ${folder}`, () => {});

  for (const name of names) {
    const check = () => {
      const screen = new Screen({ cols: 80, rows: 25 });
      const input = readFileSync(join(folder, `${name}.in`));
      // A terminal line turns LF into CR LF.
      screen.write(Buffer.from(input.toString('latin1').replace(/\n/g, '\r\n'), 'latin1'));
      while (screen.parse(1_000));
      const expected = readFileSync(join(folder, `${name}.text`), 'utf8').split('\n');
      const shown = screen.text().join('\n').trimEnd();
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
  }
});
