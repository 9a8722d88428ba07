/**
 * The terminal interface: one attached view of a session, from attaching until it detaches, the session
 * is killed or the host goes. Never imports the host; it lives on the other side of a connection.
 */

import type { Result } from '../rpc/api/message.ts';
import type { hello } from '../rpc/api/session.ts';
import type { Client } from '../rpc/client.ts';
import { App } from './app.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Choices, defaultSettings, type TuiSettings } from './settings.ts';
import { createStage, type Terminal, ttyTerminal } from './stage/index.ts';
import type { Message } from './status-line.ts';
import type { TuiEnd } from './ui.ts';

export type { Choices, TuiSettings } from './settings.ts';
export type { TuiEnd } from './ui.ts';

export interface TuiOptions {
  /** Connected to operator.sock, hello said. */
  readonly client: Client;
  /** What the host answered. */
  readonly hello: Result<typeof hello>;
  /** Handed to programs opened from here. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** TICKMUX_INSTANCE of this process, if set. */
  readonly inside?: string;
  /** The pane that has the focus at first; by default that of the last view. */
  readonly pane?: string;
  readonly settings?: TuiSettings;
  /** Calls back whenever there are newer settings or something to say about them, until what it returns is called. */
  watchSettings?(changed: (settings: TuiSettings | undefined, remark?: Remark) => void): () => void;
  /** Command lines of earlier views, newest last. */
  readonly history?: readonly string[];
  /** Keeps what was chosen for the next view. */
  remember?(choices: Choices): void;
  /** What is to be said at first. */
  readonly remark?: Remark;
  /** Default: this process's own. */
  readonly terminal?: Terminal;
  readonly clock?: Clock;
}

/** A line for the person, until the next key. */
export type Remark = Pick<Message, 'text' | 'level'>;

/**
 * Takes the terminal over until the view ends; the terminal is given back before this settles.
 * Rejects when the host refuses to attach (RpcError) or there is no terminal.
 */
export async function runTui(options: TuiOptions): Promise<TuiEnd> {
  const { client, hello, cwd, inside, clock = systemClock, settings = defaultSettings } = options;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.env)) if (value !== undefined) env[name] = value;
  const stage = createStage({ terminal: options.terminal ?? ttyTerminal() });
  const app = new App({
    client,
    session: hello.session,
    mark: hello.mark,
    stage,
    clock,
    settings,
    history: options.history ?? [],
    remember: (choices) => options.remember?.(choices),
    attach: { cwd, env, ...(inside === undefined ? {} : { inside }) },
    ...(options.pane === undefined ? {} : { pane: options.pane }),
  });
  try {
    await app.start();
  } catch (error) {
    stage.dispose();
    throw error;
  }
  const say = ({ text, level }: Remark) => app.say(text, level);
  if (options.remark) say(options.remark);
  const unwatch = options.watchSettings?.((newer, remark) => {
    if (newer) app.configure(newer);
    if (remark) say(remark);
  });
  return app.ended.finally(() => unwatch?.());
}
