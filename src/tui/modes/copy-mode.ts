/** Copy mode: the keys go to the history of the focused pane, with vi's names. Its program hears nothing. */
import { rowText } from '../../cells/text.ts';
import { CommandError } from '../commands/command.ts';
import type { CopyView } from '../copy/copy-view.ts';
import { isMotion, move } from '../copy/motions.ts';
import { type Cell, type Selection, selectedRows, selectedText } from '../copy/selection.ts';
import { actionOf, type CopyAction, copyKeys } from '../keymap.ts';
import { keyOf, wheelRows } from '../keys.ts';
import type { Mode } from '../mode.ts';
import type { CursorPlace, MouseToken, Token } from '../stage/index.ts';
import type { Ui } from '../ui.ts';
import { HoldMode } from './hold-mode.ts';
import { LineMode, type LineOptions } from './line-mode.ts';
import { leaveByClick } from './pane-click.ts';
import { PrefixMode } from './prefix-mode.ts';

/** Rows fetched to be copied at most. */
const mostRows = 50_000;

export class CopyMode implements Mode {
  readonly name = 'copy';
  readonly #ui: Ui;
  readonly #view: CopyView;
  #cursor: Cell;
  #search: { text: string; backward: boolean } | undefined;
  /** Typed while the host is asked; undefined when it is not. */
  #ahead: Token[] | undefined;
  /** It is selected with the mouse, and copied when the button is released. */
  #dragged = false;

  /** Enters copy mode in the focused pane, where it stands if it is scrolled back already. Keys typed ahead are its own. */
  static async enter(ui: Ui): Promise<void> {
    const instance = ui.view.focusedPane?.instance;
    if (instance === undefined) throw new CommandError('There is no pane to scroll back in.');
    const hold = new HoldMode(ui);
    ui.push(hold);
    const view = await ui.scrollback.open(instance);
    hold.release(() => {
      if (view && ui.view.focusedPane?.instance === instance) ui.push(new CopyMode(ui, view));
    });
  }

  /** Selects from a cell of the pane to where the pointer is, and goes on with it until the button is released. */
  static async drag(
    ui: Ui,
    from: { instance: string; x: number; y: number },
    token: MouseToken,
  ): Promise<void> {
    const hold = new HoldMode(ui);
    ui.push(hold);
    const view = await ui.scrollback.open(from.instance);
    hold.release(() => {
      if (!view || ui.view.focusedPane?.instance !== from.instance) return;
      const mode = new CopyMode(ui, view, { row: view.top + from.y, column: from.x });
      mode.#dragged = true;
      ui.push(mode);
      mode.#select('character');
      mode.#point(token);
    });
  }

  /** @param cursor where it stands at first; the program's own place, unless that is out of sight */
  constructor(ui: Ui, view: CopyView, cursor?: Cell) {
    this.#ui = ui;
    this.#view = view;
    const place = ui.grids.get(view.instance)?.cursor;
    const bottom = Math.min(view.end, view.top + this.#rows) - 1;
    this.#cursor = cursor ?? {
      row: Math.min(bottom, view.end - view.screenRows + (place?.y ?? 0)),
      column: place?.x ?? 0,
    };
    if (this.#cursor.row < view.top) this.#cursor = { row: bottom, column: 0 };
  }

  get #rows(): number {
    return this.#ui.scrollback.rowsOf(this.#view.instance);
  }

  left(): void {
    this.#view.selection = undefined;
    this.#view.found = undefined;
    this.#ui.scrollback.close(this.#view.instance);
  }

