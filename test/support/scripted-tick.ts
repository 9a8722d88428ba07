/**
 * A Tick's end of the two streams, played by a test line by line, for what must be exact to the byte
 * and in order.
 */

import { PassThrough } from 'node:stream';
import { defaultLimits, type Limits } from '../../src/protocol/limits.ts';
import type { Descriptor, JsonObject, State } from '../../src/protocol/messages.ts';
import { Session, type SessionEnd } from '../../src/session/session.ts';

export const lamp: Descriptor = {
  protocol: 3,
  kind: 'test.lamp',
  title: 'Lamp',
  description: 'A lamp with a switch.',
  revision: 'a',
  tools: [
    { name: 'set', description: 'Turn it on or off.', input_schema: { type: 'object' }, mutates: true },
    { name: 'log', description: 'List the switchings.', input_schema: { type: 'object' }, mutates: false },
  ],
  recover_with: 'log',
  state: { series: [{ path: '/events', newest: 'first' }] },
};

interface Received {
  id: number;
  method: string;
  params: JsonObject;
  text: string;
}

export class ScriptedTick {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly session: Session;
  readonly requests: Received[] = [];
  readonly updates: State[] = [];
  end: SessionEnd | undefined;
  #pending = '';

  constructor(limits: Partial<Limits> = {}, startedAt?: number) {
    this.session = new Session({
      stdin: this.stdin,
      stdout: this.stdout,
      limits: { ...defaultLimits, ...limits },
      ...(startedAt !== undefined && { startedAt }),
    });
    this.session.on('update', (state) => this.updates.push(state));
    this.session.on('end', (end) => {
      if (this.end) throw new Error('The session ended twice.');
      this.end = end;
    });
    this.stdin.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#pending + text).split('\n');
      this.#pending = lines.pop()!;
      for (const line of lines) this.requests.push({ ...(JSON.parse(line) as Received), text: line });
    });
  }

  /** The request with this number, the first being 1, once it has arrived. */
  async request(number: number): Promise<Received> {
    await until(() => this.requests.length >= number);
    return this.requests[number - 1]!;
  }

  /** Writes a line as it is, or a message as compact JSON. */
  write(...lines: (string | object)[]): void {
    this.stdout.write(
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
  }

  result(id: number, result: unknown): void {
    this.write({ jsonrpc: '2.0', id, result });
  }

  error(id: number, code: number, message = 'no'): void {
    this.write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  update(seq: number, data: unknown = {}, more: object = {}): void {
    this.write({ jsonrpc: '2.0', method: 'tick/update', params: { seq, data, ...more } });
  }

  /** Waits until the session has handled everything written so far and is still going on. */
  async handled(): Promise<void> {
    const before = this.session.ignoredMessages;
    this.write({ jsonrpc: '2.0', method: 'test/marker' });
    await until(() => this.session.ignoredMessages > before || this.end !== undefined);
    if (this.end) throw new Error(`The session ended: ${this.end.message}`);
  }

  async ended(): Promise<SessionEnd> {
    await until(() => this.end !== undefined);
    return this.end!;
  }

  /** Answers the two requests of initialization; what comes after has ids from 3 on. */
  async initialize(descriptor: object = lamp, state: object = { seq: 0, data: null }) {
    const initialized = this.session.initialize();
    this.result((await this.request(1)).id, descriptor);
    await until(() => this.requests.length >= 2 || this.end !== undefined);
    if (!this.end) this.result(2, state);
    return initialized;
  }
}

/** A scripted Tick that is ready. */
export async function readyTick(limits: Partial<Limits> = {}): Promise<ScriptedTick> {
  const tick = new ScriptedTick(limits);
  const initialized = await tick.initialize();
  if (!initialized.ok) throw new Error(initialized.reason);
  return tick;
}

/** Turns of the event loop, not time: works with faked timers too. The test's own time-out ends it. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
