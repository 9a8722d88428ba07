/** What panes cost while they draw, while they rest, and when a terminal comes to many of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTurn, type Measured } from './measure.ts';
import { historyLines, type Multiplexer, makePlace, multiplexers, Running } from './multiplexer.ts';
import { quiet } from './screens.ts';

const watchedMs = Number(process.env.BENCH_WATCH_S ?? 5) * 1_000;
const counts = (process.env.BENCH_PANES ?? '1,20,100').split(',').map(Number);
/** Panes with a full history, to which a terminal comes. */
const fullPanes = 20;

/** Draws its whole terminal 60 times a second, from pictures made before. Python, so that it is told from Node. */
const redraw = `import os, sys, time
cols, rows = os.get_terminal_size(1)
pictures = []
for n in range(30):
    rows_of = ['\\x1b[%d;1H\\x1b[3%dm%s' % (r + 1, (n + r) % 8, ('%d ' % (n * r) * cols)[:cols - 1]) for r in range(rows)]
    pictures.append(''.join(rows_of).encode())
os.write(1, b'\\xd0\\x96')
time.sleep(1)
at = time.monotonic()
n = 0
while True:
    os.write(1, pictures[n % 30])
    n += 1
    at += 1 / 60
    time.sleep(max(0, at - time.monotonic()))
`;

const ready = 'Ж';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** CPU in percent of one core, and KB written to the terminal a second. */
async function drawing(
  multiplexer: Multiplexer,
  panes: number,
  script: string,
): Promise<number[] | undefined> {
  if (panes > 1 && !multiplexer.even) return undefined;
  const running = new Running(multiplexer, ['sh', '-c', quiet]);
  try {
    await running.arrival(ready);
    // The first pane shows nothing, so that every drawing one is started in the room it will have.
    for (let pane = 0; pane < panes; pane++) {
      running.write(multiplexer.split);
      if (multiplexer.even) running.write(multiplexer.even);
      await pause(700);
      const drawn = running.arrival(ready);
      running.write(`exec python3 ${script}\r`);
      await drawn;
    }
    await pause(1_000);
    const [before, written, started] = [running.cost().cpuMs, running.characters, performance.now()];
    await pause(watchedMs);
    const seconds = (performance.now() - started) / 1_000;
    return [(running.cost().cpuMs - before) / seconds / 10, (running.characters - written) / seconds / 1_000];
  } finally {
    running.end();
  }
}

/** CPU in percent while nothing happens, and MB by the pane beyond the first. */
async function resting(multiplexer: Multiplexer, panes: number): Promise<number[] | undefined> {
  if (!multiplexer.open) return undefined;
  const running = new Running(multiplexer, ['sh', '-c', quiet]);
  try {
    await running.arrival(ready);
    await pause(1_000);
    const one = running.cost().memoryMb;
    for (let pane = 1; pane < panes; pane++) running.open(['sh', '-c', quiet]);
    await pause(2_000);
    const before = running.cost();
    await pause(watchedMs);
    const idle = (running.cost().cpuMs - before.cpuMs) / (watchedMs / 100);
    return panes === 1 ? [idle] : [idle, (before.memoryMb - one) / (panes - 1)];
  } finally {
    running.end();
  }
}

/** MB by the pane whose history is full, and milliseconds until a terminal that comes to them shows one. */
async function full(multiplexer: Multiplexer): Promise<number[] | undefined> {
  if (!multiplexer.open || !multiplexer.attach) return undefined;
  const line = 'x'.repeat(110);
  const fill = `seq -f '%08g ${line}' 1 ${historyLines + 100}; ${quiet}`;
  const running = new Running(multiplexer, ['sh', '-c', quiet]);
  try {
    await running.arrival(ready);
    await pause(1_000);
    const one = running.cost().memoryMb;
    for (let pane = 1; pane < fullPanes; pane++) running.open(['sh', '-c', fill]);
    await pause(4_000);
    const memory = (running.cost().memoryMb - one) / (fullPanes - 1);
    const again = running.again();
    try {
      return [memory, (await again.arrival(ready)) - again.startedAt];
    } finally {
      again.leave();
    }
  } finally {
    running.end();
  }
}

export async function paneMeasures(): Promise<Measured[]> {
  const all = multiplexers();
  const script = join(makePlace().directory, 'redraw.py');
  writeFileSync(script, redraw);
  const measured: Measured[] = [];
  for (const panes of [1, 4, 9]) {
    const words = `${panes} ${panes === 1 ? 'pane draws' : 'panes draw'} at 60 Hz`;
    const labels = [`${words}, CPU, %`, `${words}, to the terminal, KB/s`];
    measured.push(...(await inTurn(all, labels, (multiplexer) => drawing(multiplexer, panes, script))));
  }
  for (const panes of counts) {
    const labels = [`${panes} idle ${panes === 1 ? 'pane' : 'panes'}, CPU, %`];
    if (panes > 1) labels.push(`an empty pane, of ${panes}, MB`);
    measured.push(...(await inTurn(all, labels, (multiplexer) => resting(multiplexer, panes))));
  }
  const labels = [
    `a pane with ${historyLines} lines of 120 columns, MB`,
    `a terminal comes to ${fullPanes} such panes, ms`,
  ];
  measured.push(...(await inTurn(all, labels, full)));
  return measured;
}
