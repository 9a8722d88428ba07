/**
 * The layout of the session: tabs, each a tree of panes. Pure bookkeeping; which tab is looked at,
 * and where the focus is, belongs to the views.
 */
import { RpcError } from '../rpc/api/errors.ts';
import type { Placement } from '../rpc/api/instances.ts';
import type { Arrangement, LayoutNode, PaneNode, SplitNode, Tab } from '../rpc/api/layout.ts';

/** More panes than any screen shows: beyond it an open is refused. */
const maxPanes = 256;

/** As in a saved workspace; also no sum of them is infinite. */
const maxWeight = 1_000_000;

/** Where a pane comes to stand. */
type Shown = Exclude<Placement, { in: 'none' }>;

export class LayoutModel {
  readonly tabs: Tab[] = [];
  readonly #changed: () => void;
  #nextPane = 1;
  #nextTab = 1;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Shows `instance` where `placement` says. */
  place(instance: string, placement: Shown, fallbackName: string) {
    if (this.#panes().length >= maxPanes) {
      throw new RpcError('limit', `There are ${maxPanes} panes already: remove some with prefix X.`);
    }
    const pane: PaneNode = { type: 'pane', pane: `pane:${this.#nextPane}`, instance };
    const { tab } = this.#put(pane, placement, fallbackName);
    this.#nextPane++;
    this.#changed();
    return { pane: pane.pane, tab };
  }

  /** Takes a pane from its place to where `placement` says; refused beside itself. */
  movePane(id: string, placement: Shown, fallbackName: string): { tab: string } {
    const pane = this.pane(id);
    const from = this.#tabOf(id);
    if (placement.in === 'split') {
      if (placement.pane === id) {
        throw new RpcError('refused', `${id} cannot stand beside itself: name another pane.`);
      }
      this.pane(placement.pane);
    }
    this.#replaceRoot(
      from,
      without(from.root, (node) => node === pane),
    );
    const { tab } = this.#put(pane, placement, fallbackName);
    this.#changed();
    return { tab };
  }

  removePane(pane: string): void {
    const tab = this.#tabOf(pane);
    const root = without(tab.root, (node) => node.pane === pane);
    this.#replaceRoot(tab, root);
    this.#changed();
  }

  /** Removes every pane that shows `instance`; says how many there were. */
  removeInstance(instance: string): number {
    const before = this.#panes().length;
    for (const tab of [...this.tabs])
      this.#replaceRoot(
        tab,
        without(tab.root, (node) => node.instance === instance),
      );
    const removed = before - this.#panes().length;
    if (removed > 0) this.#changed();
    return removed;
  }

  renameTab(id: string, name: string): void {
    this.#tab(id).name = name;
    this.#changed();
  }

  /** Puts the panes of a tab where `arrangement` says; throws `refused` unless it holds each of them once. */
  arrange(id: string, arrangement: Arrangement): void {
    const tab = this.#tab(id);
    const left = new Map(panesOf(tab.root).map((node) => [node.pane, node]));
    const root = arranged(arrangement, left);
    const [missing] = left.keys();
    if (missing !== undefined) throw arrangeRefusal(`${missing} of ${id} has no place in it`);
    tab.root = root;
    this.#changed();
  }

  hasPane(pane: string): boolean {
    return this.#panes().some((node) => node.pane === pane);
  }

  /** The first pane that shows `instance`. */
  paneOf(instance: string | undefined): string | undefined {
    return this.#panes().find((node) => node.instance === instance)?.pane;
  }

  /** Throws `notFound` unless the pane exists. */
  pane(id: string): PaneNode {
    return panesOf(this.#tabOf(id).root).find((node) => node.pane === id) as PaneNode;
  }

  shows(instance: string): boolean {
    return this.#panes().some((pane) => pane.instance === instance);
  }

  #panes(): PaneNode[] {
    return this.tabs.flatMap((tab) => panesOf(tab.root));
  }

  #put(pane: PaneNode, placement: Shown, fallbackName: string): Tab {
    return placement.in === 'tab'
      ? this.#addTab(placement.name || fallbackName, pane)
      : this.#split(placement.pane, placement.direction === 'right' ? 'columns' : 'rows', pane);
  }

  #addTab(name: string, root: PaneNode): Tab {
    const tab: Tab = { tab: `tab:${this.#nextTab++}`, name: name.slice(0, 64), root };
    this.tabs.push(tab);
    return tab;
  }

  #split(beside: string, axis: SplitNode['axis'], pane: PaneNode): Tab {
    const tab = this.#tabOf(beside);
    tab.root = split(tab.root, beside, axis, pane);
    return tab;
  }

  #replaceRoot(tab: Tab, root: LayoutNode | undefined): void {
    if (root) tab.root = root;
    else this.tabs.splice(this.tabs.indexOf(tab), 1);
  }

  #tab(id: string): Tab {
    const tab = this.tabs.find((candidate) => candidate.tab === id);
    if (!tab) throw new RpcError('notFound', `There is no ${id}.`);
    return tab;
  }

  #tabOf(pane: string): Tab {
    const tab = this.tabs.find((candidate) => panesOf(candidate.root).some((node) => node.pane === pane));
    if (!tab) throw new RpcError('notFound', `There is no ${pane}; it may have been removed meanwhile.`);
    return tab;
  }
}

