import { encodeFrame } from '../../src/cells/frame.ts';
import { findIn, historyOf } from '../../src/host/history.ts';
import type { Instance as HostInstance } from '../../src/host/instance.ts';
import { LayoutModel } from '../../src/host/layout.ts';
import type { Approval } from '../../src/rpc/api/approvals.ts';
import type { CallSummary } from '../../src/rpc/api/calls.ts';
import type { Handlers, Outlet } from '../../src/rpc/api/connection.ts';
import { RpcError } from '../../src/rpc/api/errors.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import type { Inspection, Instance } from '../../src/rpc/api/instances.ts';
import type { LayoutNode, Tab } from '../../src/rpc/api/layout.ts';
import type { Params } from '../../src/rpc/api/message.ts';
import type { LogEntry, Picture } from '../../src/rpc/api/session.ts';
import { Client } from '../../src/rpc/client.ts';
import { serve } from '../../src/rpc/server.ts';
import { streamPair } from '../../src/rpc/socket.ts';
import { Screen } from '../../src/screen/index.ts';
import { instanceSummary } from './instance-summary.ts';

type Sent<K extends keyof typeof operatorApi> = Params<(typeof operatorApi)[K]>;

/**
 * A host without programs, for tests of what a view shows and asks: screens are written by the test,
 * requests are recorded, and whatever a test changes in `picture` goes out with `publish()`.
 */
