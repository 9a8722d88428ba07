/**
 * The host of one session: makes the parts, lets each hear of what concerns it, and takes in
 * connections. It listens on no socket itself; whoever starts it hands connections over.
 */
import { defaultLimits, type Limits } from '../protocol/limits.ts';
import type { Accepted, Outlet } from '../rpc/api/connection.ts';
import type { agentApi, operatorApi } from '../rpc/api/index.ts';
import type { Instance as InstanceSummary } from '../rpc/api/instances.ts';
import type { Picture } from '../rpc/api/session.ts';
import { type AgentConnection, agentConnection } from './agent-connection.ts';
import { Agents } from './agents.ts';
import { Calls } from './calls.ts';
import { Instances } from './instances.ts';
import { Journal } from './journal.ts';
import { LayoutModel } from './layout.ts';
import { type Logger, SessionLog } from './log.ts';
import { makeMark } from './mark.ts';
import { type OperatorConnection, operatorConnection } from './operator-connection.ts';
import { Panic } from './panic.ts';
import { PictureSender } from './picture.ts';
import { type Past, Replay } from './replay.ts';
import { Views } from './views.ts';

export interface HostOptions {
  session: string;
  version: string;
  /** File of the journal; its directory exists. */
  journal: string;
  /** The environment the host was started with. */
  env: Readonly<Record<string, string | undefined>>;
  /** Connections without a view may decide. */
  allowCliDecisions: boolean;
  log: Logger;
  limits?: Limits;
  /** Lines kept above each screen; 1000 by default. */
  scrollback?: number;
  waitingPerAgent?: number;
}

/** What the connections work with. */
export interface HostParts {
  readonly options: HostOptions;
  readonly mark: string;
  readonly calls: Calls;
  readonly panic: Panic;
  readonly instances: Instances;
  readonly layout: LayoutModel;
  readonly views: Views;
  readonly agents: Agents;
  readonly log: SessionLog;
  picture(): Picture;
  pictureChanged(): void;
  summaries(): InstanceSummary[];
  operatorGone(connection: OperatorConnection): void;
  agentGone(connection: AgentConnection): void;
  shutDown(reason: string, by?: string): Promise<void>;
}

export class Host implements HostParts {
  readonly options: HostOptions;
  readonly mark = makeMark();
  readonly calls: Calls;
  readonly panic: Panic;
  readonly instances: Instances;
  readonly layout: LayoutModel;
  readonly views: Views;
  readonly agents: Agents;
  readonly log: SessionLog;
  /** Settles with the reason when the host has shut down. */
  readonly ended: Promise<string>;
  readonly #journal: Journal;
  readonly #pictures: PictureSender;
  readonly #operators = new Set<OperatorConnection>();
  readonly #agentConnections = new Set<AgentConnection>();
  #end: (reason: string) => void = () => {};
  #shuttingDown: Promise<void> | undefined;

  /** Opens the journal and takes up what it says of earlier runs. Rejects when the journal cannot be opened. */
  static async create(options: HostOptions): Promise<Host> {
    const replay = new Replay();
    const opened = await Journal.open(options.journal, replay);
    const past = replay.past();
    const host = new Host(options, opened.journal, past);
    if (opened.repaired) host.log.warn(opened.repaired);
    for (const { type, fields } of past.settled) void opened.journal.append(type, fields).catch(() => {});
    void opened.journal
      .append('host', { event: 'start', pid: process.pid, version: options.version })
      .catch(() => {});
    const unknown = past.settled.filter(({ type }) => type === 'call.unknown').length;
    if (past.stopped)
      host.log.warn(`Dispatching is stopped, by ${past.stopped.by} before this host started.`);
    if (unknown > 0) {
      host.log.warn(
        `The last host ended with ${unknown} ${unknown === 1 ? 'call' : 'calls'} on the way: each may have run, and none is sent again.`,
      );
    }
    return host;
  }