export function panesOf(node: LayoutNode): PaneNode[] {
  return node.type === 'pane' ? [node] : node.children.flatMap(panesOf);
}

function split(node: LayoutNode, beside: string, axis: SplitNode['axis'], pane: PaneNode): LayoutNode {
  if (node.type === 'pane') {
    if (node.pane !== beside) return node;
    return { type: 'split', axis, children: [node, pane], weights: [1, 1] };
  }
  const index = node.children.findIndex((child) => child.type === 'pane' && child.pane === beside);
  if (index === -1 || node.axis !== axis) {
    return { ...node, children: node.children.map((child) => split(child, beside, axis, pane)) };
  }
  // A sibling in the same direction takes half of its neighbour's place, as in tmux.
  const half = (node.weights[index] ?? 1) / 2;
  return {
    ...node,
    children: node.children.toSpliced(index + 1, 0, pane),
    weights: node.weights.toSpliced(index, 1, half, half),
  };
}

/** Takes each pane it places out of `left`. */
function arranged(node: Arrangement, left: Map<string, PaneNode>, depth = 0): LayoutNode {
  if (node?.type === 'pane') {
    const pane = left.get(node.pane);
    if (!pane) throw arrangeRefusal(`${String(node.pane)} is not in that tab, or stands there twice`);
    left.delete(node.pane);
    return pane;
  }
  const { type, axis, children, weights } = Object(node) as Partial<Arrangement & { type: 'split' }>;
  if (type !== 'split' || (axis !== 'columns' && axis !== 'rows')) {
    throw arrangeRefusal('a node is neither a pane nor a split into columns or rows');
  }
  if (!Array.isArray(children) || children.length < 2)
    throw arrangeRefusal('a split has less than two children');
  const fits = Array.isArray(weights) && weights.length === children.length;
  if (!fits || !weights.every((weight) => Number.isFinite(weight) && weight > 0 && weight <= maxWeight)) {
    throw arrangeRefusal(`a split needs one weight above 0 and up to ${maxWeight} for each child`);
  }
  if (depth > maxPanes) throw arrangeRefusal('it is nested too deeply');
  return { type, axis, children: children.map((child) => arranged(child, left, depth + 1)), weights };
}

function arrangeRefusal(why: string): RpcError {
  return new RpcError('refused', `The tab cannot be arranged so: ${why}. Look at it again, then arrange it.`);
}

function without(node: LayoutNode, gone: (pane: PaneNode) => boolean): LayoutNode | undefined {
  if (node.type === 'pane') return gone(node) ? undefined : node;
  const children: LayoutNode[] = [];
  const weights: number[] = [];
  /** Room of those that are gone, with nobody before them to take it. */
  let free = 0;
  node.children.forEach((child, index) => {
    const weight = node.weights[index] ?? 1;
    const rest = without(child, gone);
    if (rest) {
      children.push(rest);
      weights.push(weight + free);
      free = 0;
    } else if (weights.length > 0) {
      // The one before gets the room back, as it gave it when it was split.
      weights[weights.length - 1] = (weights.at(-1) ?? 0) + weight;
    } else free += weight;
  });
  if (children.length === 0) return undefined;
  if (children.length === 1) return children[0];
  return { ...node, children, weights };
}
