/** A host with a few messages on a real unix socket, and a client that speaks raw lines to it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { Outlet } from '../../src/rpc/api/connection.ts';
import { RpcError } from '../../src/rpc/api/errors.ts';
import { type Api, notification, request } from '../../src/rpc/api/message.ts';
import type { Client } from '../../src/rpc/client.ts';
import { type ServeOptions, serve } from '../../src/rpc/server.ts';
import { connect } from '../../src/rpc/socket.ts';

export const smallApi = {
  hello: request('hello', 'First.', Type.Object({ name: Type.String() }), Type.Object({})),
  echo: request(
    'echo',
    'Says it back.',
    Type.Object({ text: Type.String({ maxLength: 1_000_000 }) }),
    Type.Object({ text: Type.String() }),
  ),
  wait: request(
    'wait',
    'Until it is cancelled.',
    Type.Object({}),
    Type.Object({ cancelled: Type.Boolean() }),
  ),
  refuse: request('refuse', 'Always.', Type.Object({}), Type.Object({})),
  fail: request('fail', 'A bug.', Type.Object({}), Type.Object({})),
  cancel: notification('client', 'cancel', 'Gives up.', Type.Object({ id: Type.Unknown() })),
  tell: notification('client', 'tell', 'A word.', Type.Object({ word: Type.String() })),
  told: notification('host', 'told', 'A word.', Type.Object({ word: Type.String() })),
} satisfies Api;

interface Connection {
  outlet: Outlet;
  words: string[];
  /** Requests of `wait` that are unanswered, and those whose signal aborted. */
  waiting: number;
  aborted: number;
  closed: boolean;
}

export class SmallHost {
  readonly connections: Connection[] = [];
  readonly bugs: unknown[] = [];
  readonly #server: Server;
  readonly #folder: string;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  static async start(options: ServeOptions = {}): Promise<SmallHost> {
    const server = createServer();
    const host = new SmallHost(server, await mkdtemp(join(tmpdir(), 'rpc-')));
    server.on('connection', (socket) => host.#accept(socket, options));
    await new Promise<void>((resolve) => server.listen(host.path, resolve));
    return host;
  }

  get path(): string {
    return join(this.#folder, 's');
  }

  get first(): Connection {
    const [first] = this.connections;
    if (!first) throw new Error('Nobody has connected.');
    return first;
  }

  async client(): Promise<Client> {
    const client = await connect(this.path);
    await client.request(smallApi.hello, { name: 'test' });
    return client;
  }

  async raw(): Promise<RawClient> {
    const socket = connectSocket(this.path);
    await new Promise((resolve) => socket.once('connect', resolve));
    this.#sockets.add(socket);
    return new RawClient(socket);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }

  #accept(socket: Socket, options: ServeOptions): void {
    this.#sockets.add(socket);
    const onBug = (_method: string, error: unknown) => this.bugs.push(error);
    serve(
      socket,
      smallApi,
      (outlet) => {
        const connection: Connection = { outlet, words: [], waiting: 0, aborted: 0, closed: false };
        this.connections.push(connection);
        return { handlers: handlersFor(connection), closed: () => (connection.closed = true) };
      },
      { onBug, ...options },
    );
  }
}

function handlersFor(connection: Connection) {
  return {
    hello: () => ({}),
    echo: ({ text }: { text: string }) => ({ text }),
    wait: (_: object, { signal }: { signal: AbortSignal }) => {
      connection.waiting += 1;
      return new Promise<{ cancelled: boolean }>((resolve) => {
        signal.addEventListener('abort', () => {
          connection.waiting -= 1;
          connection.aborted += 1;
          resolve({ cancelled: true });
        });
      });
    },
    refuse: (): never => {
      throw new RpcError('changed', 'Look again.', { digest: 'b' });
    },
    fail: (): never => {
      throw new Error('secret detail');
    },
    cancel: () => {},
    tell: ({ word }: { word: string }) => {
      connection.words.push(word);
    },
  };
}

type Message = { [member: string]: unknown };

export class RawClient {
  readonly socket: Socket;
  readonly #received: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];
  #text = '';

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('error', () => {}); // Being cut off is what some tests want.
    socket.on('data', (text) => this.#take(String(text)));
  }

  send(...messages: unknown[]): void {
    const lines = messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    this.socket.write(lines.map((line) => `${line}\n`).join(''));
  }

  request(id: unknown, method: string, params?: unknown): void {
    this.send({ jsonrpc: '2.0', id, method, params });
  }

  /** The next message from the host. */
  next(): Promise<Message> {
    const message = this.#received.shift();
    return message ? Promise.resolve(message) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #take(text: string): void {
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      const waiting = this.#waiting.shift();
      if (waiting) waiting(JSON.parse(line));
      else this.#received.push(JSON.parse(line));
    }
  }
}
