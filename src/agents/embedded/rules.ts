/**
 * The rules driver: an agent without a model. It holds a connection to the host like any other agent
 * and proposes what its playbook says; that it cannot decide is the socket's doing, not its manners.
 */
import type { Json } from '../../protocol/messages.ts';
import { hello, tickCall } from '../../rpc/api/agent.ts';
import type { CallReport } from '../../rpc/api/calls.ts';
import { type Client, ConnectionEnded } from '../../rpc/client.ts';
import { type Clock, systemClock } from './clock.ts';
import { missingPaths } from './conditions.ts';
import { follow, type Listener } from './following.ts';
import type { Playbook } from './playbook.ts';
import { chooseTurn, newTurn, nextDue, type Ready, type Turn } from './turns.ts';
import { sayText } from './values.ts';

/** The longest reason the host takes, in characters. */
const reasonChars = 4_096;

export interface RulesLogEntry {
  level: 'info' | 'warn' | 'error';
  /** One sentence. It may quote a Tick or a person: make it visible before showing it. */
  text: string;
  instance?: string;
  call?: string;
}

export interface RulesOptions {
  /** An agent's connection on which nothing was said yet. The driver owns it from here on. */
  client: Client;
  playbook: Playbook;
  log: (entry: RulesLogEntry) => void;
  /** Told to the host in hello. */
  version?: string;
  clock?: Clock;
}

export interface RulesDriver {
  /** Ends the connection; the host withdraws calls that still wait. */
  stop(): void;
  /** Settles when the driver is over: stopped, refused, or its connection lost. */
  readonly ended: Promise<void>;
}

/** Says hello, follows the playbook's instances and proposes its calls, until stopped. */
export function startRules(options: RulesOptions): RulesDriver {
  const rules = new Rules(options);
  return { stop: () => rules.stop(), ended: rules.run() };
}

class Rules implements Listener {
  readonly #client: Client;
  readonly #playbook: Playbook;
  readonly #clock: Clock;
  readonly #options: RulesOptions;
  readonly #turns = new Set<Turn>();
  readonly #saidMissing = new Set<string>();
  #notBefore = Number.POSITIVE_INFINITY;
  #stopped = false;
  #cancelTimer = () => {};

  constructor(options: RulesOptions) {
    this.#client = options.client;
    this.#playbook = options.playbook;
    this.#clock = options.clock ?? systemClock;
    this.#options = options;
  }

