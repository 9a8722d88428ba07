/**
 * Everything drawn, from what view, modes and inspector are now: each drawing sets the lines of the few
 * boxes there are, and the stage writes the difference. Owns the boxes; decides nothing.
 */
import { kittyFlag } from '../cells/frame.ts';
import { visible } from '../cells/visible.ts';
import { truncateColumns } from '../cells/widths.ts';
import type { App } from './app.ts';
import { type Keymap, keyFor } from './keymap.ts';
import type { Popup } from './mode.ts';
import { FocusReports } from './panes/focus-reports.ts';
import { inside, type PlacedPane, type Rect } from './panes/geometry.ts';
import type { ShownSize } from './panes/grids.ts';
import { PaneBoxes, placeElement } from './panes/pane-boxes.ts';
import { divide, leastScreen, type Regions, wideCols } from './regions.ts';
import type { Router } from './router.ts';
import type { StyledBox } from './stage/index.ts';
import { statusLine } from './status-line.ts';
import { tabLine } from './tab-line.ts';
import { clipLine, type Line, lineColumns, span } from './text.ts';

/** Longer titles of the terminal's window help nobody. */
const titleColumns = 120;

export class Scene {
  readonly #app: App;
  readonly #router: Router;
  readonly #panes: PaneBoxes;
  readonly #focus: FocusReports;
  readonly #tabs: StyledBox;
  readonly #status: StyledBox;
  readonly #empty: StyledBox;
  readonly #side: StyledBox;
  readonly #popup: StyledBox;
  placed: readonly PlacedPane[] = [];
  #popupShown = false;
  /** As it was drawn last; undefined while the terminal is too small, and nothing but that is said. */
  regions: Regions | undefined;

