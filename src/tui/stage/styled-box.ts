/**
 * An element of the chrome that writes its own cells from spans: colours in full, wide and joined
 * characters whole, clipped by columns. blessed gives it place, focus, keys and stacking.
 */

import type { Widgets } from 'blessed';
import { blankRow, type Row } from '../../cells/row.ts';
import { stringColumns } from '../../cells/widths.ts';
import { type Area, areaOf, drawAsLayer, type ElementHost, withoutUndefined } from './layered-element.ts';
import { CellRow, type Span, type Style, styleWords } from './span.ts';
import type { AreaOptions } from './stage-types.ts';

/** A single line around the box. */
export interface Border {
  /** Which sides have a line. Default: all four. */
  readonly sides?: {
    readonly top?: boolean;
    readonly right?: boolean;
    readonly bottom?: boolean;
    readonly left?: boolean;
  };
  readonly style?: Style;
  /** Stands in the top line from its third column on; clipped before the corner. */
  readonly title?: readonly Span[];
  /** At the right end of the top line; goes first when there is no room for both. */
  readonly note?: readonly Span[];
}

export interface StyledBoxOptions extends AreaOptions {
  readonly border?: Border;
  /** Fills the box and is the default of every span. */
  readonly style?: Style;
}

/** A blessed element (focus, `key`, `on('click')`, `show`, `hide`, `setFront`, `destroy`) that shows lines of spans. */
export interface StyledBox extends Widgets.BoxElement {
  /**
   * One array of spans for each line; no wrapping. A newline inside a span is drawn as U+FFFD.
   * Throws for a colour that is none, as do the other setters.
   */
  setLines(lines: readonly (readonly Span[])[]): void;
  /** The first line (and column) shown; kept within the lines there are. */
  setScroll(y: number, x?: number): void;
  readonly scrollY: number;
  readonly lineCount: number;
  /** The size inside the border as last rendered; 0 x 0 before. */
  readonly inner: { readonly cols: number; readonly rows: number };
  setBorder(border: Border): void;
  setStyle(style: Style): void;
}

type Sides = Required<NonNullable<Border['sides']>>;
type Words = readonly [fg: number, bg: number];

/** What a box shows, apart from the element that shows it. */
class BoxContent {
  lines: readonly (readonly Span[])[] = [];
  border: Border | undefined;
  style: Style = {};
  scrollX = 0;
  #scrollY = 0;
  #innerRows = 0;

  get sides(): Sides {
    const all = this.border !== undefined;
    const { top = all, right = all, bottom = all, left = all } = this.border?.sides ?? {};
    return { top, right, bottom, left };
  }

  get scrollY(): number {
    return Math.max(0, Math.min(this.#scrollY, this.lines.length - this.#innerRows));
  }

  set scrollY(y: number) {
    this.#scrollY = Math.max(0, Math.min(y, this.lines.length - 1));
  }

  /** The rows of the box at this size, made when asked for. */
  rowsFor(area: Area): (y: number) => Row {
    const { sides } = this;
    const fill = styleWords(this.style);
    const innerRows = Math.max(0, area.rows - Number(sides.top) - Number(sides.bottom));
    this.#innerRows = innerRows;
    const first = this.scrollY;
    const made = new Map<number, Row>();
    return (y) => {
      let row = made.get(y);
      if (!row) {
        row = this.#row(y, area, sides, fill, first, innerRows);
        made.set(y, row);
      }
      return row;
    };
  }

  #row(y: number, area: Area, sides: Sides, fill: Words, first: number, innerRows: number): Row {
    if (y < 0 || y >= area.rows) return blankRow(area.cols);
    const row = new CellRow(area.cols, fill[0], fill[1]);
    const lineWords = styleWords(this.border?.style ?? {}, fill);
    if (sides.top && y === 0) {
      this.#edge(row, area.cols, sides, '┌', '┐', lineWords);
      this.#titles(row, area.cols, sides, lineWords);
      return row;
    }
    if (y === innerRows + Number(sides.top)) {
      this.#edge(row, area.cols, sides, '└', '┘', lineWords);
      return row;
    }
    const left = Number(sides.left);
    const right = area.cols - Number(sides.right);
    const spans = this.lines[first + y - Number(sides.top)];
    if (spans) row.write(spans, left - this.scrollX, right, fill);
    // After the text: what is scrolled out to the left ends under the line.
    if (sides.left) row.write([{ text: '│' }], 0, 1, lineWords);
    if (sides.right) row.write([{ text: '│' }], right, area.cols, lineWords);
    return row;
  }

  #edge(row: CellRow, cols: number, sides: Sides, left: string, right: string, words: Words): void {
    const from = sides.left ? left : '─';
    const to = sides.right ? right : '─';
    row.write([{ text: `${from}${'─'.repeat(Math.max(0, cols - 2))}${cols > 1 ? to : ''}` }], 0, cols, words);
  }

