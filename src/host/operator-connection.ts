/**
 * One connection on operator.sock: the operator's messages, bound to the parts that carry them out.
 * Only a connection with an attached view decides, unless the host allows decisions by command.
 */

import { visible } from '../cells/visible.ts';
import type { Accepted, Outlet } from '../rpc/api/connection.ts';
import { RpcError } from '../rpc/api/errors.ts';
import type { operatorApi } from '../rpc/api/index.ts';
import * as session from '../rpc/api/session.ts';
import { approvalOf } from './approvals.ts';
import { findIn, historyOf } from './history.ts';
import type { HostParts } from './host.ts';
import { Inspector } from './inspector.ts';
import type { Instance } from './instance.ts';
import { openForOperator } from './open.ts';
import type { View } from './views.ts';

export interface OperatorConnection extends Accepted<typeof operatorApi> {
  readonly inspector: Inspector;
  /** The session is being ended. */
  sessionEnds(by: string): void;
}

export function operatorConnection(parts: HostParts, outlet: Outlet): OperatorConnection {
  const { calls, instances, layout, log, views } = parts;
  const inspector = new Inspector(outlet);
  let view: View | undefined;
  let clientName = 'unknown';
  let unfollow: (() => void) | undefined;

  /** Who decides, in the words of records: refuses a connection that may not. */
  const decider = (): string => {
    if (view) return view.id;
    if (parts.options.allowCliDecisions) return 'cli';
    throw new RpcError(
      'forbidden',
      'Decisions need an attached view: approve in the terminal, or start the host with --allow-cli-decisions.',
    );
  };

  const needView = (): View => {
    if (!view)
      throw new RpcError('refused', 'This connection has no attached view: send views.attach first.');
    return view;
  };

  const type = (instance: Instance, bytes: Buffer): boolean => {
    if (view) views.typed(view, instance);
    instance.typed++;
    const taken = instance.type(bytes);
    calls.recheck(instance.id);
    return taken;
  };

  const handlers: Accepted<typeof operatorApi>['handlers'] = {
    hello: ({ name }) => {
      clientName = visible(name);
      return {
        host: { version: parts.options.version, pid: process.pid },
        session: parts.options.session,
        mark: parts.mark,
        cli_decisions: parts.options.allowCliDecisions,
      };
    },
    picture: () => parts.picture(),
    log: ({ lines = 100, follow }) => {
      unfollow?.();
      unfollow = follow ? log.follow((entry) => outlet.notify(session.logged, entry)) : undefined;
      return { entries: log.newest(lines) };
    },
    panic: ({ stopped }) => {
      if (stopped) parts.panic.stop(view?.id ?? `a command (${clientName})`);
      else parts.panic.resume(decider());
      return {};
    },
    kill: () => {
      const by = view ? `${view.id}, another terminal attached to it` : `a command (${clientName})`;
      setImmediate(() => void parts.shutDown('the operator ended the session', by));
      return {};
    },

    attach: ({ cwd, env, inside }) => {
      if (inside !== undefined && instances.find(inside)) {
        throw new RpcError(
          'refused',
          `This terminal is ${inside} of the same session: it cannot show itself.`,
        );
      }
      if (view) throw new RpcError('refused', `This connection is ${view.id} already.`);
      view = views.attach(outlet, cwd, env);
      parts.pictureChanged();
      const pane = layout.paneOf(views.lastFocused);
      return { view: view.id, ...(pane === undefined ? {} : { pane }) };
    },
    show: ({ panes, focused }) => views.show(needView(), panes, focused),
    acknowledge: ({ instance, generation }) => views.acknowledge(needView(), instance, generation),

    open: (params) => openForOperator(parts, view, params),
    list: () => ({ instances: parts.summaries() }),
    close: async ({ instance }) => {
      await instances.close(instances.get(instance), 'operator');
      return {};
    },
    restart: async ({ instance }) => {
      await instances.restart(instances.get(instance), 'operator');
      return {};
    },
    forget: ({ instance }) => {
      instances.forget(instances.get(instance));
      return {};
    },
    share: ({ instance, shared }) => {
      instances.get(instance).shared = shared;
      log.info(`operator ${shared ? 'shows' : 'no longer shows'} the screen of ${instance} to agents`, {
        instance,
      });
      parts.pictureChanged();
      return {};
    },
    type: ({ instance, base64 }) => {
      type(instances.get(instance), Buffer.from(base64, 'base64'));
    },
    typeText: ({ instance, text }) => {
      if (!type(instances.get(instance), Buffer.from(text))) {
        throw new RpcError('refused', `${instance} takes no input: its program ended or does not read.`);
      }
      return {};
    },
    screen: ({ instance }) => screenOf(instances.get(instance)),
    history: (params) => historyOf(instances.get(params.instance), params),
    find: (params) => findIn(instances.get(params.instance), params),
    inspect: ({ instance }) => ({
      inspection: inspector.inspect(instance === null ? undefined : instances.get(instance)),
    }),

    removePane: ({ pane }) => {
      layout.removePane(pane);
      return {};
    },
    renameTab: ({ tab, name }) => {
      layout.renameTab(tab, name);
      return {};
    },
    showInstance: ({ instance, beside, direction }) => {
      const { id, title } = instances.get(instance);
      return layout.place(id, placement(beside, direction), title);
    },
    movePane: ({ pane, beside, direction }) => {
      const { title } = instances.get(layout.pane(pane).instance);
      return layout.movePane(pane, placement(beside, direction), title);
    },
    arrange: ({ tab, root }) => {
      layout.arrange(tab, root);
      return {};
    },

    pending: () => ({ calls: calls.register.waiting() }),
    showApproval: ({ call }) => approvalOf(calls.register.get(call), instances),
    decide: ({ call, digest, decision, words }) => ({
      state: calls.decide(call, digest, decision, words, decider()),
    }),
    edit: ({ call, digest, arguments_text, check_only }) =>
      calls.edit(call, digest, arguments_text, decider(), check_only === true),
  };

  return {
    handlers,
    inspector,
    sessionEnds: (by) => outlet.notify(session.ended, { by }),
    closed() {
      inspector.close();
      unfollow?.();
      if (view) views.detach(view);
      parts.operatorGone(this);
    },
  };
}

/** Beside a pane, to its right by default; without one in a new tab. */
function placement(beside: string | undefined, direction: 'right' | 'down' = 'right') {
  return beside === undefined ? { in: 'tab' as const } : { in: 'split' as const, pane: beside, direction };
}

export function screenOf(instance: Instance) {
  const { screen } = instance;
  const { cols, rows, cursor, title } = screen.frame(screen.generation);
  return { cols, rows, lines: screen.text(), cursor: { x: cursor.x, y: cursor.y }, title };
}