  private constructor(options: HostOptions, journal: Journal, past: Past) {
    this.options = options;
    this.#journal = journal;
    this.log = new SessionLog(options.log);
    const { session, limits = defaultLimits } = options;
    const changed = () => this.#pictures.changed();
    const { scrollback } = options;
    this.instances = new Instances({
      session,
      limits,
      journal,
      log: this.log,
      ...past,
      ...(scrollback !== undefined && { scrollback }),
    });
    this.layout = new LayoutModel(changed);
    this.views = new Views(this.instances, changed);
    this.agents = new Agents(journal, past.agents, past.nextAgent, changed);
    this.panic = new Panic({ journal, log: this.log, stopped: past.stopped, changed });
    this.calls = new Calls({
      panic: this.panic,
      journal,
      log: this.log,
      changed,
      past: past.calls,
      nextCall: past.nextCall,
      ...(options.waitingPerAgent !== undefined && { waitingPerAgent: options.waitingPerAgent }),
    });
    this.#pictures = new PictureSender(this.views, () => this.picture());
    journal.onProblem = (problem) => {
      this.log.warn(problem ?? 'The journal can be written again.');
      changed();
    };
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#listen();
  }

  acceptOperator(outlet: Outlet): Accepted<typeof operatorApi> {
    const connection = operatorConnection(this, outlet);
    this.#operators.add(connection);
    return connection;
  }

  acceptAgent(outlet: Outlet): Accepted<typeof agentApi> {
    const connection = agentConnection(this, outlet);
    this.#agentConnections.add(connection);
    return connection;
  }

  operatorGone(connection: OperatorConnection): void {
    this.#operators.delete(connection);
  }

  agentGone(connection: AgentConnection): void {
    this.#agentConnections.delete(connection);
  }

  pictureChanged(): void {
    this.#pictures.changed();
  }

  summaries(): InstanceSummary[] {
    const waiting = this.calls.register.countWaiting('instance');
    return this.instances
      .list()
      .map((instance) => this.instances.summary(instance, waiting.get(instance.id) ?? 0));
  }

  picture(): Picture {
    const waiting = this.calls.register.countWaiting('agent');
    const picture: Picture = {
      session: this.options.session,
      mark: this.mark,
      instances: this.summaries(),
      layout: { tabs: this.layout.tabs },
      waiting: this.calls.register.waiting(),
      recent: this.calls.register.recent(),
      agents: this.agents.connected((agent) => waiting.get(agent) ?? 0),
      views: this.views.count,
    };
    if (this.panic.stopped) picture.stopped = this.panic.stopped;
    if (this.#journal.problem) picture.problem = this.#journal.problem;
    return picture;
  }

  /**
   * Withdraws what waits, ends every program, closes the journal. Operators are told `by` whom, where that is
   * known: otherwise it is no end on purpose.
   */
  shutDown(reason: string, by?: string): Promise<void> {
    this.#shuttingDown ??= this.#shutDown(reason, by);
    return this.#shuttingDown;
  }

  async #shutDown(reason: string, by: string | undefined): Promise<void> {
    this.log.info(`The host ends: ${reason}`);
    if (by !== undefined) for (const operator of this.#operators) operator.sessionEnds(by);
    this.calls.shutDown();
    await this.instances.shutDown();
    this.#pictures.stop();
    await this.#journal.append('host', { event: 'end', reason }).catch(() => {});
    await this.#journal.close();
    this.#end(reason);
  }

  #listen(): void {
    const { calls, views, layout } = this;
    const inspected = (instance: Parameters<Views['drawn']>[0]) => {
      for (const { inspector } of this.#operators) inspector.changed(instance);
    };
    this.instances.listen({
      changed: () => this.#pictures.changed(),
      drawn: (instance) => views.drawn(instance),
      copied: (instance, text) => views.copied(instance, text),
      updated: (instance) => {
        for (const { subscriptions } of this.#agentConnections) subscriptions.updated(instance);
        inspected(instance);
      },
      catalogue: (instance) => {
        calls.recheck(instance.id);
        inspected(instance);
        this.#pictures.changed();
      },
      ended: (instance, how) => {
        calls.recheck(instance.id);
        for (const { subscriptions } of this.#agentConnections) subscriptions.ended(instance, how);
        inspected(instance);
      },
      forgotten: (instance) => {
        calls.recheck(instance.id);
        layout.removeInstance(instance.id);
        views.forgotten(instance);
        this.#pictures.changed();
      },
    });
  }
}