  async run(): Promise<void> {
    try {
      await this.#client.request(hello, { name: 'rules loop', version: this.#options.version ?? '' });
    } catch (error) {
      if (!this.#stopped) this.#log('error', `The rules loop could not start: ${wordsOf(error)}`);
      this.stop();
      return;
    }
    const { name, rules, startAfterS } = this.#playbook;
    this.#log('info', `The rules loop follows playbook ${name}: ${count(rules.length, 'rule')}.`);
    this.#notBefore = this.#clock.now() + startAfterS * 1000;
    const unfollow = follow(this.#client, this.#clock, this);
    await this.#client.closed;
    unfollow();
    if (!this.#stopped) this.#log('warn', 'The rules loop ended: its connection to the host is gone.');
    this.stop();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
    this.#client.close();
  }

  wanted(instance: string, kind: string | undefined): boolean {
    return this.#rulesFor(instance, kind).length > 0;
  }

  state(instance: string, kind: string | undefined, data: Json): void {
    const turns = [...this.#turns].filter((turn) => turn.instance === instance);
    for (const turn of turns) turn.state = data;
    if (turns.length === 0) {
      for (const rule of this.#rulesFor(instance, kind)) {
        const turn = newTurn(rule, instance, data, this.#clock.now());
        this.#turns.add(turn);
        this.#sayMissing(turn);
      }
      this.#log('info', `The rules loop follows ${instance}.`, { instance });
    }
    this.#consider();
  }

  ended(instance: string, how: string): void {
    for (const turn of this.#turns) if (turn.instance === instance) this.#turns.delete(turn);
    this.#log('info', `The rules loop no longer follows ${instance}: ${how}`, { instance });
  }

  trouble(subject: string, message: string): void {
    this.#log('warn', `The rules loop cannot follow ${subject}: ${message} It will try again.`);
  }

  #rulesFor(instance: string, kind: string | undefined) {
    return this.#playbook.rules.filter(({ target }) =>
      'kind' in target ? target.kind === kind : target.instance === instance,
    );
  }

  /** Proposes what may be proposed now, and sees to being called again when time alone brings more. */
  #consider(): void {
    this.#cancelTimer();
    if (this.#stopped) return;
    const now = this.#clock.now();
    while (this.#notBefore <= now) {
      const ready = chooseTurn(this.#turns, now);
      this.#sayTroubles();
      if (!ready) break;
      this.#notBefore = now + this.#playbook.paceS * 1000;
      void this.#propose(ready, now);
    }
    const due = this.#notBefore > now ? this.#notBefore : nextDue(this.#turns, now);
    if (Number.isFinite(due)) this.#cancelTimer = this.#clock.after(due - now, () => this.#consider());
  }

  async #propose({ turn, arguments: args }: Ready, now: number): Promise<void> {
    const { rule, instance, state } = turn;
    turn.waiting = true;
    turn.lastProposed = now;
    turn.before = state;
    turn.trouble = undefined;
    const reason = sayText(rule.reason, state).slice(0, reasonChars);
    const subject = `${rule.tool} on ${instance} (${rule.name})`;
    // What was refused once is tried again in silence.
    if (turn.refusal === undefined)
      this.#log('info', `Proposed ${subject}${reason && `: ${reason}`}`, { instance });
    try {
      const params = { instance, tool: rule.tool, arguments: args, wait: true, ...(reason && { reason }) };
      const report = await this.#client.request(tickCall, params);
      turn.refusal = undefined;
      this.#settled(turn, subject, report);
    } catch (error) {
      if (error instanceof ConnectionEnded) return;
      this.#refused(turn, subject, wordsOf(error));
    }
    turn.waiting = false;
    turn.notBefore = this.#clock.now() + rule.cooldownS * 1000;
    this.#consider();
  }

  #refused(turn: Turn, subject: string, words: string): void {
    if (turn.refusal === words) return;
    turn.refusal = words;
    const { instance, rule } = turn;
    const again = `It will be tried every ${rule.cooldownS} s, and not be told again.`;
    this.#log('warn', `${subject} was refused: ${words} ${again}`, { instance });
  }

  /** Says once what a rule waits for and the state does not have: it may be misspelt. */
  #sayMissing({ rule, instance, state }: Turn): void {
    for (const path of missingPaths(rule.when, state)) {
      const words = `${rule.name} waits for ${path}, which the state of ${instance} does not have so far.`;
      if (this.#saidMissing.has(words)) continue;
      this.#saidMissing.add(words);
      this.#log('warn', words, { instance });
    }
  }

  #settled(turn: Turn, subject: string, report: CallReport): void {
    const { instance, rule } = turn;
    const words = report.words ?? report.error?.message;
    const about = { instance, ...(report.call !== undefined && { call: report.call }) };
    if (report.state === 'succeeded') {
      this.#log('info', `${subject} succeeded.`, about);
      return;
    }
    this.#log('warn', `${subject} ended as ${report.state}${words ? `: ${words}` : '.'}`, about);
    if (report.state === 'unknown') {
      // Sending it again could do it twice; only a person can find out (tick H-7.3-1).
      turn.resting = true;
      this.#log('warn', `${rule.name} proposes nothing more on ${instance} until it is restarted.`, about);
    }
  }

  #sayTroubles(): void {
    for (const turn of this.#turns) {
      if (turn.trouble === undefined || turn.troubleSaid === turn.trouble) continue;
      turn.troubleSaid = turn.trouble;
      const { rule, instance, trouble } = turn;
      this.#log('warn', `${rule.name} cannot propose ${rule.tool} on ${instance}: ${trouble}.`, { instance });
    }
  }

  #log(level: RulesLogEntry['level'], text: string, about: { instance?: string; call?: string } = {}): void {
    this.#options.log({ level, text, ...about });
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
