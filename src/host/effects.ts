/**
 * What each kind of call does once approved, and how it is known that this is still what was shown.
 * The desk calls these in its own order; nothing here decides.
 */
import { visible } from '../cells/visible.ts';
import { RpcError } from '../rpc/api/errors.ts';
import type { CallOutcome } from '../session/index.ts';
import type { Effect, Outcome } from './call.ts';
import { canonical, type Declaration } from './digest.ts';
import type { Instance } from './instance.ts';

/** A call of a Tick's tool. */
export function toolEffect(instance: Instance, declaration: Declaration, revision: string): Effect {
  const { incarnation } = instance;
  const text = canonical(declaration as never);
  const declared = instance.catalogue.declaredAs(declaration.name);
  // One text for all calls of a tool: it may be half a megabyte, and two thousand may wait.
  const shown = declared === text ? declared : text;
  const current = () => {
    const gone = sameProgram(instance, incarnation);
    if (gone) return gone;
    if (instance.catalogue.descriptor?.revision !== revision)
      return 'the catalogue changed since it was shown';
    if (instance.catalogue.declaredAs(declaration.name) !== shown)
      return 'the tool was declared anew since it was shown';
    return undefined;
  };
  return {
    current,
    verify: async () => {
      const failure = await instance.catalogue.refresh();
      return failure ? `the catalogue could not be looked at again: ${visible(failure)}` : current();
    },
    takeSlot: () => instance.slots.take(),
    run: async (argsText, sent) => {
      const { session } = instance;
      if (!session) return neverSent('the program has ended');
      const outcome = await session.call({ tool: declaration.name, argsText, revision, onSent: sent });
      return fromSession(outcome);
    },
    // A call may have changed the catalogue, and -32004 says that somebody did.
    after: () => void instance.catalogue.refresh(),
  };
}

/** Starting a program on behalf of an agent. The command is resolved before it is shown. */
export function openEffect(open: () => Promise<Instance>): Effect {
  return {
    current: () => undefined,
    verify: async () => undefined,
    run: async (_text, sent) => {
      sent();
      return attempt(async () => ({ instance: (await open()).id }));
    },
  };
}

/** Ending or restarting the program an agent was shown. */
export function lifecycleEffect(
  instance: Instance,
  what: 'close' | 'restart',
  act: () => Promise<void>,
): Effect {
  const { incarnation } = instance;
  const current = () => {
    if (instance.disposed) return 'the instance is no more';
    if (instance.incarnation !== incarnation) return 'the program was restarted since it was shown';
    if (what === 'close' && instance.status === 'ended') return 'the program has ended';
    return undefined;
  };
  return {
    current,
    verify: async () => current(),
    run: async (_text, sent) => {
      sent();
      return attempt(async () => {
        await act();
        return { instance: instance.id };
      });
    },
  };
}

/** Typing into a terminal on behalf of an agent: void as soon as anything it was meant for changed. */
export function inputEffect(instance: Instance, text: string, echo: boolean | undefined): Effect {
  const { incarnation, typed, foregroundGroup } = instance;
  const { alternateScreen } = instance.screen.frame(instance.screen.generation).modes;
  const current = () => {
    const gone = sameProgram(instance, incarnation);
    if (gone) return gone;
    if (instance.typed !== typed) return 'somebody typed since it was shown';
    if (instance.foregroundGroup !== foregroundGroup) return 'another program reads the terminal now';
    if (instance.screen.frame(instance.screen.generation).modes.alternateScreen !== alternateScreen) {
      return 'the program switched its screen since it was shown';
    }
    return undefined;
  };
  return {
    current,
    verify: async () => {
      if ((await instance.echo()) !== echo) return 'the terminal changed its echo since it was shown';
      return current();
    },
    run: async (_text, sent) => {
      if (!instance.type(Buffer.from(text))) return neverSent('the terminal takes no more input');
      sent();
      return { event: 'succeed', result: {} };
    },
  };
}

function sameProgram(instance: Instance, incarnation: number): string | undefined {
  if (instance.incarnation !== incarnation) return 'the program was restarted since it was shown';
  if (instance.status === 'ended') return 'the program has ended';
  return undefined;
}

/** A session's outcome in the desk's words (tick section 4, "Outcome of a call"). */
export function fromSession(outcome: CallOutcome): Outcome {
  switch (outcome.outcome) {
    case 'succeeded':
      return { event: 'succeed', result: outcome.result };
    case 'failed':
      return { event: 'fail', effect: outcome.effect, error: outcome.error };
    case 'unknown':
      return { event: 'lose', reason: outcome.reason };
    case 'refused':
      return neverSent(outcome.reason);
  }
}

function neverSent(reason: string): Outcome {
  return { event: 'fail', effect: 'none', error: { message: `It was not sent: ${reason}` } };
}

async function attempt(act: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { event: 'succeed', result: await act() };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { started } = (error.data ?? {}) as { started?: boolean };
    return {
      event: 'fail',
      effect: started === false ? 'none' : 'possible',
      error: { message: error.message },
    };
  }
}