export class FakeHost {
  readonly #layout = new LayoutModel(() => {});
  picture: Picture = {
    session: 'main',
    mark: 'fox-42',
    instances: [],
    layout: { tabs: this.#layout.tabs },
    waiting: [],
    recent: [],
    agents: [],
    views: 1,
  };
  readonly inspections = new Map<string, Inspection>();
  readonly approvals = new Map<string, Approval>();
  readonly log: LogEntry[] = [];
  /** Requests and notifications received, oldest first. */
  readonly received: { method: string; params: unknown }[] = [];
  /** Answers an edit; accepts everything by default. */
  judge: (params: Sent<'edit'>) => { path: string; message: string }[] = () => [];
  /** Where the last view had its focus. */
  lastPane: string | undefined;
  refuseAttach: string | undefined;
  /** What the host waits for before it arranges a tab: it may be a slow one. */
  arranging: Promise<void> | undefined;
  /** What decisions are refused with, if anything. */
  decided: RpcError | undefined;
  /** What openings are refused with, if anything, and what they wait for. */
  opened: RpcError | undefined;
  opening: Promise<void> | undefined;
  readonly #screens = new Map<string, Screen>();
  readonly #unacknowledged = new Map<string, number>();
  readonly #sent = new Map<string, number>();
  #outlet: Outlet | undefined;
  #shown: Sent<'show'>['panes'] = [];
  #next = 100;

  /** A client that has said hello. */
  async connect() {
    const [near, far] = streamPair();
    serve(far, operatorApi, (outlet) => {
      this.#outlet = outlet;
      return { handlers: this.#recorded(), closed: () => {} };
    });
    const client = new Client(near);
    const hello = await client.request(operatorApi.hello, { name: 'tickmux', version: '0' });
    return { client, hello };
  }

  /** Adds an instance; its screen begins blank. */
  instance(id: string, title: string, more: Partial<Instance> = {}): Instance {
    const instance = instanceSummary(id, title, more);
    this.picture.instances.push(instance);
    this.#screens.set(id, new Screen({ cols: 80, rows: 24, scrollback: 200 }));
    return instance;
  }

  tab(name: string, root: LayoutNode): void {
    const { tab } = this.#layout.place('', { in: 'tab', name }, name);
    (this.#layout.tabs.find((one) => one.tab === tab) as Tab).root = root;
  }

  /** Adds a waiting call with its card. */
  waiting(
    call: string,
    more: Partial<Approval> & { tool?: string; instance?: string; kind?: CallSummary['kind'] } = {},
  ): Approval {
    const { tool = 'place_order', instance = 'hosted:2', kind = 'tool', ...rest } = more;
    const approval: Approval = {
      summary: {
        call,
        kind,
        instance,
        tool,
        agent: 'agent:1',
        agent_name: 'rules loop',
        state: 'waiting',
        digest: digestOf(call),
        proposed_at: Date.now() - 14_000,
      },
      title: 'Market',
      instance_kind: 'example.market',
      description: 'Place a limit order in the simulated book.',
      arguments_text: '{"price":101.1,"qty":10,"side":"buy"}',
      editable: true,
      edited: false,
      ...rest,
    };
    this.approvals.set(call, approval);
    this.picture.waiting.push(approval.summary);
    const shown = this.picture.instances.find((candidate) => candidate.instance === instance);
    if (shown) shown.waiting++;
    return approval;
  }

  /** A call ends; views are told. */
  settle(call: string, state: CallSummary['state'], more: Partial<CallSummary> = {}): void {
    const found = this.picture.waiting.find((summary) => summary.call === call);
    this.picture.waiting = this.picture.waiting.filter((summary) => summary !== found);
    if (found) this.picture.recent.push({ ...found, state, ...more });
    for (const instance of this.picture.instances) {
      instance.waiting = this.picture.waiting.filter((other) => other.instance === instance.instance).length;
    }
    this.publish();
  }

  publish(): void {
    this.#outlet?.notify(operatorApi.changed, structuredClone(this.picture));
  }

  inspected(inspection: Inspection): void {
    this.inspections.set(inspection.instance, inspection);
    this.#outlet?.notify(operatorApi.inspected, inspection);
  }

  logged(entry: LogEntry): void {
    this.log.push(entry);
    this.#outlet?.notify(operatorApi.logged, entry);
  }

  /** Output of a program. */
  write(id: string, text: string): void {
    const screen = this.#screen(id);
    screen.write(Buffer.from(text));
    while (screen.parse(1_000)) {
      // Until all is parsed.
    }
    this.#send(id);
  }

  /** Screens that are not shown changed. */
  active(...instances: string[]): void {
    this.#outlet?.notify(operatorApi.active, { instances });
  }

  /** A program put a text on the clipboard. */
  copied(instance: string, text: string): void {
    this.#outlet?.notify(operatorApi.copied, { instance, text });
  }

  /** The session is ended on purpose. */
  end(by: string): void {
    this.#outlet?.notify(operatorApi.ended, { by });
  }

  hangUp(): void {
    this.#outlet?.close();
  }

  /** What was received of one kind, oldest first. */
  sent<K extends keyof typeof operatorApi>(name: K): Sent<K>[] {
    const { method } = operatorApi[name];
    return this.received.filter((one) => one.method === method).map(({ params }) => params as Sent<K>);
  }

  /** Everything typed into an instance. */
  typed(id: string): string {
    return this.sent('type')
      .filter(({ instance }) => instance === id)
      .map(({ base64 }) => Buffer.from(base64, 'base64').toString())
      .join('');
  }

  #screen(id: string): Screen {
    const screen = this.#screens.get(id);
    if (!screen) throw new Error(`The test has no instance ${id}.`);
    return screen;
  }

  #asInstance(id: string): HostInstance {
    return { screen: this.#screen(id) } as unknown as HostInstance;
  }

  #send(id: string): void {
    if (!this.#shown.some(({ instance }) => instance === id) || this.#unacknowledged.has(id)) return;
    const frame = this.#screen(id).frame(this.#sent.get(id) ?? 0);
    if (frame.changed.length === 0 && this.#sent.has(id)) return;
    this.#unacknowledged.set(id, frame.generation);
    this.#sent.set(id, frame.generation);
    this.#outlet?.notify(operatorApi.frame, { instance: id, frame: encodeFrame(frame) });
  }

  #recorded(): Handlers<typeof operatorApi> {
    const handlers = this.#handlers() as unknown as Record<string, (params: never, more: never) => unknown>;
    return Object.fromEntries(
      Object.entries(handlers).map(([name, handle]) => [
        name,
        (params: never, more: never) => {
          this.received.push({ method: operatorApi[name as keyof typeof operatorApi].method, params });
          return handle(params, more);
        },
      ]),
    ) as unknown as Handlers<typeof operatorApi>;
  }

  #handlers(): Handlers<typeof operatorApi> {
    return {
      hello: () => ({
        host: { version: '0', pid: 1 },
        session: this.picture.session,
        mark: this.picture.mark,
        cli_decisions: false,
      }),
      picture: () => this.picture,
      log: () => ({ entries: this.log }),
      panic: ({ stopped }) => {
        delete this.picture.stopped;
        if (stopped) this.picture.stopped = { by: 'view:1', at: Date.now() };
        queueMicrotask(() => this.publish());
        return {};
      },
      kill: () => ({}),
      attach: () => {
        if (this.refuseAttach !== undefined) throw new RpcError('refused', this.refuseAttach);
        queueMicrotask(() => this.publish());
        return { view: 'view:1', ...(this.lastPane === undefined ? {} : { pane: this.lastPane }) };
      },
      show: ({ panes }) => this.#show(panes),
      acknowledge: ({ instance }) => {
        this.#unacknowledged.delete(instance);
        this.#send(instance);
      },
      open: async (params) => {
        await this.opening;
        if (this.opened) throw this.opened;
        return this.#open(params);
      },
      list: () => ({ instances: this.picture.instances }),
      close: () => ({}),
      restart: () => ({}),
      forget: () => ({}),
      share: () => ({}),
      type: () => {},
      typeText: () => ({}),
      screen: () => ({ cols: 1, rows: 1, lines: [], cursor: { x: 0, y: 0 }, title: '' }),
      history: (params) => historyOf(this.#asInstance(params.instance), params),
      find: (params) => findIn(this.#asInstance(params.instance), params),
      inspect: ({ instance }) => ({ inspection: (instance && this.inspections.get(instance)) || null }),
      removePane: ({ pane }) => {
        this.#layout.removePane(pane);
        queueMicrotask(() => this.publish());
        return {};
      },
      renameTab: ({ tab, name }) => {
        for (const one of this.picture.layout.tabs) if (one.tab === tab) one.name = name;
        this.publish();
        return {};
      },
      showInstance: () => ({ pane: 'pane:1', tab: 'tab:1' }),
      movePane: ({ pane, beside, direction = 'right' }) => {
        setTimeout(() => this.publish());
        return this.#layout.movePane(
          pane,
          beside === undefined ? { in: 'tab' } : { in: 'split', pane: beside, direction },
          'moved',
        );
      },
      arrange: async ({ tab, root }) => {
        await this.arranging;
        this.#layout.arrange(tab, root);
        setTimeout(() => this.publish());
        return {};
      },
      pending: () => ({ calls: this.picture.waiting }),
      showApproval: ({ call }) => {
        const approval = this.approvals.get(call);
        if (!approval) throw new RpcError('notFound', `There is no ${call}.`);
        return structuredClone(approval);
      },
      decide: ({ call, digest, decision }) => {
        if (this.decided) throw this.decided;
        const approval = this.approvals.get(call);
        if (approval?.summary.digest !== digest)
          throw new RpcError('changed', `${call} changed: look again.`);
        const state = decision === 'approve' ? 'approved' : 'denied';
        queueMicrotask(() => this.settle(call, state, { decided_by: 'view:1' }));
        return { state };
      },
      edit: (params) => this.#edit(params),
    };
  }

  #show(panes: Sent<'show'>['panes']): void {
    const before = new Map(this.#shown.map((pane) => [pane.instance, pane]));
    this.#shown = panes;
    for (const { instance, cols, rows } of panes) {
      if (!this.#screens.has(instance)) continue;
      if (!before.has(instance)) {
        this.#sent.delete(instance);
        this.#unacknowledged.delete(instance);
      }
      const old = before.get(instance);
      if (old?.cols !== cols || old.rows !== rows) this.#screen(instance).resize(cols, rows);
      this.#send(instance);
    }
  }

  /** A shell beside a pane or in a tab of its own. */
  #open({ shell, command = ['sh'], place }: Sent<'open'>) {
    const number = this.#next++;
    const id = `${shell ? 'shell' : 'hosted'}:${number}`;
    const pane = `pane:${number}`;
    this.instance(id, command[0] as string);
    const leaf: LayoutNode = { type: 'pane', pane, instance: id };
    if (place?.in === 'split') {
      for (const tab of this.picture.layout.tabs) {
        tab.root = splitAt(tab.root, place.pane, leaf, place.direction === 'right' ? 'columns' : 'rows');
      }
    } else {
      this.tab(command[0] as string, leaf);
    }
    queueMicrotask(() => this.publish());
    return { instance: id, pane, tab: 'tab:1' };
  }

  #edit(params: Sent<'edit'>) {
    const complaints = this.judge(params);
    const approval = this.approvals.get(params.call);
    if (!approval || complaints.length > 0) return { accepted: false, complaints };
    if (params.check_only) return { accepted: true, complaints };
    approval.arguments_text = params.arguments_text;
    approval.edited = true;
    approval.summary.digest = digestOf(params.arguments_text);
    queueMicrotask(() => this.publish());
    return { accepted: true, digest: approval.summary.digest, complaints };
  }
}

function splitAt(node: LayoutNode, pane: string, added: LayoutNode, axis: 'columns' | 'rows'): LayoutNode {
  if (node.type === 'pane') {
    return node.pane === pane ? { type: 'split', axis, children: [node, added], weights: [1, 1] } : node;
  }
  return { ...node, children: node.children.map((child) => splitAt(child, pane, added, axis)) };
}

/** 64 hexadecimal digits that differ for different texts, enough for a test. */
export function digestOf(text: string): string {
  let hash = 7;
  for (const char of text) hash = (hash * 31 + char.charCodeAt(0)) % 0xffffffff;
  return hash.toString(16).padStart(8, '0').repeat(8);
}
