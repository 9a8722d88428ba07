/**
 * One connection on agent.sock: an agent's messages, bound to the parts that carry them out. Nothing
 * reachable from here decides a call.
 */
import type { CallReport } from '../rpc/api/calls.ts';
import type { Accepted, Outlet, RequestContext } from '../rpc/api/connection.ts';
import { RpcError } from '../rpc/api/errors.ts';
import { type agentApi, apiVersion } from '../rpc/api/index.ts';
import type { Instance as InstanceSummary } from '../rpc/api/instances.ts';
import { type KnownAgent, maySee } from './agents.ts';
import { type Call, type Proposal, reportOf } from './call.ts';
import { defaultWaitingPerAgent } from './calls.ts';
import { fromSession } from './effects.ts';
import type { HostParts } from './host.ts';
import type { Instance } from './instance.ts';
import { screenOf } from './operator-connection.ts';
import {
  maxExpiresInS,
  type PreparedCall,
  prepareCall,
  proposeInput,
  proposeLifecycle,
  proposeOpen,
  proposeTool,
  type Terms,
} from './proposals.ts';
import type { PastCall } from './replay.ts';
import { hashSecret } from './secret.ts';
import type { Slots } from './slots.ts';
import { Subscriptions } from './subscriptions.ts';

/** Longest line either side may send; rpc holds the same number. */
const lineBytes = 16 * 1024 * 1024;
const maxWaitMs = 60_000;

export interface AgentConnection extends Accepted<typeof agentApi> {
  readonly subscriptions: Subscriptions;
}

