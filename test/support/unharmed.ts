/**
 * What must hold whatever is done to a host: an operator is answered, a Tick beside it all goes on, memory is
 * bounded, every call ends once, nothing that is drawn or written down acts on a terminal, nothing is left alive.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { operatorApi } from '../../src/rpc/api/index.ts';
import type { Client } from '../../src/rpc/client.ts';
import { runTui } from '../../src/tui/index.ts';
import { HeadlessTerminal } from './headless-terminal.ts';
import { holdingsOf, residentBytes } from './holdings.ts';
import { plainTick } from './plain-tick.ts';
import { type TestAgent, TestHost, type TestHostOptions, type TestOperator, until } from './test-host.ts';

/** An answer may be late on a busy machine and while a slow schema is stopped; it may not stay away. */
const answerMs = 60_000;
const settled = ['succeeded', 'failed', 'unknown', 'denied', 'expired', 'withdrawn', 'stale'];

/** Without what our own drawing is made of: positions, colours and modes, titles and links, ends of rows. */
const ourOwn =
  /\x1b\[[0-9;:?<=>]*[ !"$']*[@-~]|\x1b\](?:2|8);[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[78=>]|\x1b\([0B]|[\r\n]/g;
const control = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

export class Unharmed {
  readonly host: TestHost;
  readonly operator: TestOperator;
  readonly agent: TestAgent;
  readonly terminal = new HeadlessTerminal(150, 45);
  /** Decides what is approved: a call that ran without being in it broke the first promise. */
  readonly approved = new Set<string>();
  readonly #logged: string[] = [];
  readonly #before: ReturnType<typeof holdingsOf>;
  readonly #memoryBefore: number;
  readonly #viewer: Client;
  readonly #view: Promise<unknown>;
  readonly #neighbour: string;
  #highest = 0;
  #rounds = 0;
  #asked = 0;
  #over = false;
  readonly #rounding: Promise<void>;

  static async start(options: TestHostOptions = {}): Promise<Unharmed> {
    const logged: string[] = [];
    const failures: unknown[] = [];
    const say = (_fields: object, text: string) => logged.push(text);
    const host = await TestHost.start({
      session: `unharmed-${process.pid}`,
      log: { info: say, warn: say, error: (fields) => failures.push(fields) },
      ...options,
    });
    host.bugs.push = (bug) => failures.push(bug);
    const operator = await host.operator();
    const agent = await host.agent('neighbour');
    const { instance } = await operator.open(plainTick('neighbour'));
    await agent.call(instance, 'name');
    const viewer = await host.operator({ view: false });
    return new Unharmed({ host, operator, agent, viewer, instance, logged, failures });
  }

  readonly #failures: unknown[];

  private constructor(parts: {
    host: TestHost;
    operator: TestOperator;
    agent: TestAgent;
    viewer: TestOperator;
    instance: string;
    logged: string[];
    failures: unknown[];
  }) {
    const { host, operator, agent, viewer, instance, logged, failures } = parts;
    this.host = host;
    this.operator = operator;
    this.agent = agent;
    this.#neighbour = instance;
    this.#logged = logged;
    this.#failures = failures;
    const { client, hello } = viewer;
    this.#viewer = client;
    this.#view = runTui({ client, hello, env: {}, cwd: '/', terminal: this.terminal });
    this.#before = holdingsOf();
    this.#memoryBefore = residentBytes();
    this.#rounding = this.#goRound().catch((error: unknown) => void failures.push(error));
  }

  /** Approves a waiting call, as a person who saw it would. */
  async approve(call: string): Promise<void> {
    this.approved.add(call);
    await this.operator.decide(call, 'approve');
  }

  /** The neighbour's calls go through and the operator is answered. Rejects when they do not. */
  async check(): Promise<void> {
    const { agent, operator } = this;
    await inTime('an operator is answered', operator.client.request(operatorApi.picture, {}));
    const answer = await inTime('the neighbour answers', agent.call(this.#neighbour, 'name'));
    expect(answer).toMatchObject({ state: 'succeeded', result: 'neighbour' });
    const { call } = await inTime(
      'its call waits',
      agent.propose(this.#neighbour, 'set', { n: ++this.#asked }),
    );
    await inTime('it is approved', this.approve(call));
    const ended = async () => settled.includes((await agent.outcome(call)).state);
    await until('it has run', ended, answerMs);
    expect(await agent.status(call)).toMatchObject({ state: 'succeeded' });
    this.#highest = Math.max(this.#highest, residentBytes());
    this.#rounds++;
  }

  /** All the time, until the end; a person looks at this and that meanwhile. */
  async #goRound(): Promise<void> {
    const looks = [
      '\x02n',
      '\x02i',
      '\t',
      '\t',
      '\t',
      '\x1b',
      '\x02w',
      '\x1b',
      '\x02a',
      '\t',
      '\x1b[6~',
      '\x1b',
      '\x02z',
    ];
    for (let turn = 0; !this.#over; turn++) {
      await this.check();
      this.terminal.type(looks[turn % looks.length] as string);
      // A person's pace: without it the neighbour alone would take a core.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Ends everything and says what was harmed. @param growth most bytes by which memory may have grown */
  async end(growth: number): Promise<void> {
    this.#over = true;
    await this.#rounding;
    const { host } = this;
    expect(this.#rounds).toBeGreaterThan(0);
    expect(this.#failures).toEqual([]);
    expect(this.#highest - this.#memoryBefore, 'growth of memory').toBeLessThan(growth);

    const { instances } = await this.operator.client.request(operatorApi.list, {});
    await Promise.all(
      instances.map(async ({ instance }) => {
        await this.operator.client.request(operatorApi.close, { instance });
        await this.operator.client.request(operatorApi.forget, { instance });
      }),
    );
    await until('no process of the session is left', () => this.processes().length === 0);
    await until(
      'nobody waits for a child',
      () => holdingsOf().children.length <= this.#before.children.length,
    );
    const { ptmx = 0, ...others } = holdingsOf().descriptors;
    expect(ptmx).toBe((this.#before.descriptors.ptmx ?? 0) - 1);
    expect(others.other).toBeLessThanOrEqual(this.#before.descriptors.other ?? 0);

    await host.host.shutDown('The test is over.');
    this.#viewer.close();
    await this.#view.catch(() => {});
    this.#checkCalls();
    const drawn = Buffer.concat(this.terminal.frames).toString('utf8').replace(ourOwn, '');
    expect(excerpt(drawn)).toBeUndefined();
    for (const line of readFileSync(host.options.journal, 'utf8').split('\n'))
      expect(excerpt(line)).toBeUndefined();
    for (const line of this.#logged) expect(excerpt(line)).toBeUndefined();
  }

  /** Every call came to one end, and none ran that nobody had approved. */
  #checkCalls(): void {
    const states = new Map<string, string[]>();
    for (const { type, call } of this.host.journal()) {
      if (call === undefined || !type.startsWith('call.')) continue;
      states.set(call, [...(states.get(call) ?? []), type.slice('call.'.length)]);
    }
    for (const [call, recorded] of states) {
      const ends = recorded.filter((state) => settled.includes(state));
      expect(ends, `${call}: ${recorded}`).toHaveLength(1);
      expect(recorded.filter((state) => state === 'dispatched').length, call).toBeLessThanOrEqual(1);
      const ran = recorded.includes('approved') || recorded.includes('dispatched');
      if (ran) expect(this.approved, call).toContain(call);
    }
  }

  /** Living processes that were started in this session. */
  processes(): number[] {
    const mark = `TICKMUX_SESSION=${this.host.options.session}\0`;
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark) ? [Number(name)] : [];
      } catch {
        return [];
      }
    });
  }
}

/** What is around the first character that acts on a terminal. */
function excerpt(text: string): string | undefined {
  const at = text.search(control);
  return at === -1 ? undefined : JSON.stringify(text.slice(Math.max(0, at - 60), at + 20));
}

async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`It took longer than ${answerMs} ms until ${what}.`)),
      answerMs,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
