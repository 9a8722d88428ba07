/**
 * All instances of the session: opens, restarts, closes and forgets them, and tells whoever asks
 * when something about one changed. Decides nothing about panes, calls or agents.
 */
import { basename } from 'node:path';
import { visible } from '../cells/visible.ts';
import { LaunchError } from '../launch/index.ts';
import { brief } from '../protocol/brief.ts';
import type { Limits } from '../protocol/limits.ts';
import { RpcError } from '../rpc/api/errors.ts';
import type { Instance as InstanceSummary } from '../rpc/api/instances.ts';
import { ParseScheduler } from '../screen/index.ts';
import { Instance, StartError } from './instance.ts';
import type { Journal } from './journal.ts';
import type { SessionLog } from './log.ts';
import { Slots } from './slots.ts';

/** Running programs one session may have. */
const maxInstances = 512;
/** Ticks that initialize at a time: with hundreds on two cores none would be ready within its ten seconds. */
const maxInitializing = 16;

export interface InstancesOptions {
  session: string;
  limits: Limits;
  /** Lines kept above each screen. */
  scrollback?: number;
  journal: Journal;
  log: SessionLog;
  nextHosted: number;
  nextShell: number;
}

export interface OpenOptions {
  command: readonly string[];
  hosted: boolean;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  name: string | undefined;
  openedBy: string;
}

/** Hears of everything that happens to instances. */
export interface InstancesListener {
  changed(instance: Instance): void;
  drawn(instance: Instance): void;
  copied(instance: Instance, text: string): void;
  updated(instance: Instance): void;
  catalogue(instance: Instance): void;
  ended(instance: Instance, how: string): void;
  forgotten(instance: Instance): void;
}

export class Instances {
  readonly #options: InstancesOptions;
  readonly #all = new Map<string, Instance>();
  readonly #scheduler = new ParseScheduler();
  readonly #listeners: InstancesListener[] = [];
  readonly #next: { hosted: number; shell: number };
  /** Programs on their way: opened ones are in no list yet. */
  readonly #starting = new Map<Instance, Promise<void>>();
  readonly #initializing = new Slots(maxInitializing);
  #closed = false;

  constructor(options: InstancesOptions) {
    this.#options = options;
    this.#next = { hosted: options.nextHosted, shell: options.nextShell };
  }

  listen(listener: InstancesListener): void {
    this.#listeners.push(listener);
  }

  /** Initialized instances, in the order of their opening: what lists show (tick H-4.2-3). */
  list(): Instance[] {
    return [...this.#all.values()];
  }

  get(id: string): Instance {
    const instance = this.#all.get(id);
    if (!instance) throw new RpcError('notFound', `There is no instance ${id}; \`tickmux ls\` lists them.`);
    return instance;
  }

  find(id: string): Instance | undefined {
    return this.#all.get(id);
  }

  /** Starts a program as a new instance; `refused` says why it could not be, with the start of its screen. */
  async open(options: OpenOptions): Promise<Instance> {
    if (this.#all.size + this.#starting.size >= maxInstances) {
      throw new RpcError(
        'limit',
        `There are ${maxInstances} instances already: forget some that have ended.`,
      );
    }
    const prefix = options.hosted ? 'hosted' : 'shell';
    const id = `${prefix}:${this.#next[prefix]++}`;
    const { session, limits, scrollback } = this.#options;
    const instance = new Instance({
      ...options,
      id,
      session,
      limits,
      scheduler: this.#scheduler,
      ...(scrollback !== undefined && { scrollback }),
    });
    const { command, cwd, openedBy: by } = options;
    try {
      await this.#start(instance, async () => {
        await this.#options.journal.append('instance', { instance: id, command, cwd, by }).catch(() => {});
        return options.hosted ? this.#initializing.take() : () => {};
      });
    } catch (error) {
      await instance.dispose();
      throw this.#refusal(command, error);
    }
    this.#all.set(id, instance);
    this.#watch(instance);
    this.#options.log.info(`${options.openedBy} opened ${id}, ${visible(instance.title)}`, { instance: id });
    for (const listener of this.#listeners) listener.changed(instance);
    return instance;
  }

  async restart(instance: Instance, by: string): Promise<void> {
    if (instance.status !== 'ended') {
      throw new RpcError('refused', `${instance.id} is still running: close it first.`);
    }
    try {
      await this.#start(instance);
    } catch (error) {
      throw this.#refusal(instance.spec.command, error);
    }
    this.#options.log.info(`${by} restarted ${instance.id}`, { instance: instance.id });
  }

