/**
 * The terminal interface: one attached view of a session, from attaching until it detaches, the session
 * is killed or the host goes. Never imports the host; it lives on the other side of a connection.
 */

import type { Result } from '../rpc/api/message.ts';
import type { hello } from '../rpc/api/session.ts';
import type { Client } from '../rpc/client.ts';
import { App } from './app.ts';
import { type Clock, systemClock } from './clock.ts';
import { createStage, type Terminal, ttyTerminal } from './stage/index.ts';
import { defaultTheme, findTheme, themes } from './theme.ts';
import type { TuiEnd } from './ui.ts';

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
  /** The pane that has the focus at first; by default the first one. */
  readonly pane?: string;
  /** Name of a theme; the terminal's own colours by default. */
  readonly theme?: string;
  /** Default: this process's own. */
  readonly terminal?: Terminal;
  readonly clock?: Clock;
}

/**
 * Takes the terminal over until the view ends; the terminal is given back before this settles.
 * Rejects when the host refuses to attach (RpcError), the theme is unknown or there is no terminal.
 */
export async function runTui(options: TuiOptions): Promise<TuiEnd> {
  const { client, hello, cwd, inside, clock = systemClock } = options;
  const theme = options.theme === undefined ? defaultTheme : findTheme(options.theme);
  if (!theme) {
    const names = themes.map(({ name }) => name).join(', ');
    throw new Error(`There is no theme "${options.theme}": take one of ${names}.`);
  }
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.env)) if (value !== undefined) env[name] = value;
  const stage = createStage({ terminal: options.terminal ?? ttyTerminal() });
  const app = new App({
    client,
    session: hello.session,
    mark: hello.mark,
    stage,
    clock,
    theme,
    attach: { cwd, env, ...(inside === undefined ? {} : { inside }) },
  });
  if (options.pane !== undefined) app.view.focus(options.pane);
  try {
    await app.start();
  } catch (error) {
    stage.dispose();
    throw error;
  }
  return app.ended;
}
