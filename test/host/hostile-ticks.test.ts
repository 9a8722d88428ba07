/** Ticks that do harm, several at a time and in any order: the host, its views and its other Ticks bear it. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CallState } from '../../src/rpc/api/calls.ts';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import { numbers, shuffled } from '../support/numbers.ts';
import { hostWithPuppet, until } from '../support/test-host.ts';
import { Unharmed } from '../support/unharmed.ts';

const program = fileURLToPath(new URL('../fixtures/host/hostile.mjs', import.meta.url));

/** Others for a longer run by hand; each harm is done once at least. */
const seed = Number(process.env.HOSTILE_SEED ?? 20_261_130);
const steps = Number(process.env.HOSTILE_STEPS ?? 0);
const atOnce = 3;
/** Bytes by which memory may grow: some lines of 8 MiB, parsed and written again, and their garbage. */
const mostGrowth = 400 * 1024 * 1024;

const never = 'does not start';
const useless = 'takes no call';
/** What comes of each harm in test/fixtures/host/hostile.mjs: how a call of `act` may end, if there is one. */
const harms: Record<string, readonly CallState[] | typeof never | typeof useless> = {
  flood: ['succeeded'],
  'large-states': ['succeeded'],
  ignored: ['succeeded'],
  'longest-line': ['succeeded'],
  'line-too-long': ['unknown'],
  'endless-line': ['unknown'],
  'byte-by-byte': ['succeeded'],
  'leaves-children': ['unknown'],
  'leaves-daemon': ['unknown'],
  escapes: ['succeeded'],
  'evil-error': ['failed'],
  'evil-refusal': ['stale'],
  'evil-start': never,
  'large-texts': ['succeeded'],
  'large-error': ['failed'],
  'large-refusal': ['stale'],
  'catalogue-too-large': never,
  'schema-64k': ['succeeded'],
  'schema-too-large': never,
  'schema-deep': ['succeeded'],
  'schema-too-deep': never,
  'schema-slow': useless,
  'schema-circular': useless,
  'schema-bomb': useless,
  'schema-elsewhere': never,
  'schema-proto': never,
  // What was shown is no longer what the Tick declares.
  'schema-ever-new': ['stale'],
  'exits-at-start': never,
  'exits-at-describe': never,
  'exits-at-read': never,
  'exits-in-answer': ['unknown'],
  'exits-at-call': ['unknown'],
  'exits-behind-answer': ['succeeded'],
  'lasts-at-end': ['succeeded'],
  'closes-pipes': ['unknown'],
  'stops-reading': ['stale'],
  'never-answers': ['unknown'],
  'wrong-ids': ['succeeded'],
  twice: ['succeeded'],
  late: ['unknown'],
  asks: ['succeeded'],
  'both-answers': ['failed'],
  'neither-answer': ['failed'],
  'odd-error': ['failed'],
  'id-as-text': ['unknown'],
  'not-utf8': ['unknown'],
  nul: ['unknown'],
  'nul-line': ['unknown'],
  'lone-surrogate': ['unknown'],
  'duplicate-keys': ['succeeded'],
  'prototype-keys': ['succeeded'],
  'huge-number': ['unknown'],
  'long-number': ['succeeded'],
  'nested-10000': ['unknown'],
  'nested-500': ['succeeded'],
  batch: ['unknown'],
  'stray-print': ['unknown'],
  'seq-too-large': ['unknown'],
  // It may still be an answer.
  noise: ['succeeded', 'failed', 'unknown'],
};

async function doHarm(name: string, unharmed: Unharmed, salt: number): Promise<void> {
  const { host, operator } = unharmed;
  const expected = harms[name];
  const command: [string, ...string[]] = [process.execPath, program, name, String(salt)];
  const opening = operator.open(command);
  if (expected === never) {
    const refusal = await opening.catch((error: Error) => error);
    expect(refusal, name).toMatchObject({ code: rpcCodes.refused });
    expect((refusal as Error).message.length, name).toBeLessThan(4_000);
    return;
  }
  const { instance } = await opening;
  const agent = await host.agent(`agent of ${name}`);
  const proposal = agent.propose(instance, 'act', { text: `${'a'.repeat(40)}!` });
  if (expected === useless) {
    await expect(proposal, name).rejects.toMatchObject({ code: rpcCodes.invalidParams });
  } else {
    const { call } = await proposal.catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`);
    });
    await unharmed.approve(call).catch((error: { code?: number }) => {
      // It was void before anybody could look.
      if (error.code !== rpcCodes.decided) throw error;
    });
    await until(
      `the call of ${name} has ended`,
      async () => !['waiting', 'approved', 'dispatched'].includes((await agent.status(call)).state),
    );
    const { state } = await agent.status(call);
    expect(expected, `${name} ended ${state}`).toContain(state);
  }
  agent.leave();
  await operator.client.request(operatorApi.close, { instance });
  await operator.client.request(operatorApi.forget, { instance });
}

test(`whatever a Tick does, the rest goes on (seed ${seed}, ${steps} more steps)`, {
  timeout: 240_000,
}, async () => {
  const unharmed = await Unharmed.start({ limits: { callMs: 4_000, queryMs: 4_000 } });
  const next = numbers(seed);
  const names = Object.keys(harms);
  const list = shuffled(names, next);
  for (let step = 0; step < steps; step++) list.push(names[Math.floor(next() * names.length)] as string);
  const failed: string[] = [];
  const worker = async () => {
    for (let name = list.shift(); name !== undefined; name = list.shift()) {
      await doHarm(name, unharmed, Math.floor(next() * 1e9)).catch((error: Error) => {
        failed.push(`${name}: ${error.message}`);
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await unharmed.end(mostGrowth);
  expect(failed).toEqual([]);
});

test('a Tick whose catalogue is ever new and slow is not described all the time', async () => {
  const { operator, agent } = await hostWithPuppet();
  const { instance } = await operator.open([process.execPath, program, 'schema-ever-new']);
  const asked: string[] = [];
  // Each takes a good part of a second of the host's own time.
  for (let count = 0; count < 10; count++) {
    const describe = agent.client.request(agentApi.tickDescribe, { instance });
    asked.push(
      await describe.then(
        () => 'described',
        (error: Error) => error.message,
      ),
    );
  }
  expect(asked.slice(-1)).toEqual([expect.stringMatching(/not described for \d+ s: .* too long to check$/)]);
});