  constructor(app: App, router: Router) {
    const { stage } = app;
    this.#app = app;
    this.#router = router;
    this.#panes = new PaneBoxes(stage);
    this.#focus = new FocusReports(app.client, app.grids);
    const line = { left: 0, top: 0, width: 1, height: 1 };
    this.#tabs = stage.styledBox(line);
    this.#status = stage.styledBox(line);
    this.#empty = stage.styledBox({ ...line, hidden: true });
    this.#side = stage.styledBox({
      ...line,
      border: { sides: { top: false, right: false, bottom: false } },
      hidden: true,
    });
    this.#popup = stage.styledBox({ ...line, border: {}, hidden: true });
    this.#side.on('render', () => {
      if (!this.#popupShown) this.#sideOwner()?.rendered?.();
    });
  }

  draw(): void {
    const { cols, rows } = this.#app.stage.size;
    const side = this.#sideOwner() !== undefined || this.#inspectorWanted(cols);
    const regions = divide(cols, rows, side);
    this.regions = regions;
    if (!regions) {
      this.#drawTooSmall(cols, rows);
      return;
    }
    this.#drawPanes(regions.panes, regions);
    this.#drawLines(regions);
    this.#drawSide(regions.side);
    this.#drawPopup(regions.panes);
    this.followProgram();
    this.#title();
  }

  /** Beside the panes on wide terminals; over them only while it has the focus. */
  #inspectorWanted(cols: number): boolean {
    return this.#app.find('inspector') !== undefined || (cols >= wideCols && this.#app.inspectorShown);
  }

  #sideOwner() {
    const owner = this.#router.modes.findLast((mode) => mode.side || mode.name === 'inspector');
    return owner?.side ? owner : undefined;
  }

  #drawTooSmall(cols: number, rows: number): void {
    this.#panes.show(
      [],
      () => ({ instance: undefined, focused: false, zoomed: false, rang: false, restart: '' }),
      this.#app.theme,
    );
    this.placed = [];
    this.#app.news.look([], undefined);
    this.#app.grids.show(new Map(), null);
    for (const box of [this.#tabs, this.#side, this.#popup, this.#empty]) box.hide();
    const words = tooSmallWords(cols, rows, keyFor(this.#app.keymap, 'detach'));
    this.#status.setLines([[span(words)]]);
    placeElement(this.#status, { x: 0, y: 0, cols, rows: 1 });
    this.#app.stage.setCursor(undefined);
    this.#app.stage.invalidateChrome();
  }

  #drawPanes(area: Rect, regions: Regions): void {
    const { view, news, theme, stage } = this.#app;
    this.placed = view.placed(area);
    const focused = view.focusedPane?.pane;
    news.look(
      this.placed.map(({ instance }) => instance),
      view.focusedPane?.instance,
    );
    const restart = keyFor(this.#app.keymap, 'restart');
    const made = this.#panes.show(
      this.placed,
      ({ pane, instance }) => ({
        instance: view.instance(instance),
        focused: pane === focused,
        scrolled: this.#app.scrollback.stateOf(instance),
        zoomed: view.zoomed,
        rang: news.rang(instance),
        restart,
      }),
      theme,
    );
    // New panes lie over what was there: side and popup go back on top.
    if (made) for (const box of [this.#side, this.#popup]) box.setFront();
    this.#empty.setLines(emptyLines(theme.styles.dim, this.#app.keymap));
    placeElement(this.#empty, area);
    this.#empty[this.placed.length === 0 ? 'show' : 'hide']();
    const sizes = new Map<string, ShownSize>();
    for (const { instance, pane, rect } of this.placed) {
      // Shown twice, it has the size of the pane with the focus.
      if (!sizes.has(instance) || pane === focused) sizes.set(instance, inside(rect));
    }
    this.#focus.focus(view.focusedPane?.instance);
    this.#app.grids.show(sizes, view.focusedPane?.instance ?? null);
    const inspected = regions.side && !this.#sideOwner() ? view.focusedPane?.instance : undefined;
    if (inspected !== undefined || !this.#sideOwner()) this.#app.inspector.follow(inspected ?? null);
    stage.invalidateChrome();
  }

  #drawLines({ tabLine: top, statusLine: bottom }: Regions): void {
    const { theme } = this.#app;
    this.#tabs.setLines([tabLine(this.#app, top.cols)]);
    placeElement(this.#tabs, top);
    this.#tabs.show();
    const prompt = this.#router.top.prompt?.(bottom.cols);
    const line = prompt?.line ?? statusLine(this.#hints(), this.#app.message, theme, bottom.cols);
    this.#status.setLines([line]);
    placeElement(this.#status, bottom);
  }

  #hints() {
    const mode = this.#router.modes.findLast(({ hints }) => hints);
    return mode?.hints?.() ?? [];
  }

  #drawSide(rect: Rect | undefined): void {
    const { theme, inspector, ages } = this.#app;
    if (!rect) {
      this.#side.hide();
      return;
    }
    const owner = this.#sideOwner();
    const focused = owner !== undefined || this.#app.find('inspector') !== undefined;
    const columns = rect.cols - 1;
    placeElement(this.#side, rect);
    this.#side.setBorder({
      sides: { top: false, right: false, bottom: false },
      style: focused ? theme.styles.borderFocused : theme.styles.border,
    });
    this.#side.setLines(
      owner?.side
        ? owner.side(columns, rect.rows)
        : inspector.lines(columns, rect.rows, focused, theme, ages.since),
    );
    this.#side.show();
  }

  #drawPopup(area: Rect): void {
    const popup = this.#router.top.popup?.(area.cols - 4, area.rows - 2);
    this.#popupShown = popup !== undefined;
    if (!popup) {
      this.#popup.hide();
      return;
    }
    const { lines, rect } = placePopup(popup, area);
    this.#popup.setBorder({
      style: this.#app.theme.styles.borderFocused,
      title: [span(popup.title, this.#app.theme.styles.accent)],
    });
    this.#popup.setLines(lines);
    placeElement(this.#popup, rect);
    this.#popup.show();
    this.#popup.setFront();
  }

  /** Cursor, keyboard and mouse as the focused program wants them; also after a frame, with which it changed them. */
  followProgram(): void {
    this.#placeCursor();
    const { grids, stage, view } = this.#app;
    // A program that ended wants nothing any more, whatever it asked for last.
    const { instance = '', status } = view.focusedInstance ?? {};
    const modes = status === 'ended' ? undefined : grids.get(instance)?.modes;
    const { events, allKeys, text } = kittyFlag;
    const everyKey = ((modes?.kittyKeyboard ?? 0) & (events | allKeys | text)) !== 0;
    stage.wantInput({ everyKey, motion: modes?.mouse === 'any' });
  }

  #placeCursor(): void {
    const { top } = this.#router;
    const prompt = top.prompt?.(this.#app.stage.size.cols);
    if (prompt) {
      const place = { element: this.#status, x: prompt.cursor ?? 0, y: 0 };
      this.#app.stage.setCursor(prompt.cursor === undefined ? undefined : place);
      return;
    }
    const place = top.cursor?.();
    const grid = place && 'paneId' in place ? this.#app.grids.get(place.paneId) : undefined;
    this.#app.stage.setCursor(place, grid?.cursor);
  }

  #title(): void {
    const { view, stage } = this.#app;
    const { title: own, screen_title: window } = view.focusedInstance ?? {};
    const words = new Set([view.picture.session, own, window]);
    // Our words first: what a program says is cut before them.
    const title = truncateColumns(
      visible(`tickmux ${[...words].filter(Boolean).join(' · ')}`),
      titleColumns,
      '…',
    );
    if (title === this.#lastTitle) return;
    this.#lastTitle = title;
    stage.title(title);
  }
  #lastTitle = '';
}

/** The longest words that fit: a number that is cut would be a wrong one. */
function tooSmallWords(cols: number, rows: number, detach: string): string {
  const least = `${leastScreen.cols}x${leastScreen.rows}`;
  const short = `Too small: ${cols}x${rows}, at least ${least}.`;
  const fitting = [
    `${short} ${detach} detaches.`,
    short,
    `Too small: needs ${least}`,
    `needs ${least}`,
    least,
  ];
  return fitting.find((words) => words.length <= cols) ?? '';
}

function emptyLines(style: object, keymap: Keymap): Line[] {
  const line = (action: string, words: string) => [span(`  ${keyFor(keymap, action)}  ${words}`, style)];
  return [
    [],
    [span('  Nothing is open here.', style)],
    [],
    line('new-tab', 'a shell in a new tab'),
    line('palette', 'a command: open -- PROGRAM opens a Tick'),
    line('instances', 'instances without a pane'),
  ];
}

/** In the middle of the area, as small as its lines allow, around the chosen line. */
function placePopup({ lines, selected = 0, title }: Popup, area: Rect): { lines: Line[]; rect: Rect } {
  const widest = Math.max(title.length + 4, ...lines.map(lineColumns));
  const cols = Math.min(area.cols, widest + 3);
  const rows = Math.min(area.rows, lines.length + 2);
  const room = rows - 2;
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), lines.length - room));
  return {
    lines: lines.slice(first, first + room).map((line) => clipLine(line, cols - 2)),
    rect: {
      x: area.x + Math.floor((area.cols - cols) / 2),
      y: area.y + Math.floor((area.rows - rows) / 2),
      cols,
      rows,
    },
  };
}
