import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Instance } from '../../../src/rpc/api/instances.ts';
import { paneTitle } from '../../../src/tui/panes/pane-title.ts';
import { lineColumns } from '../../../src/tui/text.ts';
import { defaultTheme } from '../../../src/tui/theme.ts';
import { instanceSummary } from '../../support/instance-summary.ts';

const look = (more: Partial<Instance>, zoomed = false) => ({
  instance: instanceSummary('hosted:1', 'Counter', more),
  focused: false,
  zoomed,
  rang: false,
  restart: 'C-b R',
});
const words = (more: Partial<Instance>, columns = 60) =>
  paneTitle(look(more), defaultTheme, columns)
    .title.map(({ text }) => text)
    .join('');

test("the window's title stands behind a bar, unless it says what the name says", () => {
  expect(words({ screen_title: 'user@box: ~/src' })).toBe('hosted:1 Counter  │ user@box: ~/src');
  expect(words({ screen_title: 'Counter' })).toBe('hosted:1 Counter');
  expect(words({ screen_title: 'x'.repeat(80), waiting: 1 })).toMatch(
    /^hosted:1 Counter {2}▲ 1 waiting {2}│ x+…$/,
  );
  expect(words({ screen_title: '\x1b[2J\u202e' })).toBe('hosted:1 Counter  │ ␛[2J⟨U+202E⟩');
});

test('whatever a program calls itself, it draws no border and no mark, and hides none', () => {
  const stranger = fc.string({
    unit: fc.constantFrom('a', ' ', '─', '┐', '│', '▲', '◆', '1', '漢', '\x1b', '\u202e', '👩‍👩‍👧', '…'),
    maxLength: 90,
  });
  fc.assert(
    fc.property(
      stranger,
      stranger,
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 40, max: 120 }),
      fc.boolean(),
      (title, window, waiting, columns, zoomed) => {
        const said = paneTitle(look({ title, screen_title: window, waiting }, zoomed), defaultTheme, columns);
        const text = said.title.map((span) => span.text).join('');
        expect(lineColumns(said.title) + lineColumns(said.note) + (zoomed ? 4 : 0)).toBeLessThanOrEqual(
          columns - 5,
        );
        expect(said.note.length > 0).toBe(zoomed);
        const mark = waiting > 0 ? `  ▲ ${waiting} waiting` : '';
        expect(text).toContain(mark);
        // The mark is ours, and so is the one bar: no other sign of theirs is left.
        expect(text.replace(mark, '').replace('│', '')).not.toMatch(/[─┐│▲◆]/);
        const bar = text.indexOf('│');
        if (bar >= 0 && mark !== '') expect(text.indexOf(mark)).toBeLessThan(bar);
      },
    ),
    { seed: 20_261_130, numRuns: 400 },
  );
});