  token(token: Token): void {
    if (this.#ahead) {
      this.#ahead.push(token);
      return;
    }
    if (this.#ui.view.focusedPane?.instance !== this.#view.instance) {
      this.#ui.pop(this);
      this.#ui.replay([token]);
      return;
    }
    if (token.type === 'mouse') {
      this.#mouse(token);
      return;
    }
    const key = keyOf(token);
    const action = actionOf(copyKeys, key);
    if (key === this.#ui.keymap.prefix) this.#ui.push(new PrefixMode(this.#ui, this));
    else if (action !== undefined) this.#act(action);
    this.#ui.refresh();
  }

  #mouse(token: MouseToken): void {
    const rows = wheelRows(token);
    if (rows !== 0) this.#scroll(rows);
    else if (this.#dragged && token.action === 'drag') this.#point(token);
    else if (this.#dragged && token.action === 'release') void this.#copy();
    else leaveByClick(this.#ui, token);
    this.#ui.refresh();
  }

  /** The cursor to where the pointer is; beyond the edge of the pane it scrolls by a row. */
  #point({ x, y }: MouseToken): void {
    const place = this.#ui.scrollback.placeOf(this.#view.instance);
    if (!place) return;
    this.#go({ row: this.#view.top + Math.max(-1, Math.min(place.rows, y - place.y)), column: x - place.x });
  }

  #act(action: CopyAction): void {
    const rows = this.#rows;
    const pages: Partial<Record<CopyAction, number>> = {
      'page-up': -rows,
      'page-down': rows,
      'half-up': -Math.ceil(rows / 2),
      'half-down': Math.ceil(rows / 2),
    };
    const selections: Partial<Record<CopyAction, Selection['by']>> = {
      select: 'character',
      'select-rows': 'row',
      'select-block': 'block',
    };
    const page = pages[action];
    const by = selections[action];
    const to = this.#target(action);
    if (to) this.#go(to);
    else if (page !== undefined) this.#scroll(page);
    else if (by) this.#select(this.#view.selection?.by === by ? undefined : by);
    else if (action === 'other-end') this.#turnRound();
    else if (action === 'copy') void this.#copy();
    else if (action === 'search' || action === 'search-back') this.#ask(action === 'search-back');
    else if (action === 'again' || action === 'again-back') void this.#again(action === 'again-back');
    else if (this.#view.selection) this.#select(undefined);
    else this.#ui.pop(this);
  }

  /** Where a key of movement leads; undefined for all other keys. */
  #target(action: CopyAction): Cell | undefined {
    const { row, column } = this.#cursor;
    const { first, top } = this.#view;
    const rows = this.#rows;
    switch (action) {
      case 'up':
        return { row: row - 1, column };
      case 'down':
        return { row: row + 1, column };
      case 'first':
        return { row: first, column: 0 };
      case 'last':
        return { row: this.#lastWritten(), column: 0 };
      case 'screen-top':
        return { row: top, column: 0 };
      case 'screen-middle':
        return { row: top + Math.floor((rows - 1) / 2), column: 0 };
      case 'screen-bottom':
        return { row: top + rows - 1, column: 0 };
      default:
        return isMotion(action) ? move(this.#cursor, action, this.#view) : undefined;
    }
  }

  #go(to: Cell): void {
    const { first, end, cols, selection } = this.#view;
    const row = Math.max(first, Math.min(end - 1, to.row));
    this.#cursor = { row, column: Math.max(0, Math.min(cols - 1, to.column)) };
    if (selection) this.#view.selection = { ...selection, head: this.#cursor };
    this.#view.reveal(row, this.#rows);
  }

  /** The cursor stays on the pane. */
  #scroll(by: number): void {
    const { top } = this.#view;
    this.#view.scroll(by, this.#rows);
    const moved = this.#view.top - top;
    this.#go({ ...this.#cursor, row: this.#cursor.row + (moved === 0 ? by : moved) });
  }

  #lastWritten(): number {
    const { first, end } = this.#view;
    let row = end - 1;
    while (row > Math.max(first, end - this.#rows)) {
      const written = this.#view.at(row);
      if (!written || rowText(written) !== '') break;
      row--;
    }
    return row;
  }

  #select(by: Selection['by'] | undefined): void {
    const anchor = this.#view.selection?.anchor ?? this.#cursor;
    this.#view.selection = by && { by, anchor, head: this.#cursor };
    this.#view.reveal(this.#cursor.row, this.#rows);
  }

  #turnRound(): void {
    const { selection } = this.#view;
    if (!selection) return;
    const { anchor, head } = selection;
    this.#view.selection = { ...selection, anchor: head, head: anchor };
    this.#go(anchor);
  }

  /** Copies what is selected, or the row of the cursor, and leaves. */
  async #copy(): Promise<void> {
    const selection = this.#view.selection ?? { by: 'row', anchor: this.#cursor, head: this.#cursor };
    const { from, to } = selectedRows(selection);
    if (to - from > mostRows) {
      this.#ui.say(`${to - from + 1} rows are too many to copy: select at most ${mostRows}.`, 'warning');
      return;
    }
    await this.#during(async () => {
      const rows = await this.#view.load(from, to + 1);
      this.#ui.pop(this);
      this.#ui.buffer.copy(selectedText(selection, rows));
    });
  }

  #ask(backward: boolean): void {
    const show = (found: string | undefined) => {
      this.#view.found = found;
      this.#view.reveal(this.#cursor.row, this.#rows);
    };
    const line = new SearchLine(this.#ui, {
      label: backward ? '? ' : '/ ',
      edited: (text) => show(text || undefined),
      left: () => show(this.#search?.text),
      done: (text) => {
        if (text !== '') this.#search = { text, backward };
        show(this.#search?.text);
        void this.#again(false);
      },
    });
    this.#ui.push(line);
  }

  async #again(opposite: boolean): Promise<void> {
    if (!this.#search) {
      this.#ui.say('Nothing was searched for yet: / searches down, ? up.');
      return;
    }
    const { text, backward } = this.#search;
    await this.#during(async () => {
      const found = await this.#view.find(text, this.#cursor, backward !== opposite);
      if (found) this.#go(found);
      else this.#ui.say(`"${text}" stands nowhere in this history.`, 'warning');
    });
  }

  /** Keys typed meanwhile wait for what the host has to say first. */
  async #during(work: () => Promise<void>): Promise<void> {
    const ahead: Token[] = [];
    this.#ahead = ahead;
    try {
      await work();
    } catch (error) {
      this.#ui.complain(error);
    }
    this.#ahead = undefined;
    this.#ui.replay(ahead);
    this.#ui.refresh();
  }

  hints() {
    const { first, end, fresh } = this.#view;
    const where = `${this.#cursor.row - first + 1} of ${end - first}`;
    return [
      ['copy', fresh > 0 ? `row ${where}, ${fresh} new` : `row ${where}`],
      ['v V C-v', 'select'],
      ['y', 'copy'],
      ['/ ?', 'search'],
      ['q', 'back'],
    ] as const;
  }

  cursor(): CursorPlace | undefined {
    const { row, column } = this.#cursor;
    return { paneId: this.#view.instance, x: column, y: row - this.#view.top };
  }
}

interface SearchOptions extends LineOptions {
  /** The text is another one now. */
  edited(text: string): void;
  left(): void;
}

/** Marks what is found while one types. */
class SearchLine extends LineMode {
  override readonly name = 'search';
  readonly #search: SearchOptions;

  constructor(ui: Ui, options: SearchOptions) {
    super(ui, options);
    this.#search = options;
  }

  left(): void {
    this.#search.left();
  }

  protected override edited(): void {
    this.#search.edited(this.buffer.text);
  }
}
