/**
 * `npm run soak`: one host under mixed work for SOAK_S seconds (180). Prints what it holds over time, and at the end
 * whether that grew: exits with 1 when memory grew beyond the bound, or anything was left behind.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { agentApi, operatorApi } from '../src/rpc/api/index.ts';
import { type Client, ConnectionEnded } from '../src/rpc/client.ts';
import { holdingsOf, residentBytes } from '../test/support/holdings.ts';
import { plainTick } from '../test/support/plain-tick.ts';
import { median, type Row, table } from './figures.ts';
import { counter, type RunningHost, startHost } from './host.ts';

const seconds = Number(process.env.SOAK_S ?? 180);
const samples = 18;
/** The first part of the time, in which caches fill and code is compiled. */
const warmUp = 1 / 3;
/** Most megabytes by which the median of the last third may be above that of the second. */
const mostGrowthMb = 24;

const megabyte = 1024 * 1024;
const env = { PATH: process.env.PATH ?? '', SHELL: '/bin/sh' };

interface Sample {
  at: number;
  rounds: number;
  calls: number;
  resident: number;
  descriptors: number;
  threads: number;
  children: number;
  journal: number;
}

/** What was done so far. */
const done = { rounds: 0, calls: 0 };

/** Programs, calls, views, floods and agents that come and go; nothing is left of it. */
async function round(host: RunningHost): Promise<void> {
  const { operator } = host;
  const open = (command: string[], shell = false) =>
    operator.request(operatorApi.open, { command, shell, cwd: '/', env, place: { in: 'none' } });
  const flood = ['sh', '-c', 'seq 1 40000; printf "\\033[2J\\033]2;title\\007"; seq 1 1000; exec cat'];
  const opened = await Promise.all([
    ...['one', 'two', 'three', 'four'].map((name) => open(plainTick(name))),
    open(flood, true),
    open(['sh'], true),
    ...(done.rounds % 8 === 0 ? [open(counter)] : []),
  ]);
  const ids = opened.map(({ instance }) => instance);
  const view = await attach(host, ids);
  await Promise.all(ids.slice(0, 4).map((id) => work(host, id)));
  view.notify(operatorApi.show, {
    panes: ids.map((instance) => ({ instance, cols: 40 + (done.rounds % 60), rows: 20 })),
    focused: null,
  });
  for (const id of ids.slice(4, 6))
    await operator.request(operatorApi.typeText, { instance: id, text: 'echo\r' });
  await view.request(operatorApi.picture, {});
  view.close();
  await Promise.all(
    ids.map(async (instance) => {
      await operator.request(operatorApi.close, { instance });
      await operator.request(operatorApi.forget, { instance });
    }),
  );
  done.rounds++;
}

/** Attaches a view that shows everything and takes every frame. */
async function attach(host: RunningHost, ids: readonly string[]): Promise<Client> {
  const view = await host.connectOperator();
  view.on(operatorApi.frame, ({ instance, frame }) =>
    view.notify(operatorApi.acknowledge, { instance, generation: frame.generation }),
  );
  await view.request(operatorApi.attach, { cols: 120, rows: 40, cwd: '/', env: {} });
  const panes = ids.map((instance) => ({ instance, cols: 100, rows: 30 }));
  view.notify(operatorApi.show, { panes, focused: ids[0] ?? null });
  return view;
}

/** An agent asks, subscribes, and proposes calls: approved, denied, and given up as it leaves. */
async function work(host: RunningHost, instance: string): Promise<void> {
  const agent = await host.connectAgent();
  await agent.request(agentApi.tickManage, { action: 'subscribe', instance, interval_ms: 0 });
  await agent.request(agentApi.tickDescribe, { instance });
  for (let count = 0; count < 20; count++) await agent.request(agentApi.tickCall, { instance, tool: 'name' });
  for (const decision of ['approve', 'approve', 'approve', 'deny'] as const) {
    const proposal = { instance, tool: 'set', arguments: { n: done.calls++ }, wait: false };
    const { call = '' } = await agent.request(agentApi.tickCall, proposal);
    const { summary } = await host.operator.request(operatorApi.showApproval, { call });
    await host.operator.request(operatorApi.decide, { call, digest: summary.digest, decision });
    await agent.request(agentApi.tickCallStatus, { call, wait_ms: 10_000 });
  }
  done.calls++;
  const left = agent.request(agentApi.tickCall, { instance, tool: 'set', arguments: { n: done.calls } });
  agent.close();
  await left.catch((error: unknown) => {
    if (!(error instanceof ConnectionEnded)) throw error;
  });
}