export function agentConnection(parts: HostParts, outlet: Outlet): AgentConnection {
  const { calls, instances, agents } = parts;
  let known: KnownAgent | undefined;
  const agent = (): KnownAgent => {
    if (!known) throw new RpcError('invalidRequest', 'Say hello first.');
    return known;
  };
  const seen = (instance: string, seq: number) => known?.seen.set(instance, seq);
  const subscriptions = new Subscriptions(outlet, seen);

  /** The title that a program set is a part of its screen. */
  const withoutScreen = ({ screen_title, ...summary }: InstanceSummary): InstanceSummary => {
    const instance = instances.find(summary.instance);
    const seen = screen_title !== undefined && instance !== undefined && maySee(agent(), instance);
    return seen ? { ...summary, screen_title } : summary;
  };

  const running = (id: string): Instance => {
    const instance = instances.get(id);
    if (!instance.session || instance.status !== 'running') {
      throw new RpcError('refused', `${id} is not a running Tick: it has no state and no tools.`);
    }
    return instance;
  };

  /** The call that a key has named before. Asked first: its instance may be gone, after a restart of the host. */
  const named = ({ idempotency_key: key }: Terms): Call | PastCall | undefined =>
    key === undefined ? undefined : calls.register.byKey(agent().id, key);

  /** Queues a proposal and answers as its caller wished. */
  const settle = async (terms: Terms, context: RequestContext, make: () => Proposal | Promise<Proposal>) => {
    const before = named(terms);
    if (before) return answerFor(before, terms, context);
    const proposal = await make();
    // The same key may have come in meanwhile.
    const meanwhile = named(terms);
    if (meanwhile) return answerFor(meanwhile, terms, context);
    if (context.signal.aborted)
      throw new RpcError('refused', 'The request was given up before it was queued.');
    agents.record(agent());
    const { call, secret } = calls.propose(proposal);
    if (secret !== undefined) return { ...reportOf(call), secret };
    await outcomeOf(call, context);
    return reportOf(call);
  };

  const answerFor = async (
    before: Call | PastCall,
    terms: Terms,
    context: RequestContext,
  ): Promise<CallReport> => {
    if (!('settled' in before)) return pastReport(before);
    if (terms.wait === false) return { ...reportOf(before), secret: calls.keep(before) };
    await outcomeOf(before, context);
    return reportOf(before);
  };

  const outcomeOf = async (call: Call, { signal }: RequestContext): Promise<void> => {
    const leave = calls.hold(call);
    signal.addEventListener('abort', leave, { once: true });
    await call.settled;
    signal.removeEventListener('abort', leave);
  };

  /** What agents ask without approval: in rotation, and not at all once its caller has gone. */
  const inTurn = async <T>(slots: Slots, { signal }: RequestContext, ask: () => Promise<T>): Promise<T> => {
    const release = await slots.take({ agent: agent().id, signal });
    try {
      return await ask();
    } finally {
      release();
    }
  };

  const query = (
    instance: Instance,
    tool: string,
    prepared: PreparedCall,
    context: RequestContext,
  ): Promise<CallReport> => {
    const { session } = instance;
    return inTurn(instance.slots, context, async () => {
      const report: CallReport = { kind: 'tool', instance: instance.id, tool, state: 'failed' };
      if (!session || session !== instance.session)
        throw new RpcError('refused', `${instance.id} has ended.`);
      // While it waited the tool may have become one that needs a person's yes.
      if (!instance.catalogue.stillDeclares(prepared.declaration, prepared.revision)) {
        throw new RpcError('refused', `The catalogue of ${instance.id} changed: describe it again.`, {
          reason: 'stale',
        });
      }
      const outcome = fromSession(
        await session.call({ tool, argsText: prepared.argumentsText, revision: prepared.revision }),
      );
      if (outcome.event === 'succeed') return { ...report, state: 'succeeded', result: outcome.result };
      if (outcome.event === 'lose') return { ...report, state: 'unknown', words: outcome.reason };
      // The Tick knows another catalogue than we do: the caller has to describe again (tick 7.2).
      if (outcome.effect === 'none') void instance.catalogue.refresh();
      return { ...report, error: outcome.error, effect: outcome.effect } as CallReport;
    });
  };

  const handlers: Accepted<typeof agentApi>['handlers'] = {
    hello: ({ name, version, resume }) => {
      if (known) throw new RpcError('refused', `This connection is ${known.id} already.`);
      const { agent: connected, secret, resumed } = agents.connect(name, version, resume);
      known = connected;
      return {
        host: { name: 'tickmux', version: parts.options.version },
        protocol: apiVersion,
        session: parts.options.session,
        agent: connected.id,
        resumed,
        resume: secret,
        limits: {
          line_bytes: lineBytes,
          waiting_calls: parts.options.waitingPerAgent ?? defaultWaitingPerAgent,
          wait_ms: maxWaitMs,
          expires_s: maxExpiresInS,
        },
      };
    },

    tickDescribe: async ({ instance: id }, context) => {
      const instance = running(id);
      const failure = await inTurn(instance.lookSlots, context, () => instance.catalogue.refresh());
      const { descriptor } = instance.catalogue;
      if (failure !== undefined || !descriptor) {
        throw new RpcError('refused', `${id} did not describe itself: ${failure ?? 'it ended'}`);
      }
      return { instance: id, descriptor };
    },

    tickRead: async ({ instance: id }, context) => {
      const { session, lookSlots } = running(id);
      const result = await inTurn(lookSlots, context, async () => session?.read());
      if (!result?.ok) {
        throw new RpcError('refused', `${id} did not answer with its state: ${result?.reason ?? 'it ended'}`);
      }
      const { seq, data, at } = result.state;
      seen(id, seq);
      return { instance: id, seq, data, at: at ?? new Date().toISOString() };
    },

    tickCall: async (params, context) => {
      const before = named(params);
      if (before) return answerFor(before, params, context);
      const { instance: id, tool, arguments: args = {}, revision } = params;
      const instance = instances.get(id);
      const prepared = prepareCall(instance, tool, args, revision);
      if (!prepared.declaration.mutates) return query(instance, tool, prepared, context);
      return settle(params, context, () => proposeTool(agent(), instance, prepared, params));
    },

    tickCallStatus: async ({ call: id, secret, wait_ms }, context) => {
      const call = calls.register.find(id);
      const past = call ? undefined : calls.register.findPast(id);
      const owner = call?.agent.id ?? past?.summary.agent;
      const secretHashes = call?.secretHashes ?? past?.secretHashes ?? [];
      const mayAsk =
        owner === agent().id || (secret !== undefined && secretHashes.includes(hashSecret(secret)));
      // The same words for both: whether a call exists is not everybody's business.
      if (!mayAsk || (!call && !past)) throw new RpcError('notFound', `There is no ${id} of yours.`);
      if (past) return pastReport(past);
      if (call && wait_ms) await settledWithin(call, wait_ms, context);
      return reportOf(call as Call);
    },

    tickManage: async (params, context) => {
      switch (params.action) {
        case 'list':
          return { instances: parts.summaries().map((summary) => withoutScreen(summary)) };
        case 'open':
          return settle(params, context, () => proposeOpen(agent(), instances, params, parts.options.env));
        case 'close':
        case 'restart': {
          const { action } = params;
          return settle(params, context, () => {
            const instance = instances.get(params.instance);
            if (action === 'close' && instance.status === 'ended') {
              throw new RpcError('refused', `${instance.id} has ended already.`);
            }
            return proposeLifecycle(agent(), instance, action, instances, params);
          });
        }
        case 'input':
          return settle(params, context, () =>
            proposeInput(agent(), instances.get(params.instance), params.text, params),
          );
        case 'screen': {
          const instance = instances.get(params.instance);
          if (!maySee(agent(), instance)) {
            throw new RpcError(
              'forbidden',
              `The screen of ${instance.id} is not shared with agents: \`:share ${instance.id}\` in an attached view shares it.`,
            );
          }
          return { screen: screenOf(instance) };
        }
        case 'view':
          return { shown: setShown(parts, agent(), instances.get(params.instance), params.show) };
        case 'subscribe':
          subscriptions.subscribe(instances.get(params.instance), params.interval_ms);
          return { subscribed: true };
        case 'unsubscribe':
          subscriptions.unsubscribe(params.instance);
          return { subscribed: false };
      }
    },
    // The server aborts the request itself.
    cancel: () => {},
  };

  return {
    handlers,
    subscriptions,
    closed() {
      subscriptions.close();
      if (known) agents.disconnect(known);
      parts.agentGone(this);
    },
  };
}

/** Gives an instance a tab at the end, or takes that pane away again; never one the operator made. */
function setShown(parts: HostParts, agent: KnownAgent, instance: Instance, show: boolean): boolean {
  const { layout } = parts;
  if (show) {
    if (layout.shows(instance.id)) return true;
    const { pane } = layout.place(instance.id, { in: 'tab' }, instance.title);
    agent.shown.set(instance.id, pane);
    return true;
  }
  if (!layout.shows(instance.id)) return false;
  const own = agent.shown.get(instance.id);
  if (own === undefined || !layout.hasPane(own)) {
    throw new RpcError('forbidden', `The operator gave ${instance.id} its pane: only a person removes it.`);
  }
  agent.shown.delete(instance.id);
  layout.removePane(own);
  return layout.shows(instance.id);
}

async function settledWithin(call: Call, ms: number, { signal }: RequestContext): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    void call.settled.then(end);
  });
}

function pastReport({ summary }: PastCall): CallReport {
  const { call, kind, instance, tool, state, words } = summary;
  return {
    call,
    kind,
    tool,
    state,
    ...(instance !== undefined && { instance }),
    ...(words !== undefined && { words }),
  };
}