  async close(instance: Instance, by: string): Promise<void> {
    const { escaped } = await instance.terminate();
    this.#options.log.info(`${by} closed ${instance.id}`, { instance: instance.id });
    if (escaped.length > 0) {
      this.#options.log.warn(
        `${instance.id} left processes in sessions of their own: ${escaped.join(', ')}`,
        {
          instance: instance.id,
        },
      );
    }
  }

  /** Removes an instance that has ended from every list. */
  forget(instance: Instance): void {
    if (instance.status !== 'ended') {
      throw new RpcError('refused', `${instance.id} is still running: close it before forgetting it.`);
    }
    this.#all.delete(instance.id);
    void instance.dispose();
    for (const listener of this.#listeners) listener.forgotten(instance);
  }

  /** Ends every program; resolves when nothing of them is alive. */
  async shutDown(): Promise<void> {
    this.#closed = true;
    const starting = [...this.#starting];
    await Promise.all(
      [...this.list(), ...starting.map(([instance]) => instance)].map((one) => one.terminate()),
    );
    await Promise.allSettled(starting.map(([, started]) => started));
    await Promise.all(this.list().map((instance) => instance.dispose()));
    this.#all.clear();
  }

  summary(instance: Instance, waiting: number): InstanceSummary {
    const { spec, screen } = instance;
    const summary: InstanceSummary = {
      instance: instance.id,
      status: instance.status,
      title: instance.title,
      command: [...spec.command],
      cwd: spec.cwd,
      opened_by: spec.openedBy,
      shared: instance.shared,
      waiting,
      cols: instance.size.cols,
      rows: instance.size.rows,
      bells: instance.bells,
    };
    const descriptor = instance.session?.descriptor;
    if (descriptor) summary.kind = brief(descriptor.kind, 200);
    // Half of a revision would name another one; whoever needs it describes.
    if (descriptor && descriptor.revision.length <= 200) summary.revision = descriptor.revision;
    const broken = instance.catalogue.brokenPromise;
    if (broken !== undefined) summary.silently_changed = brief(broken, 100);
    const seq = instance.session?.latest?.state.seq;
    if (seq !== undefined) summary.seq = seq;
    if (screen.title) summary.screen_title = screen.title;
    if (instance.pid !== undefined) summary.pid = instance.pid;
    if (instance.endedHow !== undefined) summary.ended = instance.endedHow;
    return summary;
  }

  /** Counts as starting from this call on; `turn` gives what returns its turn. */
  async #start(instance: Instance, turn?: () => Promise<() => void>): Promise<void> {
    const started = this.#startInTurn(instance, turn);
    this.#starting.set(instance, started);
    await started.finally(() => this.#starting.delete(instance));
  }

  async #startInTurn(instance: Instance, turn: (() => Promise<() => void>) | undefined): Promise<void> {
    const release = turn && (await turn());
    try {
      if (this.#closed) throw new RpcError('refused', 'The host is ending: nothing is started any more.');
      await instance.start();
    } finally {
      release?.();
    }
  }

  #watch(instance: Instance): void {
    const tell =
      <E extends keyof InstancesListener>(event: E) =>
      (...rest: string[]) => {
        for (const listener of this.#listeners)
          (listener[event] as (i: Instance, words: string) => void)(instance, rest[0] ?? '');
      };
    instance.on('changed', tell('changed'));
    instance.on('drawn', tell('drawn'));
    instance.on('copied', tell('copied'));
    instance.on('updated', tell('updated'));
    instance.on('catalogue', tell('catalogue'));
    instance.on('ended', (how) => {
      this.#options.log.info(`${instance.id} ${how}`, { instance: instance.id });
      tell('ended')(how);
    });
  }

  #refusal(command: readonly string[], error: unknown): unknown {
    if (error instanceof StartError) {
      const { message, screen } = error;
      this.#options.log.warn(message);
      return new RpcError('refused', screen ? `${message}\nIts screen began:\n${screen}` : message, {
        screen,
      });
    }
    if (error instanceof LaunchError) {
      this.#options.log.warn(`${visible(basename(command[0] ?? ''))} could not be started: ${error.message}`);
      return new RpcError('refused', error.message, {
        path: error.path,
        code: error.code,
        started: false,
      });
    }
    return error;
  }
}
