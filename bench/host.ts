/** What the host costs: at rest, by the Tick, by the call. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { cleanEnvironment, launch } from '../src/launch/index.ts';
import { sessionPaths } from '../src/platform/paths.ts';
import { agentApi, operatorApi } from '../src/rpc/api/index.ts';
import type { Client } from '../src/rpc/client.ts';
import { connect } from '../src/rpc/socket.ts';
import { Session } from '../src/session/index.ts';
import { plainTick } from '../test/support/plain-tick.ts';
import { digits, median, percentile, type Row } from './figures.ts';
import { makePlace } from './multiplexer.ts';

const dist = new URL('../dist/', import.meta.url).pathname;
export const counter = [process.execPath, `${dist}ticks/counter.mjs`];
const noisy = [process.execPath, new URL('./noisy-tick.mjs', import.meta.url).pathname];
const ticks = Number(process.env.BENCH_TICKS ?? 20);
const crowd = Number(process.env.BENCH_CROWD ?? 200);
const restS = Number(process.env.BENCH_REST_S ?? 10);
const calls = Number(process.env.BENCH_CALLS ?? 2_000);
/** Queries under way at a time, where many are asked at once; a Tick takes 256. */
const atOnce = 200;

export interface RunningHost {
  pid: number;
  /** File of the journal. */
  journal: string;
  operator: Client;
  agent: Client;
  /** Connections of their own, hello said. */
  connectOperator(): Promise<Client>;
  connectAgent(): Promise<Client>;
  end(): Promise<void>;
}

export async function startHost(): Promise<RunningHost> {
  const { directory, env } = makePlace();
  const paths = sessionPaths('bench', env);
  const child = spawn(process.execPath, [`${dist}cli.mjs`, '-s', 'bench', 'host'], { env, stdio: 'ignore' });
  const reach = async (path: string): Promise<Client> => {
    for (;;) {
      try {
        return await connect(path);
      } catch {
        await pause(20);
      }
    }
  };
  const connectAgent = async () => {
    const agent = await reach(paths.agentSocket);
    await agent.request(agentApi.hello, { name: 'bench', version: '0' });
    return agent;
  };
  const connectOperator = async () => {
    const operator = await reach(paths.operatorSocket);
    await operator.request(operatorApi.hello, { name: 'bench', version: '0' });
    return operator;
  };
  return {
    pid: child.pid ?? 0,
    journal: paths.journal,
    agent: await connectAgent(),
    operator: await connectOperator(),
    connectOperator,
    connectAgent,
    end: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const open = async (host: RunningHost, command: string[]) =>
  (await host.operator.request(operatorApi.open, { command, cwd: '/', place: { in: 'none' } })).instance;

/** CPU of the host at rest, and its memory by the Tick. */
async function atRest(): Promise<Row[]> {
  const host = await startHost();
  try {
    const empty = residentKb(host.pid);
    for (let count = 0; count < ticks; count++) await open(host, counter);
    await pause(3_000);
    return [
      {
        measure: `CPU of the host with ${ticks} idle Ticks over ${restS} s, %`,
        tickmux: digits(await restingCpu(host.pid)),
      },
      { measure: 'memory of the host, empty, MB', tickmux: digits(empty / 1024) },
      {
        measure: `memory by the Tick, of ${ticks}, MB`,
        tickmux: digits((residentKb(host.pid) - empty) / 1024 / ticks),
      },
    ];
  } finally {
    await host.end();
  }
}

/** Many Ticks opened at once. They are shells, which cost next to nothing: what is left is the host's. */
async function crowded(): Promise<Row[]> {
  const host = await startHost();
  try {
    const spent = await timed(() =>
      Promise.all(Array.from({ length: crowd }, (_, index) => open(host, plainTick(`${index}`)))),
    );
    await pause(3_000);
    return [
      { measure: `opening ${crowd} Ticks, s`, tickmux: digits(spent / 1_000) },
      {
        measure: `CPU of the host with ${crowd} idle Ticks over ${restS} s, %`,
        tickmux: digits(await restingCpu(host.pid)),
      },
      {
        measure: `memory of the host with ${crowd} Ticks, MB`,
        tickmux: digits(residentKb(host.pid) / 1024),
      },
    ];
  } finally {
    await host.end();
  }
}

/** What the way through agent.sock, desk and session adds to a query, against a bare conversation. */
async function byTheCall(): Promise<Row[]> {
  const host = await startHost();
  const [file = '', ...args] = counter;
  const env = { ...cleanEnvironment(process.env), TICKLOOP_INSTANCE_ID: 'bench' };
  const program = await launch({ command: file, args, cwd: '/', env, pipes: true });
  program.terminal.onData(() => {});
  if (!program.stdin || !program.stdout) throw new Error('no pipes');
  const session = new Session({ stdin: program.stdin, stdout: program.stdout });
  try {
    const started = await session.initialize();
    if (!started.ok) throw new Error(started.reason);
    const { revision } = started.descriptor;
    const instance = await open(host, counter);
    const raw: number[] = [];
    const through: number[] = [];
    for (let call = 0; call < calls; call++) {
      raw.push(await timed(() => session.call({ tool: 'history', argsText: '{}', revision })));
      through.push(await timed(() => host.agent.request(agentApi.tickCall, { instance, tool: 'history' })));
    }
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let call = 0; call < calls / atOnce; call++) {
          await host.agent.request(agentApi.tickCall, { instance, tool: 'history' });
        }
      }),
    );
    const perSecond = (calls / (performance.now() - begun)) * 1_000;
    return [
      { measure: 'query on the raw pipe, p50, ms', tickmux: digits(median(raw)) },
      { measure: 'query by TickCall, p50, ms', tickmux: digits(median(through)) },
      { measure: 'query by TickCall, p99, ms', tickmux: digits(percentile(through, 0.99)) },
      { measure: 'added by TickCall, p50, ms', tickmux: digits(median(through) - median(raw)) },
      { measure: 'queries a second, many at once', tickmux: digits(perSecond) },
    ];
  } finally {
    session.dispose();
    await program.terminate();
    program.dispose();
    await host.end();
  }
}

/** Updates a second that the host takes in from a Tick that sends as many as it can. */
async function updates(): Promise<Row[]> {
  const host = await startHost();
  try {
    const instance = await open(host, noisy);
    const count = async () =>
      (await host.operator.request(operatorApi.inspect, { instance })).inspection?.updates ?? 0;
    const before = await count();
    const started = performance.now();
    await pause(3_000);
    const perSecond = (((await count()) - before) / (performance.now() - started)) * 1_000;
    return [{ measure: 'updates a second, absorbed', tickmux: digits(perSecond) }];
  } finally {
    await host.end();
  }
}

export async function hostRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of [atRest, crowded, byTheCall, updates]) {
    rows.push(...(await part()));
    process.stderr.write('.');
  }
  return rows;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

/** Percent of one core over `restS` seconds from now. */
async function restingCpu(pid: number): Promise<number> {
  const before = cpuTicks(pid);
  const started = performance.now();
  await pause(restS * 1_000);
  return ((cpuTicks(pid) - before) * 1_000) / (performance.now() - started);
}

/** User and system time, in hundredths of a second (the kernel's own unit on Linux). */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
