import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Row, wordsPerCell } from '../../../src/cells/row.ts';
import { Screen } from '../../../src/screen/index.ts';
import { createStage, type Stage } from '../../../src/tui/stage/index.ts';
import { CellTerminal, compare, feed, Pane, type Placed } from './expected-cells.ts';

const characters = fc.constantFrom(
  ...['a', 'Z', '~', ' ', '  ', '你', '好', 'é', 'e\u0301', '─', '\u{1f600}', '\u{1f469}\u200d\u{1f680}'],
  ...['\u{1f1e9}\u{1f1ea}', '☂\ufe0f', '✔', '\u{20000}', '\uff76\uff9e', '\u0e01\u0e33'],
);
const attributes = fc.constantFrom(
  ...['0', '1', '2', '3', '4', '4:2', '4:3', '4:4', '4:5', '5', '7', '8', '9', '53', '22', '24', '27', '55'],
  ...['31', '97', '38;5;16', '38;5;200', '38;2;1;2;3', '42', '107', '48;5;99', '48;2;9;8;7', '39', '49'],
  ...['58:5:9', '58:2::7:8:9', '59', '4;58;2;1;1;1'],
);
const output = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(characters, { minLength: 1, maxLength: 12 }).map((list) => list.join('')),
  },
  { weight: 4, arbitrary: attributes.map((sgr) => `\x1b[${sgr}m`) },
  { weight: 3, arbitrary: fc.tuple(fc.nat(24), fc.nat(50)).map(([y, x]) => `\x1b[${y + 1};${x + 1}H`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '\r\n',
        '\x1b[K',
        '\x1b[1K',
        '\x1b[J',
        '\x1b[3X',
        '\x1b[2P',
        '\x1b[2@',
        '\x1b[L',
        '\x1b[M',
        '\x1b[2J',
      ],
      ...[
        '\x1b]8;;http://a/\x1b\\',
        '\x1b]8;id=1;http://b/\x1b\\',
        '\x1b]8;id=2;http://b/\x1b\\',
        '\x1b]8;;\x1b\\',
      ],
      ...['\x1b[?1049h', '\x1b[?1049l', '\x1b[?7l', '\x1b[?7h'],
    ),
  },
);
const outputs = fc.array(output, { minLength: 1, maxLength: 30 }).map((list) => list.join(''));
const rect = fc.record({
  left: fc.integer({ min: -4, max: 40 }),
  top: fc.integer({ min: -3, max: 14 }),
  width: fc.integer({ min: 1, max: 40 }),
  height: fc.integer({ min: 1, max: 12 }),
});
const which = fc.nat(9);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('output' as const), which, text: outputs }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pane' as const), which, rect }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('box' as const),
      rect,
      lines: fc.array(
        fc.array(characters, { maxLength: 30 }).map((list) => list.join('')),
        { maxLength: 6 },
      ),
      fg: fc.constantFrom('default' as const, 3, 150, '#102030' as const),
      scroll: fc.nat(5),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), which, rect }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('toggle' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('scroll' as const),
      which,
      x: fc.nat(9),
      y: fc.integer({ min: -3, max: 9 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('resize' as const),
      cols: fc.integer({ min: 4, max: 60 }),
      rows: fc.integer({ min: 2, max: 20 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Lines of plain text as an emulator puts them into cells, so that our own packing is checked as well. */
function rowsOfText(lines: readonly string[], fg: string | number, cols: number): Row[] {
  const sgr = { default: '0', 3: '33', 150: '38;5;150', '#102030': '38;2;16;32;48' }[fg];
  return lines.map((line) => {
    const screen = new Screen({ cols, rows: 1, scrollback: 0 });
    feed(screen, `\x1b[${sgr}m${line}`);
    const row = screen.frame(0).changed[0]![1];
    screen.dispose();
    return row;
  });
}

class Run {
  readonly terminal = new CellTerminal(50, 16);
  readonly stage: Stage = createStage({ terminal: this.terminal });
  readonly panes = [new Pane(40, 12), new Pane(17, 5), new Pane(50, 3)];
  readonly placed: Placed[] = [];

  constructor() {
    this.panes.forEach((pane, i) => void this.stage.setPaneSource(`shell:${i}`, pane.grid));
  }

  do(step: Step): void {
    const some = 'which' in step ? this.placed[step.which % Math.max(1, this.placed.length)] : undefined;
    switch (step.do) {
      case 'output': {
        const index = step.which % this.panes.length;
        const pane = this.panes[index]!;
        feed(pane.screen, step.text);
        for (const y of pane.update()) this.stage.invalidateRows(`shell:${index}`, y, y);
        break;
      }
      case 'pane': {
        const index = step.which % this.panes.length;
        const pane = this.panes[index]!;
        this.placed.push({
          ...step.rect,
          element: this.stage.paneArea(`shell:${index}`, step.rect),
          hidden: false,
          scope: String(index),
          row: (y) => {
            const at = y + pane.offset.y;
            return at >= 0 && at < pane.grid.rows ? pane.grid.row(at) : undefined;
          },
          firstColumn: () => pane.offset.x,
        });
        break;
      }
      case 'box': {
        const element = this.stage.styledBox({ ...step.rect, style: { fg: step.fg } });
        element.setLines(step.lines.map((text) => [{ text }]));
        element.setScroll(0, step.scroll);
        const rows = rowsOfText(step.lines, step.fg, 200);
        const fill = rowsOfText([' '.repeat(200)], step.fg, 200)[0]!;
        const filled = rows.map((row, i) => paddedWith(row, fill, step.lines[i]!));
        const box = { element, hidden: false, scope: '', firstColumn: () => step.scroll };
        this.placed.push({ ...step.rect, ...box, row: (y) => filled[y] ?? fill });
        break;
      }
      case 'move': {
        if (!some) break;
        Object.assign(some, step.rect);
        Object.assign(some.element, step.rect);
        this.stage.invalidateChrome();
        break;
      }
      case 'toggle': {
        if (!some) break;
        some.hidden = !some.hidden;
        if (some.hidden) some.element.hide();
        else some.element.show();
        this.stage.invalidateChrome();
        break;
      }
      case 'remove': {
        if (!some) break;
        this.placed.splice(this.placed.indexOf(some), 1);
        some.element.destroy();
        this.stage.invalidateChrome();
        break;
      }
      case 'scroll': {
        const index = step.which % this.panes.length;
        const pane = this.panes[index]!;
        pane.offset = { x: step.x, y: step.y };
        this.stage.setPaneSource(`shell:${index}`, pane.grid, pane.offset);
        break;
      }
      case 'resize':
        this.terminal.resize(step.cols, step.rows);
        break;
    }
  }

  dispose(): void {
    this.stage.dispose();
    for (const pane of this.panes) pane.screen.dispose();
    this.terminal.screen.dispose();
  }
}

/** A box fills the rest of each line with its own colours; an emulator leaves it alone. */
function paddedWith(row: Row, fill: Row, text: string): Row {
  const screen = new Screen({ cols: 200, rows: 1 });
  feed(screen, text);
  const used = screen.frame(0).cursor.x * wordsPerCell;
  screen.dispose();
  const words = Uint32Array.from(fill.words);
  words.set(row.words.subarray(0, used));
  return { ...row, words };
}

test('every cell of the terminal is the one that is on top there', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 40 }), async (steps) => {
      const run = new Run();
      try {
        for (const each of steps) {
          run.do(each);
          expect(await run.stage.whenPainted()).toBe(true);
          compare(run.terminal, run.placed);
        }
      } finally {
        run.dispose();
      }
    }),
    {
      seed: Number(process.env.STAGE_SEED ?? 4711),
      numRuns: Number(process.env.STAGE_RUNS ?? 25),
      // Making a failure small takes minutes: set STAGE_SHRINK to have it.
      endOnFailure: !process.env.STAGE_SHRINK,
    },
  );
});
