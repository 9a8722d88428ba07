/**
 * Turns what an agent asks for into a proposal the desk can queue: finds the tool, validates the
 * arguments before any human is asked, resolves a command to what would really run.
 */
import { isAbsolute, resolve } from 'node:path';
import { visible } from '../cells/visible.ts';
import { LaunchError, resolveProgram } from '../launch/index.ts';
import { brief } from '../protocol/brief.ts';
import type { JsonObject } from '../protocol/messages.ts';
import type { ManageParams } from '../rpc/api/agent.ts';
import { RpcError } from '../rpc/api/errors.ts';
import { type KnownAgent, maySee } from './agents.ts';
import type { Proposal } from './call.ts';
import { canonical, type Declaration } from './digest.ts';
import { inputEffect, lifecycleEffect, openEffect, toolEffect } from './effects.ts';
import type { Instance } from './instance.ts';
import type { Instances } from './instances.ts';
import { redact } from './redact.ts';

/** Longest `expires_in_s`, and the default. */
export const maxExpiresInS = 86_400;

/** What is common to everything an agent proposes. */
export interface Terms {
  reason?: string;
  wait?: boolean;
  expires_in_s?: number;
  idempotency_key?: string;
}

/** A tool as it stands, with arguments that fit it. */
export interface PreparedCall {
  declaration: Declaration;
  revision: string;
  argumentsText: string;
  check: (args: JsonObject) => { path: string; message: string }[];
}

/** Finds the tool and checks the arguments (tick H-7.2-1); throws `notFound`, `invalidParams` or `refused`. */
export function prepareCall(
  instance: Instance,
  tool: string,
  args: JsonObject,
  revision: string | undefined,
): PreparedCall {
  const { catalogue } = instance;
  const descriptor = catalogue.descriptor;
  if (!descriptor || instance.status !== 'running') {
    const why = instance.spec.hosted ? 'is not running' : 'is no Tick: it has a screen and no tools';
    throw new RpcError('refused', `${instance.id} ${why}.`);
  }
  if (revision !== undefined && revision !== descriptor.revision) {
    throw new RpcError(
      'refused',
      `The catalogue of ${instance.id} is at another revision now: describe it again.`,
      {
        reason: 'stale',
        revision: descriptor.revision,
      },
    );
  }
  const declaration = catalogue.declaration(tool);
  const schema = catalogue.schema(tool);
  if (!declaration || !schema) {
    const names = descriptor.tools.slice(0, 12).map(({ name }) => visible(brief(name, 100)));
    const known =
      names.length > 0
        ? `it has ${names.join(', ')}${descriptor.tools.length > 12 ? ', …' : ''}`
        : 'it has none';
    throw new RpcError('notFound', `${instance.id} has no tool "${visible(tool)}": ${known}.`);
  }
  const check = (value: JsonObject) =>
    schema.ok ? schema.check(value) : [{ path: '', message: `have a schema that ${schema.reason}` }];
  const complaints = check(args);
  if (complaints.length > 0) {
    const [first] = complaints;
    const where = first?.path ? ` ${visible(first.path)}` : '';
    throw new RpcError(
      'invalidParams',
      `The arguments do not fit ${visible(tool)}:${where} ${first?.message}.`,
      {
        complaints: complaints.slice(0, 50),
      },
    );
  }
  return { declaration, revision: descriptor.revision, argumentsText: canonical(args), check };
}

export function proposeTool(
  agent: KnownAgent,
  instance: Instance,
  call: PreparedCall,
  terms: Terms,
): Proposal {
  const { declaration, revision } = call;
  return {
    ...common(agent, terms),
    kind: 'tool',
    instance: instance.id,
    incarnation: instance.incarnation,
    command: instance.spec.command,
    tool: declaration.name,
    description: declaration.description,
    declaration,
    revision,
    argumentsText: call.argumentsText,
    recordable: (text) => redact(JSON.parse(text), declaration.input_schema),
    check: call.check,
    seqThen: agent.seen.get(instance.id),
    context: undefined,
    effect: toolEffect(instance, declaration, revision),
  };
}

