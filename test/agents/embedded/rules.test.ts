// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of playbooks look like this
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPlaybook } from '../../../src/agents/embedded/read-playbook.ts';
import { type RulesDriver, type RulesLogEntry, startRules } from '../../../src/agents/embedded/rules.ts';
import { RpcError, rpcCodes } from '../../../src/rpc/api/errors.ts';
import { operatorApi } from '../../../src/rpc/api/index.ts';
import { FakeHost } from './fake-host.ts';
import { messagesArrive, TestClock } from './test-clock.ts';

let host: FakeHost;
let clock: TestClock;
let log: RulesLogEntry[];
let driver: RulesDriver;

beforeEach(() => {
  host = new FakeHost();
  clock = new TestClock();
  log = [];
});
afterEach(() => driver.stop());

function start(playbook: object): void {
  const read = readPlaybook(JSON.stringify(playbook));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  driver = startRules({
    client: host.client,
    playbook: read.playbook,
    version: '1.2',
    clock,
    log: (e) => log.push(e),
  });
}

const buy = {
  name: 'buy',
  kind: 'market',
  when: { path: '/spread', above: 0.08 },
  tool: 'place_order',
  arguments: { side: 'buy', price: { $state: '/bid', plus: 0.01, round: 2 } },
  reason: 'the spread is ${/spread}',
  cooldown_s: 60,
};
const wide = { spread: 0.1, bid: 101.2 };
const narrow = { spread: 0.02, bid: 101.2 };
const said = () => log.map((entry) => entry.text).join('\n');

