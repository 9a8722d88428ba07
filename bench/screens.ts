/** What a person feels: the echo of a key, a long output, the first picture, a terminal that is resized. */
import { join } from 'node:path';
import { percentile } from './figures.ts';
import { inTurn, type Measured } from './measure.ts';
import { bare, type Multiplexer, makePlace, multiplexers, Running } from './multiplexer.ts';
import { makeOutputs, outputMb } from './outputs.ts';

const keys = Number(process.env.BENCH_KEYS ?? 300);
/** Keys before those that count: what runs for the first time is slow in all of them. */
const warmUpKeys = 20;
const resizes = 100;

/**
 * Marks are single letters of a script in which no escape sequence is written: a multiplexer sends what
 * changed, and only a single character is sure to be sent in one piece. Shells print them from octal, so
 * that the text as typed is not taken for the text as printed.
 */
const ready = { letter: 'Ж', print: "printf '\\320\\226'" };
const flooding = { letter: 'Ю', print: "printf '\\320\\256'" };
const done = { letter: 'Щ', print: "printf '\\320\\251'" };

/** Its only output is the echo of what is typed. */
export const quiet = `${ready.print}; exec cat > /dev/null`;

/** Digits only, so that a letter on the terminal is an echo. */
const flood = `${flooding.print}; read go; while :; do seq 1000000 1002000; done`;

type Neighbour = 'none' | 'seen' | 'hidden';

async function echoes(multiplexer: Multiplexer, neighbour: Neighbour): Promise<number[]> {
  const running = new Running(multiplexer, ['sh', '-c', neighbour === 'none' ? quiet : flood]);
  try {
    if (neighbour !== 'none') {
      await running.arrival(flooding.letter);
      running.write('\r');
      await running.output(100_000);
      running.write(neighbour === 'seen' ? multiplexer.split : multiplexer.window);
      // The new pane's shell reads it when it is there.
      running.write(`${quiet}\r`);
    }
    await running.arrival(ready.letter);
    return (await echoTimes(running, warmUpKeys + keys)).slice(warmUpKeys);
  } finally {
    running.end();
  }
}

/** Milliseconds from each key to its character; what runs in the pane prints nothing else. */
export async function echoTimes(running: Running, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let key = 0; key < count; key++) {
    const letter = String.fromCodePoint(0x3b1 + (key % 17));
    const arrival = running.arrival(letter);
    const pressed = performance.now();
    running.write(letter);
    times.push((await arrival) - pressed);
  }
  return times;
}

/** Milliseconds from the command to the text printed behind the output. */
async function drain(multiplexer: Multiplexer, file: string): Promise<number> {
  const script = `${ready.print}; read go; cat '${file}'; printf '\\033[0m\\033[H'; ${done.print}; read end`;
  const running = new Running(multiplexer, ['sh', '-c', script]);
  try {
    await running.arrival(ready.letter);
    const end = running.arrival(done.letter);
    const started = performance.now();
    running.write('\r');
    return (await end) - started;
  } finally {
    running.end();
  }
}

/** Milliseconds from the command line to what the pane's program printed: cold, and when the session was there before. */
async function firstFrames(multiplexer: Multiplexer): Promise<number[]> {
  const running = new Running(multiplexer, ['sh', '-c', quiet]);
  try {
    const cold = (await running.arrival(ready.letter)) - running.startedAt;
    if (!multiplexer.attach) return [cold];
    const again = running.again();
    try {
      return [cold, (await again.arrival(ready.letter)) - again.startedAt];
    } finally {
      again.leave();
    }
  } finally {
    running.end();
  }
}

/** Milliseconds from the last of many resizes until the program knows its last width and that is on the screen. */
async function storm(multiplexer: Multiplexer): Promise<number> {
  const width = 133;
  const tell = `[ "$(stty size | cut -d ' ' -f 2)" = ${width} ] && ${done.print}`;
  const script = `trap '${tell.replaceAll("'", `'\\''`)}' WINCH; ${ready.print}; while :; do sleep 0.02; done`;
  const running = new Running(multiplexer, ['sh', '-c', script]);
  try {
    await running.arrival(ready.letter);
    for (let n = 0; n < resizes; n++) {
      running.resize(120 + ((n * 7) % 80), 30 + (n % 20));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const settled = running.arrival(done.letter);
    const last = performance.now();
    running.resize(width, 40);
    return (await settled) - last;
  } finally {
    running.end();
  }
}

export async function screenMeasures(): Promise<Measured[]> {
  const all = multiplexers();
  const measured: Measured[] = [];
  for (const [neighbour, words] of [
    ['none', 'idle'],
    ['seen', 'beside a flood'],
    ['hidden', 'a flood out of sight'],
  ] as const) {
    const labels = ['p50', 'p99'].map((share) => `echo, ${words}, ms, ${share}`);
    measured.push(
      ...(await inTurn(neighbour === 'none' ? [bare, ...all] : all, labels, async (multiplexer) => {
        const times = await echoes(multiplexer, neighbour);
        return [percentile(times, 0.5), percentile(times, 0.99)];
      })),
    );
  }
  const { directory } = makePlace();
  for (const [name, file] of Object.entries(makeOutputs(join(directory, 'outputs')))) {
    const label = `drain of ${outputMb} MB, ${name}, ms`;
    measured.push(...(await inTurn([bare, ...all], [label], async (m) => [await drain(m, file)])));
  }
  const labels = ['cold', 'warm'].map((how) => `first frame, ${how}, one shell pane, ms`);
  measured.push(...(await inTurn(all, labels, firstFrames)));
  const label = `${resizes} resizes, until the last one is on the screen, ms`;
  measured.push(...(await inTurn(all, [label], async (m) => [await storm(m)])));
  return measured;
}
