import type { Duplex } from 'node:stream';
import type { ServeOptions } from '../../src/rpc/server.ts';
import type { TestHost } from './test-host.ts';
import { until } from './test-host.ts';

interface Answer {
  id?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** An agent that writes what it likes, and keeps what it is answered. */
export class RawAgent {
  readonly stream: Duplex;
  readonly answers: Answer[] = [];
  cutOff = false;
  #text = '';
  #marks = 0;

  constructor(host: TestHost, options: ServeOptions = {}) {
    this.stream = host.rawAgent(options);
    this.stream.setEncoding('utf8');
    this.stream.on('error', () => {});
    this.stream.on('close', () => {
      this.cutOff = true;
    });
    this.stream.on('data', (text: string) => {
      const lines = (this.#text + text).split('\n');
      this.#text = lines.pop() ?? '';
      for (const line of lines) this.answers.push(JSON.parse(line) as Answer);
    });
  }

  /** Says hello under this name. */
  as(name: string): this {
    this.request('hello', 'hello', { name, version: '1' });
    return this;
  }

  request(id: unknown, method: string, params: unknown): void {
    this.stream.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  }

  manage(id: unknown, params: object): void {
    this.request(id, 'TickManage', params);
  }

  answerTo(id: unknown): Answer | undefined {
    return this.answers.find((answer) => answer.id === id);
  }

  /** Waits until everything written so far was answered. */
  async answered(): Promise<void> {
    const mark = `mark ${++this.#marks}`;
    this.manage(mark, { action: 'list' });
    await until('it is answered', () => this.cutOff || this.answerTo(mark) !== undefined);
  }
}
