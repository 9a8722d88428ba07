/**
 * What a terminal shows, as a test reads it: text, panes by their titles, cells with all attributes. Knows
 * nothing of where the bytes come from.
 */
import { Terminal as Emulator, type IBufferLine } from '@xterm/headless';
import { type Row, wordsPerCell } from '../../src/cells/row.ts';
import { widthTable } from '../../src/cells/widths.ts';
import { copyRow } from '../../src/screen/copy-row.ts';

/** In cells. */
export interface Rect {
  x: number;
  y: number;
  cols: number;
  rows: number;
}

/** Another picture of the same cells: what a host sent of an instance. */
export interface Cells {
  cols: number;
  rows: number;
  row(y: number): Row;
}

export class TerminalGrid {
  protected readonly emulator: Emulator;

  constructor(cols: number, rows: number) {
    this.emulator = new Emulator({ cols, rows, scrollback: 0, allowProposedApi: true });
    this.emulator.unicode.register(widthTable as never);
    this.emulator.unicode.activeVersion = widthTable.version;
  }

  /** Shows lines that hold text and attributes. */
  async write(lines: readonly string[]): Promise<void> {
    await new Promise<void>((done) => this.emulator.write(lines.join('\r\n'), done));
  }

  /** The visible rows without trailing blanks. */
  get lines(): string[] {
    return Array.from({ length: this.emulator.rows }, (_, y) => this.#line(y).translateToString(true));
  }

  get text(): string {
    return this.lines.join('\n');
  }

  get cursor(): { x: number; y: number; visible: boolean } {
    const { cursorX: x, cursorY: y } = this.emulator.buffer.active;
    const { _core } = this.emulator as unknown as { _core: { coreService: { isCursorHidden: boolean } } };
    return { x, y, visible: !_core.coreService.isCursorHidden };
  }

  holds(wanted: string | RegExp): boolean {
    return typeof wanted === 'string' ? this.text.includes(wanted) : wanted.test(this.text);
  }

  /** The inside of the pane whose border carries this title; throws unless the border is whole. */
  pane(title: string): Rect {
    const rows = Array.from({ length: this.emulator.rows }, (_, y) => this.#flat(y));
    const corner = `┌ ${title}`;
    const y = rows.findIndex((row) => row.includes(corner));
    const left = rows[y]?.indexOf(corner) ?? -1;
    const right = rows[y]?.indexOf('┐', left) ?? -1;
    const bottom = rows.findIndex((row, at) => at > y && row[left] === '└');
    if (y < 0 || right < 0 || bottom < 0) throw new Error(`No pane is titled ${title}:\n${this.text}`);
    for (let at = y + 1; at < bottom; at++) {
      if (rows[at]?.[left] !== '│' || rows[at]?.[right] !== '│') {
        throw new Error(`The border of ${title} is broken in row ${at}:\n${this.text}`);
      }
    }
    return { x: left + 1, y: y + 1, cols: right - left - 1, rows: bottom - y - 1 };
  }

  /** The text inside the border of a pane; empty while there is no such pane. */
  paneText(title: string): string {
    if (!this.holds(`┌ ${title}`)) return '';
    const { x, y, cols, rows } = this.pane(title);
    return Array.from({ length: rows }, (_, row) =>
      this.#line(y + row)
        .translateToString(false, x, x + cols)
        .trimEnd(),
    ).join('\n');
  }

  /** Where this terminal shows other cells in a rectangle than these, attributes included and links not. */
  differences(rect: Rect, cells: Cells): string[] {
    if (cells.cols !== rect.cols || cells.rows !== rect.rows) {
      return [`${cells.cols}x${cells.rows} cells are shown in ${rect.cols}x${rect.rows}`];
    }
    const found: string[] = [];
    for (let y = 0; y < rect.rows; y++) {
      const wanted = cells.row(y);
      const shown = this.#row(rect.y + y);
      for (let x = 0; x < rect.cols; x++) {
        const [here, there] = [cellAt(shown, rect.x + x), cellAt(wanted, x)];
        if (here !== there) found.push(`column ${x}, row ${y}: ${here} instead of ${there}`);
      }
    }
    return found;
  }

  #row(y: number): Row {
    const { _line } = this.#line(y) as unknown as { _line: Parameters<typeof copyRow>[0] };
    return copyRow(_line, this.emulator.cols, noLinks);
  }

  /** One character a cell, whatever stands in it. */
  #flat(y: number): string {
    const line = this.#line(y);
    return Array.from({ length: this.emulator.cols }, (_, x) => {
      const chars = line.getCell(x)?.getChars() ?? '';
      return chars.length === 1 ? chars : ' ';
    }).join('');
  }

  #line(y: number): IBufferLine {
    const { active } = this.emulator.buffer;
    return active.getLine(active.baseY + y) as IBufferLine;
  }
}

const noLinks = { get: () => undefined } as unknown as Parameters<typeof copyRow>[2];

/** A cell in words: content, foreground, background, and what does not fit into these. */
function cellAt({ words, joined, extended }: Row, x: number): string {
  const [content = 0, foreground = 0, background = 0] = words.subarray(x * wordsPerCell);
  const { underlineStyle = 0, underlineColour = 0 } = extended?.[x] ?? {};
  const text = joined?.[x] ?? String.fromCodePoint(content & 0x1fffff);
  const rest =
    underlineStyle > 1 || underlineColour > 0 ? ` underline ${underlineStyle}/${underlineColour}` : '';
  // The bit that announces `extended` is no attribute.
  const numbers = [content >>> 22, foreground >>> 0, (background & ~0x10000000) >>> 0];
  return `${JSON.stringify(text)} ${numbers.map((number) => number.toString(16)).join(' ')}${rest}`;
}
