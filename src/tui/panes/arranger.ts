/**
 * Asks the host for new arrangements of tabs: one request at a time, and then only the newest, so that a slow
 * host is never flooded. Knows what was asked, so that the next step builds on it before it is seen.
 */
import { operatorApi } from '../../rpc/api/index.ts';
import type { Arrangement, LayoutNode, Tab } from '../../rpc/api/layout.ts';
import type { Client } from '../../rpc/client.ts';
import { panesOf } from './geometry.ts';

export class Arranger {
  readonly #client: Client;
  readonly #refused: (error: unknown) => void;
  /** What was asked for each tab, until a picture shows what came of it. */
  readonly #asked = new Map<string, LayoutNode>();
  /** Tabs whose request is still to be made. */
  readonly #waiting = new Set<string>();
  /** The tab whose request is on its way. */
  #sent: string | undefined;

  constructor(client: Client, refused: (error: unknown) => void) {
    this.#client = client;
    this.#refused = refused;
  }

  /** The tree of the tab as it will be once the host has done what was asked. */
  rootOf({ tab, root }: Tab): LayoutNode {
    const asked = this.#asked.get(tab);
    // Of other panes than there are now, it was asked in vain.
    return asked && samePanes(asked, root) ? asked : root;
  }

  arrange(tab: string, root: LayoutNode): void {
    this.#asked.set(tab, root);
    this.#waiting.add(tab);
    if (this.#sent === undefined) void this.#send();
  }

  /** A newer picture is there: it holds everything that was answered before. */
  pictured(): void {
    for (const tab of this.#asked.keys()) {
      if (tab !== this.#sent && !this.#waiting.has(tab)) this.#asked.delete(tab);
    }
  }

  async #send(): Promise<void> {
    for (const tab of this.#waiting) {
      this.#waiting.delete(tab);
      this.#sent = tab;
      const root = this.#asked.get(tab) as LayoutNode;
      await this.#client.request(operatorApi.arrange, { tab, root: bare(root) }).catch((error: unknown) => {
        // What was asked since was perhaps for the panes there are now.
        if (this.#asked.get(tab) === root) this.#asked.delete(tab);
        this.#refused(error);
      });
    }
    this.#sent = undefined;
  }
}

function samePanes(one: LayoutNode, other: LayoutNode): boolean {
  const panes = new Set(panesOf(one).map(({ pane }) => pane));
  const others = panesOf(other);
  return others.length === panes.size && others.every(({ pane }) => panes.has(pane));
}

function bare(node: LayoutNode): Arrangement {
  return node.type === 'pane'
    ? { type: 'pane', pane: node.pane }
    : { ...node, children: node.children.map(bare) };
}
