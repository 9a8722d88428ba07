/**
 * A host in the test's own process, with agents and operators connected as real clients, and real Ticks in
 * real terminals. Everything ends with the test that started it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { Host, type HostOptions } from '../../src/host/index.ts';
import { defaultLimits, type Limits } from '../../src/protocol/limits.ts';
import type { JsonObject } from '../../src/protocol/messages.ts';
import type { Approval } from '../../src/rpc/api/approvals.ts';
import type { CallReport, CallSummary } from '../../src/rpc/api/calls.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import type { Params, RequestMessage, Result } from '../../src/rpc/api/message.ts';
import type { Picture } from '../../src/rpc/api/session.ts';
import { Client } from '../../src/rpc/client.ts';
import { type ServeOptions, serve } from '../../src/rpc/server.ts';
import { streamPair } from '../../src/rpc/socket.ts';
import { Puppet, type PuppetMembers } from './puppet.ts';

type Sent<A, K extends keyof A> = A[K] extends RequestMessage ? Params<A[K]> : never;

export interface TestHostOptions extends Partial<Omit<HostOptions, 'limits'>> {
  limits?: Partial<Limits>;
}

/** A line of the journal. */
export interface JournalLine {
  type: string;
  call?: string;
  [field: string]: unknown;
}

export class TestHost {
  readonly directory: string;
  readonly options: HostOptions;
  /** Failures inside the host; the test fails when there were any. */
  readonly bugs: unknown[] = [];
  host: Host;
  #puppets = 0;

  private constructor(directory: string, options: HostOptions, host: Host) {
    this.directory = directory;
    this.options = options;
    this.host = host;
  }

  static async start({ limits, ...more }: TestHostOptions = {}): Promise<TestHost> {
    const directory = mkdtempSync(join(tmpdir(), 'tickmux-host-'));
    const bugs: unknown[] = [];
    const options: HostOptions = {
      session: 'test',
      version: '0.0.0',
      journal: join(directory, 'journal'),
      env: { PATH: process.env.PATH, HOME: directory, SHELL: '/bin/sh' },
      allowCliDecisions: false,
      log: { info: () => {}, warn: () => {}, error: (fields) => bugs.push(fields) },
      limits: { ...defaultLimits, terminateMs: 500, ...limits },
      ...more,
    };
    const test = new TestHost(directory, options, await Host.create(options));
    onTestFinished(async () => {
      await test.host.shutDown('The test is over.');
      rmSync(directory, { recursive: true, force: true });
      if (bugs.length > 0) throw new Error('The host failed inside.', { cause: bugs[0] });
    });
    return test;
  }

  /** Ends the host and starts another one over the same journal. */
  async again(more: Partial<HostOptions> = {}): Promise<void> {
    await this.host.shutDown('The test starts another.');
    this.host = await Host.create({ ...this.options, ...more });
  }

  async agent(name = 'tester', resume?: string, options: ServeOptions = {}): Promise<TestAgent> {
    const near = this.rawAgent(options);
    const client = new Client(near);
    const hello = await client.request(agentApi.hello, {
      name,
      version: '1',
      ...(resume !== undefined && { resume }),
    });
    return new TestAgent(client, hello.agent, hello.resume, near);
  }

