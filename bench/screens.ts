/** What a person feels: the echo of a key, a long output, the first picture. Side by side with tmux. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digits, median, percentile, type Row } from './figures.ts';
import { bare, type Multiplexer, makePlace, multiplexers, Running } from './multiplexer.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const keys = Number(process.env.BENCH_KEYS ?? 300);
/** Keys before those that count: what runs for the first time is slow in all of them. */
const warmUpKeys = 20;
const drainBytes = Number(process.env.BENCH_DRAIN_MB ?? 20) * 1024 * 1024;

/**
 * Marks are single letters of a script in which no escape sequence is written: a multiplexer sends what
 * changed, and only a single character is sure to be sent in one piece. Shells print them from octal, so
 * that the text as typed is not taken for the text as printed.
 */
const ready = { letter: 'Ж', print: "printf '\\320\\226'" };
const flooding = { letter: 'Ю', print: "printf '\\320\\256'" };
const done = { letter: 'Щ', print: "printf '\\320\\251'" };

/** Its only output is the echo of what is typed. */
const quiet = `${ready.print}; exec cat > /dev/null`;

/** Digits only, so that a letter on the terminal is an echo. */
const flood = `${flooding.print}; read go; while :; do seq 1000000 1002000; done`;

async function echoes(multiplexer: Multiplexer, beside: boolean): Promise<number[]> {
  const running = new Running(multiplexer, ['sh', '-c', beside ? flood : quiet]);
  try {
    if (beside) {
      await running.arrival(flooding.letter);
      running.write('\r');
      await running.output(100_000);
      running.write(multiplexer.split);
      // The new pane's shell reads it when it is there.
      running.write(`${quiet}\r`);
    }
    await running.arrival(ready.letter);
    const times: number[] = [];
    for (let key = 0; key < warmUpKeys + keys; key++) {
      const letter = String.fromCodePoint(0x3b1 + (key % 17));
      const arrival = running.arrival(letter);
      const pressed = performance.now();
      running.write(letter);
      times.push((await arrival) - pressed);
    }
    return times.slice(warmUpKeys);
  } finally {
    running.end();
  }
}

/** Milliseconds from the command to the text printed behind the output. */
async function drain(multiplexer: Multiplexer, file: string): Promise<number> {
  const running = new Running(multiplexer, [
    'sh',
    '-c',
    `${ready.print}; read go; cat '${file}'; ${done.print}; read end`,
  ]);
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

/** Milliseconds from the command line to what the pane's program printed: `warm` when the session was there before. */
async function firstFrame(multiplexer: Multiplexer, warm: boolean): Promise<number> {
  const running = new Running(multiplexer, ['sh', '-c', quiet]);
  try {
    const arrived = await running.arrival(ready.letter);
    if (!warm) return arrived - running.startedAt;
    const again = running.again();
    try {
      return (await again.arrival(ready.letter)) - again.startedAt;
    } finally {
      again.leave();
    }
  } finally {
    running.end();
  }
}

/** Each multiplexer in turn, several times over, so that a drift of the machine meets all of them. */
async function inTurn(
  what: string,
  all: Multiplexer[],
  one: (m: Multiplexer) => Promise<number[]>,
  shares: number[],
) {
  const found = new Map<string, number[][]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const multiplexer of all) {
      const values = await one(multiplexer).catch((error: Error) => {
        // Now and then a character is swallowed while a shell starts: that tells nothing of speed.
        process.stderr.write(`\n${error.message.slice(0, 80)}; measured again.\n`);
        return one(multiplexer);
      });
      found.get(multiplexer.name)?.push(values);
    }
  }
  const of = (name: string, share: number) =>
    median((found.get(name) ?? []).map((values) => percentile(values, share)));
  return shares.map((share): Row => {
    const label = shares.length > 1 ? `${what}, p${share * 100}` : what;
    const row: Row = { measure: label };
    for (const { name } of all) row[name] = digits(of(name, share));
    if (all.some(({ name }) => name === 'tmux'))
      row['tickmux / tmux'] = digits(of('tickmux', share) / of('tmux', share));
    return row;
  });
}

function makeFiles(directory: string): Record<string, string> {
  mkdirSync(directory, { recursive: true });
  const make = (name: string, line: (n: number) => string) => {
    const lines: string[] = [];
    for (let size = 0, n = 0; size < drainBytes; n++) {
      const text = line(n);
      lines.push(text);
      size += Buffer.byteLength(text);
    }
    const path = join(directory, name);
    writeFileSync(path, lines.join(''));
    return path;
  };
  return {
    plain: make('plain', (n) => `${n} The quick brown fox jumps over the lazy dog, again and again.\n`),
    coloured: make(
      'coloured',
      (n) =>
        `\x1b[3${n % 8}m${n}\x1b[0m \x1b[1;38;5;${n % 256}mquick\x1b[0m \x1b[48;2;${n % 256};20;90mfox\x1b[0m\n`,
    ),
  };
}

export async function screenRows(): Promise<Row[]> {
  const all = multiplexers();
  const { directory } = makePlace();
  const files = makeFiles(directory);
  const rows: Row[] = [];
  const add = async (row: Promise<Row[]>) => {
    rows.push(...(await row));
    process.stderr.write('.');
  };
  await add(inTurn('echo, idle, ms', [bare, ...all], (m) => echoes(m, false), [0.5, 0.99]));
  await add(inTurn('echo, beside a flood, ms', all, (m) => echoes(m, true), [0.5, 0.99]));
  for (const [name, file] of Object.entries(files)) {
    await add(
      inTurn(
        `drain of ${drainBytes >> 20} MB, ${name}, ms`,
        [bare, ...all],
        async (m) => [await drain(m, file)],
        [0.5],
      ),
    );
  }
  for (const warm of [false, true]) {
    const label = `first frame, ${warm ? 'warm' : 'cold'}, one shell pane, ms`;
    await add(inTurn(label, all, async (m) => [await firstFrame(m, warm)], [0.5]));
  }
  return rows;
}