  /** ` title ` with a space on either side, so that the line does not touch the words. */
  #titles(row: CellRow, cols: number, sides: Sides, words: Words): void {
    const { title = [], note = [] } = this.border ?? {};
    const end = cols - 1 - Number(sides.right);
    const start = 1 + Number(sides.left);
    const titleColumns = columnsOf(title);
    const noteColumns = columnsOf(note);
    const fits = noteColumns > 0 && start + titleColumns + noteColumns + 5 <= end;
    const titleEnd = fits ? end - noteColumns - 2 : end;
    if (titleColumns > 0) row.write([{ text: ' ' }, ...title, { text: ' ' }], start - 1, titleEnd, words);
    if (fits) row.write([{ text: ' ' }, ...note, { text: ' ' }], end - noteColumns - 2, end, words);
  }
}

function columnsOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + stringColumns(text), 0);
}

export function createStyledBox(host: ElementHost, options: StyledBoxOptions): StyledBox {
  const { border, style, parent, ...place } = options;
  const content = new BoxContent();
  checkColours([style ?? {}], borderStyles(border));
  content.border = border;
  content.style = style ?? {};
  const element = host.blessed.box({
    ...withoutUndefined(place),
    parent: parent ?? host.blessed.screen,
    padding: paddingOf(content.sides),
  } as Widgets.BoxOptions);
  drawAsLayer(element, host, (area) => ({ scope: '', firstColumn: 0, row: content.rowsFor(area) }));
  host.invalidateChrome();

  const change = (apply: () => void) => {
    apply();
    host.invalidateChrome();
  };
  const methods: Pick<StyledBox, 'setLines' | 'setScroll' | 'setBorder' | 'setStyle'> = {
    setLines: (lines) =>
      change(() => {
        checkColours(...lines);
        content.lines = lines;
      }),
    setScroll: (y, x = content.scrollX) =>
      change(() => {
        content.scrollY = y;
        content.scrollX = Math.max(0, x);
      }),
    setBorder: (newBorder) =>
      change(() => {
        checkColours(borderStyles(newBorder));
        content.border = newBorder;
        // Children stand inside the line: blessed's padding keeps them there.
        Object.assign((element as unknown as { padding: object }).padding, paddingOf(content.sides));
      }),
    setStyle: (newStyle) =>
      change(() => {
        checkColours([newStyle]);
        content.style = newStyle;
      }),
  };
  Object.assign(element, methods);
  Object.defineProperties(element, {
    scrollY: { get: () => content.scrollY },
    lineCount: { get: () => content.lines.length },
    inner: { get: () => innerOf(areaOf(element), content.sides) },
  });
  return element as StyledBox;
}

/** Throws here, at the caller's, for what would otherwise fail in the middle of a paint. */
function checkColours(...styles: (readonly Style[])[]): void {
  for (const list of styles) for (const style of list) styleWords(style);
}

function borderStyles(border: Border | undefined): readonly Style[] {
  return border ? [border.style ?? {}, ...(border.title ?? []), ...(border.note ?? [])] : [];
}

function paddingOf(sides: Sides): { top: number; right: number; bottom: number; left: number } {
  const { top, right, bottom, left } = sides;
  return { top: Number(top), right: Number(right), bottom: Number(bottom), left: Number(left) };
}

function innerOf(
  area: Area | undefined,
  { top, right, bottom, left }: Sides,
): { cols: number; rows: number } {
  if (!area) return { cols: 0, rows: 0 };
  return {
    cols: Math.max(0, area.cols - Number(left) - Number(right)),
    rows: Math.max(0, area.rows - Number(top) - Number(bottom)),
  };
}