/** Opens what was shown: program resolved, arguments and directory frozen, the host's own environment. */
export function proposeOpen(
  agent: KnownAgent,
  instances: Instances,
  params: ManageParams<'open'>,
  env: NodeJS.ProcessEnv,
): Proposal {
  const cwd = params.cwd ?? env.HOME ?? '/';
  if (!isAbsolute(cwd))
    throw new RpcError('invalidParams', `cwd must be an absolute path, not "${visible(cwd)}".`);
  const [program = '', ...args] = params.command;
  const command = [resolveOrRefuse(program, resolve(cwd), env.PATH), ...args];
  const hosted = params.shell !== true;
  const frozen: JsonObject = { command, cwd, shell: !hosted };
  if (params.name !== undefined) frozen.name = params.name;
  return {
    ...common(agent, params),
    kind: 'open',
    instance: undefined,
    incarnation: 0,
    command,
    tool: 'open',
    description: 'Start a program in this session.',
    argumentsText: canonical(frozen),
    recordable: (text) => JSON.parse(text),
    effect: openEffect(async () => {
      const instance = await instances.open({
        command,
        hosted,
        cwd,
        env,
        name: params.name,
        openedBy: agent.id,
      });
      agent.opened.add(instance.id);
      return instance;
    }),
  };
}

export function proposeLifecycle(
  agent: KnownAgent,
  instance: Instance,
  what: 'close' | 'restart',
  instances: Instances,
  terms: Terms,
): Proposal {
  const frozen: JsonObject = { command: [...instance.spec.command], cwd: instance.spec.cwd };
  return {
    ...common(agent, terms),
    kind: what,
    instance: instance.id,
    incarnation: instance.incarnation,
    command: instance.spec.command,
    tool: what,
    description:
      what === 'close' ? 'End this program.' : 'Start this program again; it is ended first if it runs.',
    argumentsText: canonical(frozen),
    recordable: (text) => JSON.parse(text),
    effect: lifecycleEffect(instance, what, async () => {
      if (instance.status !== 'ended') await instances.close(instance, agent.id);
      if (what === 'close') return;
      await instances.restart(instance, agent.id).catch((error: unknown) => {
        // The refusal of a failed start goes on with what the screen said.
        if (!(error instanceof RpcError) || maySee(agent, instance)) throw error;
        throw new RpcError('refused', error.message.split('\n')[0] ?? '');
      });
    }),
  };
}

export async function proposeInput(
  agent: KnownAgent,
  instance: Instance,
  text: string,
  terms: Terms,
): Promise<Proposal> {
  if (instance.status !== 'running') throw new RpcError('refused', `${instance.id} is not running.`);
  const echo = await instance.echo();
  return {
    ...common(agent, terms),
    kind: 'input',
    instance: instance.id,
    incarnation: instance.incarnation,
    command: instance.spec.command,
    tool: 'input',
    description: 'Type this into the terminal, as a person would.',
    argumentsText: canonical({ text }),
    // What is typed may be a password.
    recordable: () => ({ bytes: Buffer.byteLength(text) }),
    context: [
      `foreground process group ${instance.foregroundGroup ?? 'unknown'}, echo ${echo === undefined ? 'unknown' : echo ? 'on' : 'off'}`,
      // Without the empty rows at its end: all of it has to be seen before anybody can approve.
      ...instance.screen.text().join('\n').trimEnd().split('\n'),
    ],
    effect: inputEffect(instance, text, echo),
  };
}

function common(agent: KnownAgent, terms: Terms) {
  return {
    agent: { id: agent.id, name: agent.name },
    declaration: undefined,
    revision: undefined,
    check: undefined,
    seqThen: undefined,
    context: undefined,
    reason: terms.reason,
    expiresInS: terms.expires_in_s ?? maxExpiresInS,
    key: terms.idempotency_key,
    wait: terms.wait !== false,
  };
}

function resolveOrRefuse(program: string, cwd: string, path: string | undefined): string {
  try {
    return resolveProgram(program, cwd, path);
  } catch (error) {
    if (error instanceof LaunchError) throw new RpcError('refused', error.message);
    throw error;
  }
}
