/**
 * What this view looks at: the newest picture of the session, and the view's own current tab, focus
 * and zoom. Asks nothing of the host and draws nothing.
 */
import type { CallSummary } from '../rpc/api/calls.ts';
import type { Instance } from '../rpc/api/instances.ts';
import type { PaneNode, Tab } from '../rpc/api/layout.ts';
import type { Picture } from '../rpc/api/session.ts';
import { type PlacedPane, panesOf, placePanes, type Rect } from './panes/geometry.ts';

export class ViewState {
  #picture: Picture;
  #tab: string | undefined;
  #tabIndex = 0;
  /** Panes in the order in which they last had focus, newest first. */
  #focused: string[] = [];
  #zoomed: string | undefined;
  /** A pane to focus as soon as the picture has it, in that tab. */
  #wanted: { readonly pane: string; readonly tab: string | undefined; reached(): void } | undefined;

  constructor(session: string, mark: string) {
    this.#picture = {
      session,
      mark,
      instances: [],
      layout: { tabs: [] },
      waiting: [],
      recent: [],
      agents: [],
      views: 1,
    };
  }

  get picture(): Picture {
    return this.#picture;
  }

  /** The newest picture wins; focus and tab stay on what is still there, else move to what is near. */
  accept(picture: Picture): void {
    this.#picture = picture;
    const panes = new Set(picture.layout.tabs.flatMap(({ root }) => panesOf(root)).map(({ pane }) => pane));
    this.#focused = this.#focused.filter((pane) => panes.has(pane));
    if (this.#zoomed !== undefined && !panes.has(this.#zoomed)) this.#zoomed = undefined;
    if (this.#wanted) this.focus(this.#wanted.pane, this.#wanted.reached, this.#wanted.tab);
    const { tabs } = picture.layout;
    if (!tabs.some(({ tab }) => tab === this.#tab)) {
      this.#tab = tabs[Math.min(this.#tabIndex, tabs.length - 1)]?.tab;
    }
    this.#tabIndex = Math.max(0, this.tabIndex);
  }

  get tabs(): readonly Tab[] {
    return this.#picture.layout.tabs;
  }

  /** -1 when there is none. */
  get tabIndex(): number {
    return this.tabs.findIndex(({ tab }) => tab === this.#tab);
  }

  get tab(): Tab | undefined {
    return this.tabs[this.tabIndex];
  }

  get focusedPane(): PaneNode | undefined {
    return this.tab && this.focusedIn(this.tab);
  }

  /** The pane of the tab that has the focus while the tab is shown. */
  focusedIn({ root }: Tab): PaneNode | undefined {
    const panes = panesOf(root);
    for (const pane of this.#focused) {
      const found = panes.find((candidate) => candidate.pane === pane);
      if (found) return found;
    }
    return panes[0];
  }

  get focusedInstance(): Instance | undefined {
    return this.instance(this.focusedPane?.instance);
  }

  get zoomed(): boolean {
    return this.#zoomed !== undefined && this.#zoomed === this.focusedPane?.pane;
  }

  instance(id: string | undefined): Instance | undefined {
    return this.#picture.instances.find(({ instance }) => instance === id);
  }

  /** A call that waits or is among the recent ones. */
  call(id: string): CallSummary | undefined {
    const same = ({ call }: CallSummary) => call === id;
    return this.#picture.waiting.find(same) ?? this.#picture.recent.find(same);
  }

  /** The panes shown: those of the current tab, or the zoomed one alone. */
  placed(area: Rect): PlacedPane[] {
    if (!this.tab) return [];
    const focused = this.focusedPane;
    if (this.zoomed && focused) return [{ ...focused, rect: area }];
    return placePanes(this.tab.root, area);
  }

  /**
   * Also switches to the pane's tab. A pane not yet in the picture, or not yet in the tab it is said to come to,
   * is focused, and `reached`, once it is.
   */
  focus(pane: string, reached: () => void = () => {}, inTab?: string): void {
    const tab = this.tabs.find(
      ({ tab: id, root }) =>
        (inTab === undefined || id === inTab) && panesOf(root).some((node) => node.pane === pane),
    );
    this.#wanted = tab ? undefined : { pane, tab: inTab, reached };
    if (!tab) return;
    if (this.#zoomed !== pane) this.#zoomed = undefined;
    this.#focused = [pane, ...this.#focused.filter((other) => other !== pane)];
    this.#tab = tab.tab;
    this.#tabIndex = this.tabIndex;
    reached();
  }

  /** Counted from 0; false when there is no such tab. */
  selectTab(index: number): boolean {
    const tab = this.tabs[index];
    if (!tab) return false;
    this.#tab = tab.tab;
    this.#tabIndex = index;
    this.#zoomed = undefined;
    return true;
  }

  toggleZoom(): void {
    const pane = this.focusedPane?.pane;
    this.#zoomed = this.#zoomed === pane ? undefined : pane;
  }

  unzoom(): void {
    this.#zoomed = undefined;
  }

  /** The pane of an instance, of the current tab if it has one there. */
  paneOf(instance: string): string | undefined {
    const inTab = (tab: Tab | undefined) =>
      tab && panesOf(tab.root).find((node) => node.instance === instance)?.pane;
    return inTab(this.tab) ?? this.tabs.map(inTab).find((pane) => pane !== undefined);
  }
}