describe('the rules driver', () => {
  it('says hello and proposes with arguments and words taken from the state', async () => {
    host.open('hosted:1', 'market', wide);
    start({ start_after_s: 6, rules: [buy] });
    await clock.advance(5_999);
    expect(host.greeting).toEqual({ name: 'rules loop', version: '1.2' });
    expect(host.proposals).toHaveLength(0);
    await clock.advance(1);
    expect(host.proposals).toMatchObject([
      {
        instance: 'hosted:1',
        tool: 'place_order',
        arguments: { side: 'buy', price: 101.21 },
        reason: 'the spread is 0.1',
        wait: true,
      },
    ]);
  });

  it('proposes nothing more while its call waits, and then not before its cooldown', async () => {
    host.open('hosted:1', 'market', wide);
    start({ rules: [buy] });
    await clock.advance(600_000);
    expect(host.proposals).toHaveLength(1);
    host.proposals[0]?.settle({ state: 'succeeded' });
    await clock.advance(59_000);
    expect(host.proposals).toHaveLength(1);
    await clock.advance(1_500);
    expect(host.proposals).toHaveLength(2);
  });

  it('follows updates, and what they no longer justify is not proposed', async () => {
    host.open('hosted:1', 'market', narrow);
    start({ rules: [buy] });
    await clock.advance(10_000);
    expect(host.proposals).toHaveLength(0);
    host.update('hosted:1', wide);
    await messagesArrive();
    expect(host.proposals).toHaveLength(1);
    host.proposals[0]?.settle({ state: 'succeeded' });
    host.update('hosted:1', narrow);
    await clock.advance(600_000);
    expect(host.proposals).toHaveLength(1);
  });

  it.each([
    [{ state: 'denied', words: 'not now' } as const, 'ended as denied: not now'],
    [{ state: 'stale', words: 'the catalogue changed' } as const, 'ended as stale: the catalogue changed'],
    [
      { state: 'failed', error: { message: 'the market is closed' } } as const,
      'ended as failed: the market is closed',
    ],
  ])('logs %j and backs off', async (report, words) => {
    host.open('hosted:1', 'market', wide);
    start({ rules: [buy] });
    await clock.advance(0);
    host.proposals[0]?.settle(report);
    await clock.advance(59_000);
    expect(said()).toContain(words);
    expect(host.proposals).toHaveLength(1);
    await clock.advance(2_000);
    expect(host.proposals).toHaveLength(2);
  });

  it('logs a refusal and backs off', async () => {
    host.open('hosted:1', 'market', wide);
    start({ rules: [buy] });
    await clock.advance(0);
    host.proposals[0]?.refuse(new RpcError('invalidParams', 'price: must be at most 100'));
    await clock.advance(59_000);
    expect(said()).toContain('refused: price: must be at most 100');
    expect(host.proposals).toHaveLength(1);
    await clock.advance(2_000);
    expect(host.proposals).toHaveLength(2);
  });

  it('never repeats a call of which nobody knows how it ended, until the program is restarted', async () => {
    host.open('hosted:1', 'market', wide);
    start({ rules: [buy] });
    await clock.advance(0);
    host.proposals[0]?.settle({ state: 'unknown', words: 'no answer in 60 s' });
    await clock.advance(600_000);
    expect(host.proposals).toHaveLength(1);
    host.end('hosted:1');
    host.open('hosted:1', 'market', wide);
    await clock.advance(10_000);
    expect(host.proposals).toHaveLength(2);
  });

  it('keeps the pace over all rules and lets each have its turn', async () => {
    host.open('hosted:1', 'market', wide);
    const always = { ...buy, cooldown_s: 1 };
    start({
      pace_s: 25,
      rules: [
        { ...always, tool: 'first' },
        { ...always, tool: 'second' },
      ],
    });
    const tools: string[] = [];
    for (let round = 0; round < 4; round++) {
      await clock.advance(25_000);
      expect(host.proposals.length - tools.length).toBeLessThanOrEqual(round === 0 ? 2 : 1);
      for (const proposal of host.proposals.slice(tools.length)) {
        proposal.settle({ state: 'succeeded' });
        tools.push(proposal.tool);
      }
    }
    expect(tools.slice(0, 4)).toEqual(['first', 'second', 'first', 'second']);
  });

  it('joins instances of the kind that start later, and each has its own cooldown', async () => {
    host.open('hosted:1', 'counter', wide);
    host.open('hosted:2', 'market', wide, 'starting');
    start({ rules: [buy] });
    await clock.advance(5_000);
    expect(host.subscribed.size).toBe(0);
    host.open('hosted:2', 'market', wide);
    host.open('hosted:3', 'market', wide);
    await clock.advance(2_000);
    expect([...host.subscribed]).toEqual(['hosted:2', 'hosted:3']);
    expect(host.proposals.map((proposal) => proposal.instance)).toEqual(['hosted:2', 'hosted:3']);
  });

  it('forgets an instance that ended', async () => {
    host.open('hosted:1', 'market', narrow);
    start({ rules: [{ ...buy, kind: undefined, instance: 'hosted:1' }] });
    await clock.advance(1_000);
    host.end('hosted:1');
    await clock.advance(60_000);
    expect(said()).toContain('no longer follows hosted:1: it exited with 0.');
    expect(host.proposals).toHaveLength(0);
  });

  it('takes a change for one until it has proposed, whenever it happened', async () => {
    const onChange = { ...buy, when: { path: '/orders', changes: true } };
    host.open('hosted:1', 'market', { ...wide, orders: [1] });
    start({ rules: [onChange] });
    await clock.advance(100_000);
    expect(host.proposals).toHaveLength(0);
    host.update('hosted:1', { ...wide, orders: [1, 2] });
    await messagesArrive();
    expect(host.proposals).toHaveLength(1);
    host.update('hosted:1', { ...wide, orders: [] });
    host.proposals[0]?.settle({ state: 'succeeded' });
    await clock.advance(60_000);
    expect(host.proposals).toHaveLength(2);
    host.proposals[1]?.settle({ state: 'denied' });
    await clock.advance(600_000);
    expect(host.proposals).toHaveLength(2);
  });

  it('says once why a rule that holds cannot propose', async () => {
    host.open('hosted:1', 'market', { spread: 1 });
    start({ rules: [buy] });
    await clock.advance(30_000);
    host.update('hosted:1', { spread: 2 });
    await clock.advance(30_000);
    const troubles = log.filter((entry) => entry.level === 'warn');
    expect(troubles.map((entry) => entry.text)).toEqual([
      'buy cannot propose place_order on hosted:1: the state has no /bid.',
    ]);
  });

  it('says once that the host refuses, goes on trying, and tells when it no longer does', async () => {
    host.open('hosted:1', 'market', wide);
    start({ rules: [{ ...buy, tool: 'place_ordre' }] });
    for (let tries = 1; tries <= 5; tries++) {
      await clock.advance(61_000);
      expect(host.proposals).toHaveLength(tries);
      host.proposals[tries - 1]?.refuse(new RpcError('notFound', 'hosted:1 has no tool "place_ordre".'));
    }
    await clock.advance(61_000);
    expect(said().match(/has no tool/g)).toHaveLength(1);
    expect(said().match(/Proposed/g)).toHaveLength(1);
    expect(said()).toContain('It will be tried every 60 s, and not be told again.');
    host.proposals[5]?.settle({ state: 'succeeded' });
    await clock.advance(1);
    expect(said()).toContain('place_ordre on hosted:1 (buy) succeeded.');
    await clock.advance(61_000);
    expect(said().match(/Proposed/g)).toHaveLength(2);
  });

  it('says once what a rule looks at and the state does not have', async () => {
    host.open('hosted:1', 'market', wide);
    const when = [
      { path: '/spraed', above: 1 },
      { path: '/note', exists: false },
    ];
    start({ rules: [{ ...buy, when }] });
    await clock.advance(10_000);
    host.update('hosted:1', narrow);
    await clock.advance(10_000);
    host.end('hosted:1');
    await clock.advance(10_000);
    host.open('hosted:1', 'market', wide);
    await clock.advance(10_000);
    expect(said().match(/buy waits for \/spraed, which the state of hosted:1 does not have/g)).toHaveLength(
      1,
    );
    expect(said()).not.toContain('/note');
  });

  it('cannot decide: its socket knows no such request', async () => {
    host.open('hosted:1', 'market', wide);
    start({ rules: [buy] });
    await clock.advance(0);
    const digest = 'a'.repeat(64);
    const attempt = host.client.request(operatorApi.decide, { call: 'call:1', digest, decision: 'approve' });
    await expect(attempt).rejects.toMatchObject({ code: rpcCodes.unknownMethod });
    expect(host.proposals).toMatchObject([{ withdrawn: false }]);
  });

  it('withdraws what waits and leaves nothing behind when stopped', async () => {
    host.open('hosted:1', 'market', wide);
    start({ rules: [buy] });
    await clock.advance(0);
    driver.stop();
    await driver.ended;
    await messagesArrive();
    expect(host.closed).toBe(true);
    expect(host.proposals).toMatchObject([{ withdrawn: true }]);
    expect(clock.pending).toBe(0);
    expect(said()).not.toContain('ended');
  });

  it('ends, and says so, when the host is gone', async () => {
    host.open('hosted:1', 'market', wide);
    start({ rules: [buy] });
    await clock.advance(0);
    host.hangUp();
    await driver.ended;
    expect(said()).toContain('its connection to the host is gone');
    await messagesArrive();
    expect(clock.pending).toBe(0);
  });
});