  /** The other end of an agent's connection, to write anything to. */
  rawAgent(options: ServeOptions = {}): Duplex {
    const [near, far] = streamPair();
    serve(far, agentApi, (outlet) => this.host.acceptAgent(outlet), { ...this.#onBug, ...options });
    return near;
  }

  /** An operator's connection: with an attached view unless `view` is false. */
  async operator({ view = true } = {}): Promise<TestOperator> {
    const [near, far] = streamPair();
    serve(far, operatorApi, (outlet) => this.host.acceptOperator(outlet), this.#onBug);
    const client = new Client(near);
    const operator = new TestOperator(
      client,
      await client.request(operatorApi.hello, { name: 'tickmux', version: '1' }),
    );
    if (view) await operator.attach();
    return operator;
  }

  /** Opens a puppet on the operator's behalf. */
  async puppet(operator: TestOperator, members: PuppetMembers = {}): Promise<Puppet> {
    const puppet = this.strings();
    const { instance } = await operator.open(puppet.command(members));
    return puppet.on(instance);
  }

  /** A puppet that is yet to be opened. */
  strings(): Puppet {
    return new Puppet(mkdtempSync(join(this.directory, `puppet-${++this.#puppets}-`)));
  }

  journal(): JournalLine[] {
    return readFileSync(this.options.journal, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** The states of a call in the order in which they were written down. */
  recorded(call: string | undefined): string[] {
    return this.journal()
      .filter((line) => line.call === call && line.type.startsWith('call.'))
      .map((line) => line.type.slice('call.'.length));
  }

  get #onBug(): ServeOptions {
    return { onBug: (_method, error) => this.bugs.push(error) };
  }
}

type Terms = Omit<Sent<typeof agentApi, 'tickCall'>, 'instance' | 'tool' | 'arguments'>;
export type Update = Params<typeof agentApi.tickUpdate>;

export class TestAgent {
  readonly client: Client;
  readonly id: string;
  readonly secret: string;
  readonly updates: Update[] = [];

  readonly #stream: Duplex | undefined;

  constructor(client: Client, id: string, secret: string, stream?: Duplex) {
    this.client = client;
    this.id = id;
    this.secret = secret;
    this.#stream = stream;
    client.on(agentApi.tickUpdate, (update) => this.updates.push(update));
  }

  /** Proposes a call and waits for its outcome. */
  call(instance: string, tool: string, args: JsonObject = {}, terms: Terms = {}, signal?: AbortSignal) {
    return this.client.request(agentApi.tickCall, { instance, tool, arguments: args, ...terms }, signal);
  }

  /** Proposes a call and does not wait. */
  async propose(instance: string, tool: string, args: JsonObject = {}, terms: Terms = {}) {
    const report = await this.call(instance, tool, args, { wait: false, ...terms });
    return report as CallReport & { call: string; secret: string };
  }

  status(call: string, more: { secret?: string; wait_ms?: number } = {}): Promise<CallReport> {
    return this.client.request(agentApi.tickCallStatus, { call, ...more });
  }

  /** How a call ended. */
  outcome(call: string): Promise<CallReport> {
    return this.status(call, { wait_ms: 10_000 });
  }

  async manage(params: Sent<typeof agentApi, 'tickManage'>) {
    // biome-ignore lint/suspicious/noExplicitAny: each action has an answer of its own
    return (await this.client.request(agentApi.tickManage, params)) as any;
  }

  /** Reads nothing more until `resume`. */
  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  leave(): void {
    this.client.close();
  }
}

export interface SeenFrame {
  instance: string;
  frame: Params<typeof operatorApi.frame>['frame'];
}

export class TestOperator {
  readonly client: Client;
  readonly hello: Result<typeof operatorApi.hello>;
  readonly frames: SeenFrame[] = [];
  view = '';
  picture: Picture | undefined;

  constructor(client: Client, hello: Result<typeof operatorApi.hello>) {
    this.client = client;
    this.hello = hello;
    client.on(operatorApi.changed, (picture) => {
      this.picture = picture;
    });
    client.on(operatorApi.frame, (frame) => this.frames.push(frame));
  }

  async attach(more: Partial<Sent<typeof operatorApi, 'attach'>> = {}): Promise<string> {
    const params = { cols: 100, rows: 30, cwd: '/', env: {}, ...more };
    this.view = (await this.client.request(operatorApi.attach, params)).view;
    return this.view;
  }

  open(command: string[], more: Partial<Sent<typeof operatorApi, 'open'>> = {}) {
    return this.client.request(operatorApi.open, {
      command,
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', SHELL: '/bin/sh' },
      ...more,
    });
  }

  async waiting(): Promise<CallSummary[]> {
    return (await this.client.request(operatorApi.pending, {})).calls;
  }

  /** The calls that wait, once there are `count`. */
  async sees(count: number): Promise<CallSummary[]> {
    await until(`${count} calls wait`, async () => (await this.waiting()).length === count);
    return this.waiting();
  }

  /** The card of the only call that waits. */
  async card(): Promise<Approval> {
    const [summary] = await this.sees(1);
    return this.show(summary?.call ?? '');
  }

  show(call: string): Promise<Approval> {
    return this.client.request(operatorApi.showApproval, { call });
  }

  async decide(call: string, decision: 'approve' | 'deny', words?: string): Promise<string> {
    const { summary } = await this.show(call);
    const params = { call, digest: summary.digest, decision, ...(words !== undefined && { words }) };
    return (await this.client.request(operatorApi.decide, params)).state;
  }

  /** Approves the only call that waits. */
  async approve(): Promise<string> {
    const { summary } = await this.card();
    await this.decide(summary.call, 'approve');
    return summary.call;
  }

  edit(call: string, digest: string, arguments_text: string, check_only = false) {
    return this.client.request(operatorApi.edit, { call, digest, arguments_text, check_only });
  }

  async instance(id: string) {
    const { instances } = await this.client.request(operatorApi.list, {});
    return instances.find(({ instance }) => instance === id);
  }

  /** The visible text of an instance. */
  async text(instance: string): Promise<string> {
    return (await this.client.request(operatorApi.screen, { instance })).lines.join('\n').trimEnd();
  }

  leave(): void {
    this.client.close();
  }
}

/** What most tests begin with: a host, an operator with a view, a puppet that runs, an agent. */
export async function hostWithPuppet(options: TestHostOptions = {}) {
  const host = await TestHost.start(options);
  const operator = await host.operator();
  const puppet = await host.puppet(operator);
  const agent = await host.agent();
  return { host, operator, puppet, agent };
}

/** Waits until `condition` holds; the failure names what was waited for. */
export async function until(
  what: string,
  condition: () => unknown | Promise<unknown>,
  ms = 30_000,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`It never came to this: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether a process runs. */
export function alive(pid: number): boolean {
  try {
    // A zombie runs no more.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
