/**
 * A Tick as a real process on a real terminal, with the test as its host: one line at a time, nothing checked.
 */
import { Terminal as Emulator } from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { cleanEnvironment, type Launched, launch } from '../../src/launch/index.ts';
import type { Descriptor, Json, State } from '../../src/protocol/messages.ts';
import type { Program } from './built-ticks.ts';

interface Message {
  jsonrpc: string;
  id?: number;
  method?: string;
  params?: State;
  result?: Json;
  error?: { code: number; message: string };
}

interface Options {
  cols?: number;
  rows?: number;
  env?: Record<string, string>;
  /** False for a program that a person started in a terminal. */
  hosted?: boolean;
}

export class TickProcess {
  /** Whole lines on standard output, in order. */
  readonly lines: string[] = [];
  /** What followed the last newline. */
  rest = '';
  exit: { code: number | null } | undefined;
  readonly launched: Launched;
  readonly #emulator: Emulator;
  readonly #parsed: Message[] = [];
  #lastId = 0;

  /** Starts a program that ends with the test. */
  static async start(program: Program, options: Options = {}): Promise<TickProcess> {
    const { cols = 120, rows = 30, hosted = true, env = {} } = options;
    const launched = await launch({
      ...program,
      cwd: '/',
      env: { ...cleanEnvironment(process.env), ...(hosted && { TICKLOOP_INSTANCE_ID: 'test:1' }), ...env },
      ...{ cols, rows, pipes: hosted },
    });
    onTestFinished(async () => {
      await launched.terminate();
      launched.dispose();
    });
    return new TickProcess(launched, cols, rows);
  }

  private constructor(launched: Launched, cols: number, rows: number) {
    this.launched = launched;
    this.#emulator = new Emulator({ cols, rows, allowProposedApi: true, scrollback: 100 });
    launched.terminal.onData((bytes) => this.#emulator.write(bytes));
    launched.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = text.split('\n');
      this.rest += parts.shift() ?? '';
      for (const part of parts) {
        this.lines.push(this.rest);
        this.rest = part;
      }
    });
    void launched.exited.then(({ code }) => {
      this.exit = { code };
    });
  }

  /** Every line parsed; throws for one that is not JSON. */
  get messages(): Message[] {
    for (const line of this.lines.slice(this.#parsed.length)) this.#parsed.push(JSON.parse(line) as Message);
    return this.#parsed;
  }

  get responses(): Message[] {
    return this.messages.filter(({ method }) => method === undefined);
  }

  get updates(): State[] {
    return this.messages.flatMap(({ method, params }) =>
      method === 'tick/update' && params ? [params] : [],
    );
  }

  /** Writes a line as it is. */
  write(line: string): void {
    this.launched.stdin?.write(`${line}\n`);
  }

  /** Sends a request and returns its id. */
  send(method: string, params: object = {}): number {
    this.#lastId += 1;
    this.write(JSON.stringify({ jsonrpc: '2.0', id: this.#lastId, method, params }));
    return this.#lastId;
  }

  async response(id: number): Promise<Message> {
    const found = () => this.responses.find((response) => response.id === id);
    await until(`the answer to request ${id}`, () => found() !== undefined);
    return found()!;
  }

  request(method: string, params: object = {}): Promise<Message> {
    return this.response(this.send(method, params));
  }

  async describe(): Promise<Descriptor> {
    return (await this.request('tick/describe')).result as unknown as Descriptor;
  }

  async read(): Promise<State> {
    return (await this.request('tick/read')).result as unknown as State;
  }

  /** A call under the current revision. */
  async call(tool: string, args: object = {}): Promise<Message> {
    const { revision } = await this.describe();
    return this.request('tick/call', { tool, args, revision });
  }

  endInput(): void {
    this.launched.stdin?.end();
  }

  type(text: string): void {
    this.launched.terminal.write(Buffer.from(text));
  }

  resize(cols: number, rows: number): void {
    // The emulator does not bear a resize between two halves of a write.
    this.#emulator.write('', () => this.#emulator.resize(cols, rows));
    this.launched.terminal.resize(cols, rows);
  }

  /** The rows of the screen as text, without spaces at their ends. */
  get screen(): string[] {
    const buffer = this.#emulator.buffer.active;
    return Array.from(
      { length: this.#emulator.rows },
      (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '',
    );
  }

  get onAlternateScreen(): boolean {
    return this.#emulator.buffer.active.type === 'alternate';
  }

  /** Waits until some row holds `text`. */
  async shows(text: string): Promise<void> {
    await until(`"${text}" on the screen`, () => this.screen.some((row) => row.includes(text))).catch(
      (error) => {
        throw new Error(`${error.message}; it shows\n${this.screen.join('\n')}`);
      },
    );
  }

  async ended(): Promise<void> {
    await until('the end of the program', () => this.exit !== undefined);
  }
}

/** Waits until `condition` holds; the failure names what was waited for. */
export async function until(what: string, condition: () => boolean, ms = 30_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