function sampleOf(host: RunningHost, began: number): Sample {
  const { descriptors, threads, children } = holdingsOf(host.pid);
  const directory = dirname(host.journal);
  const journals = existsSync(directory)
    ? readdirSync(directory).filter((name) => name.startsWith('journal'))
    : [];
  return {
    at: (performance.now() - began) / 1_000,
    ...done,
    resident: residentBytes(host.pid),
    descriptors: Object.values(descriptors).reduce((sum, count) => sum + count, 0),
    threads,
    children: children.length,
    journal: journals.reduce((sum, name) => sum + statSync(`${directory}/${name}`).size, 0),
  };
}

function rowOf({ at, rounds, calls, resident, descriptors, threads, children, journal }: Sample): Row {
  return {
    s: at.toFixed(0),
    rounds: String(rounds),
    calls: String(calls),
    'memory, MB': (resident / megabyte).toFixed(1),
    descriptors: String(descriptors),
    threads: String(threads),
    children: String(children),
    'journal, KB': (journal / 1024).toFixed(0),
  };
}

/** Waits for what ends a moment later, such as the making of pipes. */
async function settled(host: RunningHost, began: number, before: Sample): Promise<Sample> {
  for (let tries = 0; ; tries++) {
    const sample = sampleOf(host, began);
    const back = sample.descriptors <= before.descriptors && sample.children <= before.children;
    if (back || tries === 100) return sample;
    await pause(50);
  }
}

function verdict(before: Sample, taken: readonly Sample[], last: Sample): { text: string; good: boolean } {
  const memory = (from: number, to: number) =>
    median(
      taken.filter(({ at }) => at >= from * seconds && at < to * seconds).map(({ resident }) => resident),
    );
  const growth = (memory(2 / 3, 2) - memory(warmUp, 2 / 3)) / megabyte;
  const perCall = (last.journal - before.journal) / Math.max(1, last.calls - before.calls);
  const left = [
    ...(last.descriptors > before.descriptors
      ? [`${last.descriptors - before.descriptors} descriptors`]
      : []),
    ...(last.children > before.children ? [`${last.children - before.children} children`] : []),
  ];
  const lines = [
    growth > mostGrowthMb
      ? `Memory grew by ${growth.toFixed(1)} MB from the second third to the last; ${mostGrowthMb} are allowed.`
      : `Memory is flat: ${growth.toFixed(1)} MB from the second third to the last (${mostGrowthMb} are allowed).`,
    left.length > 0
      ? `Left behind: ${left.join(', ')}.`
      : 'Descriptors and children are back where they were.',
    `The journal grew by ${perCall.toFixed(0)} bytes a call, as it must: it records each one.`,
  ];
  return { text: lines.join('\n'), good: growth <= mostGrowthMb && left.length === 0 };
}

const host = await startHost();
const began = performance.now();
await host.operator.request(operatorApi.attach, { cols: 120, rows: 40, cwd: '/', env: {} });
// What is opened once and kept, such as the stock of pipes.
await round(host);
const before = sampleOf(host, began);
const taken: Sample[] = [];
while (performance.now() - began < seconds * 1_000) {
  await round(host);
  const sample = sampleOf(host, began);
  if (sample.at < ((taken.length + 1) * seconds) / samples) continue;
  taken.push(sample);
  process.stderr.write('.');
}
const last = await settled(host, began, before);
await host.end();
const { text, good } = verdict(before, taken, last);
process.stdout.write(`\n${table([before, ...taken, last].map(rowOf))}\n\n${text}\n`);
process.exit(good ? 0 : 1);
