/**
 * Agents: who they are, across connections and restarts of the host. An agent's identity rests on a
 * secret given out in `hello`; its name is its own words and proves nothing.
 */
import type { Agent } from '../rpc/api/session.ts';
import type { AgentIdentity } from './call.ts';
import type { Journal } from './journal.ts';
import type { PastAgent } from './replay.ts';
import { hashSecret, makeSecret } from './secret.ts';

interface KnownAgent extends AgentIdentity {
  name: string;
  version: string;
  secretHash: string;
  connections: number;
  /** It is in the journal, where the next host finds it. */
  recorded: boolean;
  /** Seq of the state it last saw, by instance. */
  readonly seen: Map<string, number>;
  /** Instances it opened, whose screens it may see. */
  readonly opened: Set<string>;
  /** The panes it gave to instances, which it may take away again: pane:N by instance. */
  readonly shown: Map<string, string>;
}

export type { KnownAgent };

/** Agents without a connection that are remembered in memory. */
const maxRemembered = 1_000;

export class Agents {
  readonly #journal: Journal;
  readonly #known = new Map<string, KnownAgent>();
  readonly #changed: () => void;
  #next: number;

  constructor(journal: Journal, past: readonly PastAgent[], next: number, changed: () => void) {
    this.#journal = journal;
    this.#next = next;
    this.#changed = changed;
    for (const { agent, name, secretHash } of past.slice(-maxRemembered)) {
      this.#known.set(agent, makeAgent(agent, name, '', secretHash, true));
    }
  }

  /** A connection says hello: a new agent, or the one whose secret it holds. */
  connect(name: string, version: string, resume: string | undefined) {
    const before = resume === undefined ? undefined : this.#bySecret(resume);
    const secret = before && resume !== undefined ? resume : makeSecret();
    const agent = before ?? makeAgent(`agent:${this.#next++}`, name, version, hashSecret(secret));
    agent.name = name;
    agent.version = version;
    agent.connections++;
    if (!before) {
      this.#forgetOld();
      this.#known.set(agent.id, agent);
    }
    this.#changed();
    return { agent, secret, resumed: before !== undefined };
  }

  /** Writes the agent down before its first proposal: those who only come and go leave nothing behind. */
  record(agent: KnownAgent): void {
    if (agent.recorded) return;
    agent.recorded = true;
    const { id, name, version, secretHash } = agent;
    void this.#journal.append('agent', { agent: id, name, version, secret_hash: secretHash }).catch(() => {});
  }

  disconnect(agent: KnownAgent): void {
    agent.connections--;
    this.#changed();
  }

  connected(waitingOf: (agent: string) => number): Agent[] {
    return [...this.#known.values()]
      .filter((agent) => agent.connections > 0 || waitingOf(agent.id) > 0)
      .map((agent) => ({
        agent: agent.id,
        name: agent.name,
        version: agent.version,
        connected: agent.connections > 0,
        waiting: waitingOf(agent.id),
      }));
  }

  #bySecret(secret: string): KnownAgent | undefined {
    const hash = hashSecret(secret);
    return [...this.#known.values()].find((agent) => agent.secretHash === hash);
  }

  #forgetOld(): void {
    if (this.#known.size < maxRemembered) return;
    const gone = [...this.#known.values()].filter((agent) => agent.connections === 0);
    const idle = gone.find((agent) => !agent.recorded) ?? gone[0];
    if (idle) this.#known.delete(idle.id);
  }
}

/** Whether an agent may see the screen of an instance, and what is quoted from it. */
export function maySee(agent: KnownAgent, { id, shared }: { id: string; shared: boolean }): boolean {
  return shared || agent.opened.has(id);
}

function makeAgent(
  id: string,
  name: string,
  version: string,
  secretHash: string,
  recorded = false,
): KnownAgent {
  return {
    id,
    name,
    version,
    secretHash,
    connections: 0,
    recorded,
    seen: new Map(),
    opened: new Set(),
    shown: new Map(),
  };
}
