/**
 * The inspector: four pages about the focused instance and the session, with a chosen row and
 * folded ones. Asks the host for what it shows; where it stands is not its business.
 */
import { visible } from '../../cells/visible.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import type { Inspection } from '../../rpc/api/instances.ts';
import type { LogEntry } from '../../rpc/api/session.ts';
import type { Client } from '../../rpc/client.ts';
import { type Line, lineColumns, span } from '../text.ts';
import type { Theme } from '../theme.ts';
import type { ViewState } from '../view-state.ts';
import { logRows } from './log.ts';
import { queueRows } from './queue.ts';
import type { InspectorRow } from './rows.ts';
import { stateRows } from './state.ts';
import { toolRows } from './tools.ts';

const pages = ['State', 'Tools', 'Queue', 'Log'] as const;
export type Page = (typeof pages)[number];

/** Log entries kept. */
const logEntries = 1_000;
/** Lines above the rows: pages, name, state. */
const headLines = 4;

export class Inspector {
  readonly #client: Client;
  readonly #view: ViewState;
  readonly #changed: () => void;
  readonly #complain: (error: unknown) => void;
  page: Page = 'State';
  #instance: string | null = null;
  #inspection: Inspection | undefined;
  #log: LogEntry[] | undefined;
  readonly #turned: Record<Page, Set<string>> = {
    State: new Set(),
    Tools: new Set(),
    Queue: new Set(),
    Log: new Set(),
  };
  readonly #chosen: Record<Page, string | undefined> = {
    State: undefined,
    Tools: undefined,
    Queue: undefined,
    Log: undefined,
  };
  /** The rows keys move through, and how to make them when what they show has changed since. */
  #rows: readonly InspectorRow[] = [];
  #makeRows: () => InspectorRow[] = () => [];
  #room = 10;
  #scroll = 0;

  constructor(client: Client, view: ViewState, changed: () => void, complain: (error: unknown) => void) {
    this.#client = client;
    this.#view = view;
    this.#changed = changed;
    this.#complain = complain;
    client.on(operatorApi.inspected, (inspection) => this.#receive(inspection));
    client.on(operatorApi.logged, (entry) => {
      if (!this.#log) return;
      this.#log.push(entry);
      if (this.#log.length > logEntries) this.#log.shift();
      if (this.page === 'Log') this.#changed();
    });
  }

  /** Names the instance whose state is wanted: the focused one while the inspector is in sight, else none. */
  follow(instance: string | null): void {
    if (instance === this.#instance) return;
    this.#instance = instance;
    this.#inspection = undefined;
    this.#client
      .request(operatorApi.inspect, { instance })
      .then(({ inspection }) => inspection && this.#receive(inspection))
      .catch((error: unknown) => this.#complain(error));
  }

  #receive(inspection: Inspection): void {
    if (inspection.instance !== this.#instance) return;
    this.#inspection = inspection;
    if (this.page === 'State' || this.page === 'Tools') this.#changed();
  }

  turnPage(by: number): void {
    const at = pages.indexOf(this.page);
    this.showPage(pages[(at + by + pages.length) % pages.length] as Page);
  }

  showPage(page: Page): void {
    this.page = page;
    this.#scroll = 0;
    this.#rows = this.#makeRows();
    if (page === 'Log' && !this.#log) {
      this.#log = [];
      this.#client
        .request(operatorApi.log, { lines: 500, follow: true })
        .then(({ entries }) => {
          this.#log = [...entries, ...(this.#log ?? [])];
          this.#changed();
        })
        .catch((error: unknown) => this.#complain(error));
    }
    this.#changed();
  }

  move(by: number): void {
    const at = Math.max(0, Math.min(this.#rows.length - 1, this.#index() + by));
    this.#chosen[this.page] = this.#rows[at]?.key;
    this.#changed();
  }

  /** By lines, as the wheel does; the chosen row stays in sight. */
  scroll(by: number): void {
    const total = this.#rows.reduce((sum, { lines }) => sum + lines.length, 0);
    const from = Math.max(0, Math.min(total - this.#room, this.#scroll + by));
    const chosen = this.#index();
    let start = 0;
    const fitting = this.#rows.flatMap(({ lines }, index) => {
      const end = start + lines.length;
      const fits = start >= from && end <= from + this.#room;
      start = end;
      return fits ? [index] : [];
    });
    const nearest = Math.max(fitting[0] ?? chosen, Math.min(fitting.at(-1) ?? chosen, chosen));
    // The log at its end goes on with what comes.
    const follows = this.page === 'Log' && from + this.#room >= total;
    this.#chosen[this.page] = follows ? undefined : this.#rows[nearest]?.key;
    this.#scroll = from;
    this.#changed();
  }

  pageRows(): number {
    return Math.max(1, this.#room - 1);
  }

  /** Folds, unfolds; answers with the call whose card is to be opened. */
  open(): string | undefined {
    const open = this.#rows[this.#index()]?.open;
    if (open && 'call' in open) return open.call;
    if (!open) return undefined;
    const turned = this.#turned[this.page];
    if (!turned.delete(open.fold)) turned.add(open.fold);
    this.#rows = this.#makeRows();
    this.#changed();
    return undefined;
  }

  #index(): number {
    const chosen = this.#chosen[this.page];
    const at = this.#rows.findIndex(({ key }) => key === chosen);
    // Of the log the newest, of the others the first.
    return at >= 0 ? at : this.page === 'Log' ? this.#rows.length - 1 : 0;
  }

  /** Its lines at this size; `ageOf` says how long ago a time was. */
  lines(
    columns: number,
    rows: number,
    focused: boolean,
    theme: Theme,
    ageOf: (at: number) => string,
  ): Line[] {
    const width = Math.max(10, columns - 1);
    this.#room = Math.max(1, rows - headLines);
    this.#makeRows = () => this.#pageRows(width, theme, ageOf);
    this.#rows = this.#makeRows();
    const chosen = this.#index();
    const lines = this.#rows.flatMap((row, index) =>
      row.lines.map((line) => (focused && index === chosen ? chosenLine(line, width, theme) : line)),
    );
    this.#keepInSight(chosen, lines.length);
    const shown = lines.slice(this.#scroll, this.#scroll + this.#room);
    return [this.#tabs(focused, theme), ...this.#head(theme, ageOf), [], ...shown].map((line) => [
      span(' '),
      ...line,
    ]);
  }

  #pageRows(width: number, theme: Theme, ageOf: (at: number) => string): InspectorRow[] {
    const turned = this.#turned[this.page];
    if (this.page === 'Queue') return queueRows(this.#view.picture, turned, width, theme, ageOf);
    if (this.page === 'Log') return logRows(this.#log ?? [], width, theme);
    if (!this.#inspection) {
      const words = this.#instance === null ? 'No pane has the focus.' : 'Nothing known yet.';
      return [{ key: 'none', lines: [[span(words, theme.styles.dim)]] }];
    }
    if (this.page === 'Tools') return toolRows(this.#inspection, turned, width, theme);
    return stateRows(this.#inspection, turned, width, theme);
  }

  /** Scrolls by whole lines so that the chosen row is seen; the log without a chosen row stays at its end. */
  #keepInSight(chosen: number, total: number): void {
    const before = this.#rows.slice(0, chosen).reduce((sum, { lines }) => sum + lines.length, 0);
    const height = this.#rows[chosen]?.lines.length ?? 1;
    const end = before + height;
    if (end > this.#scroll + this.#room) this.#scroll = end - this.#room;
    if (before < this.#scroll) this.#scroll = before;
    if (chosen === 0) this.#scroll = 0;
    this.#scroll = Math.max(0, Math.min(this.#scroll, total - this.#room));
  }

  #tabs(focused: boolean, { styles }: Theme): Line {
    const waiting = this.#view.picture.waiting.length;
    return pages.map((page) => {
      const name = page === 'Queue' && waiting > 0 ? `Queue ${waiting}` : page;
      const current = page === this.page;
      return span(`${name}   `, current ? (focused ? styles.accent : styles.strong) : styles.dim);
    });
  }

  #head({ styles }: Theme, ageOf: (at: number) => string): Line[] {
    const instance = this.#view.focusedInstance;
    if (!instance) return [[], []];
    const kind = instance.kind ? `  ${visible(instance.kind)}` : '';
    const name = [
      span(`${instance.instance} ${visible(instance.title)}`, styles.strong),
      span(kind, styles.dim),
    ];
    const state = this.#inspection?.state;
    if (!state) return [name, []];
    const merged =
      this.#inspection && this.#inspection.merged > 1 ? `   ${this.#inspection.merged} merged` : '';
    return [name, [span(`seq ${state.seq}   ${ageOf(state.received_at)} ago${merged}`, styles.dim)]];
  }
}

function chosenLine(line: Line, width: number, { styles }: Theme): Line {
  const text = line.map((part) => part.text).join('');
  return [span(text + ' '.repeat(Math.max(0, width - 1 - lineColumns(line))), styles.selection)];
}
