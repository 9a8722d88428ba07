import { expect, test } from 'vitest';
import { panesOf } from '../../src/tui/panes/geometry.ts';
import { FakeHost } from '../support/fake-host.ts';
import { numbers } from '../support/numbers.ts';
import { TuiBench } from '../support/tui-bench.ts';

/** More of both for a longer run by hand. */
const steps = Number(process.env.MONKEY_STEPS ?? 250);
const seed = Number(process.env.MONKEY_SEED ?? 20_261_130);

const prefix = '\x02';
const named = [
  '\x1b[A',
  '\x1b[B',
  '\x1b[C',
  '\x1b[D',
  '\x1b[5~',
  '\x1b[6~',
  '\x1b[H',
  '\x1b[F',
  '\t',
  '\r',
  '\x7f',
  '\x1b',
];
// Neither `d` nor `C-z` behind the prefix: leaving is tested elsewhere.
const behindPrefix = [
  ...'?aaaaaaiizzohjkl123np,wxXR:%"cv-HJKLHJKL==br[[[]]',
  '\x0c',
  '\x1b[A',
  '\x1b[B',
  '\x1b[C',
  '\x1b[D',
  '?',
  prefix,
];
const letters = [...'yynNeabcs qG g/=+1;0 hjklHJKLvV?w{}'];

/** Text that would decide or leave if it were typed, that is long, and that breaks off. */
const pastes = [
  'y',
  'n',
  'yes\ry',
  '\x1b[A',
  'y\n'.repeat(500),
  '漢字👩‍👩‍👧',
  '\x1b[200~y',
  `${prefix}d`,
  '\x03\x1a\0',
];
/** Shift, meta, control with the mouse. */
const modifiers = [0, 0, 0, 4, 8, 16];

function monkey(next: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const upTo = (end: number) => Math.floor(next() * end);
  const mouse = (buttons: readonly number[]) =>
    `\x1b[<${pick(buttons) + pick(modifiers)};${1 + upTo(190)};${1 + upTo(55)}${pick(['M', 'm'])}`;
  /** What a person does, in a hurry or not, and how often. */
  const habits: [weight: number, act: () => string[]][] = [
    [
      12,
      () => [
        '\x1b',
        '\x1b',
        prefix,
        'a',
        ...Array.from({ length: 2 + upTo(8) }, () => '\x1b[6~'),
        pick(['y', 'n']),
      ],
    ],
    [4, () => [prefix, 'r', ...Array.from({ length: upTo(6) }, () => pick([...'hjklHJKL='])), 'q']],
    [18, () => [prefix, pick(behindPrefix)]],
    [35, () => [pick(letters)]],
    [20, () => [pick(named)]],
    [5, () => [`\x1b[200~${pick(pastes)}\x1b[201~`]],
    [5, () => hand.drag()],
    [3, () => [mouse([0, 1, 2, 3, 32, 33, 35])]],
    [2, () => Array.from({ length: 1 + upTo(8) }, () => mouse([64, 65, 66, 67]))],
    [2, () => [pick(['\x1b[I', '\x1b[O'])]],
  ];
  const hand = {
    pick,
    upTo,
    /** One of the habits, as often as it weighs. */
    keys(): string[] {
      let left = next() * habits.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, act] of habits) {
        left -= weight;
        if (left < 0) return act();
      }
      return [];
    },
    /** Begins where the first border is, or anywhere, and now and then never ends. */
    drag(): string[] {
      const at = (from = 1, columns = 130) => `${from + upTo(columns)};${1 + upTo(34)}`;
      const moves = Array.from({ length: upTo(6) }, () => `\x1b[<32;${at()}M`);
      const start = upTo(2) === 0 ? at(41, 4) : at();
      return [`\x1b[<0;${start}M`, ...moves, ...(upTo(5) === 0 ? [] : [`\x1b[<0;${at()}m`])];
    },
    output(): string {
      const text = pick([
        'hello ',
        '漢字',
        '\x1b[31mred\x1b[0m',
        '\r\n',
        '\x1b[2J\x1b[H',
        '👩‍👩‍👧',
        '\x1b[10;5H#',
        '\x1b[7m \x1b[27m',
      ]);
      return text.repeat(1 + upTo(20));
    },
  };
  return hand;
}

async function startScene() {
  const host = new FakeHost();
  host.instance('hosted:1', 'Counter');
  host.instance('hosted:2', 'Market');
  host.instance('shell:3', 'bash', { status: 'ended', ended: 'exited with code 1' });
  host.tab('one', {
    type: 'split',
    axis: 'columns',
    weights: [1, 1],
    children: [
      { type: 'pane', pane: 'pane:1', instance: 'hosted:1' },
      { type: 'pane', pane: 'pane:2', instance: 'hosted:2' },
    ],
  });
  host.tab('two', { type: 'pane', pane: 'pane:3', instance: 'shell:3' });
  const bench = await TuiBench.start(host, 130, 34);
  // What is written to a terminal takes a turn to have its effect.
  const modesBefore = bench.terminal.modes;
  await bench.sees('Counter');
  return { host, bench, modesBefore };
}

test(`whatever is pressed, nothing is decided without its key (seed ${seed}, ${steps} steps)`, {
  timeout: 300_000,
}, async () => {
  const { host, bench, modesBefore } = await startScene();
  const hand = monkey(numbers(seed));
  let calls = 0;
  let approvals = 0;
  // Everything asked for so far is drawn: a few turns of the loop, in which frames come and go.
  const settle = async () => {
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
    // The emulator must not change its size while it has output to parse.
    await new Promise<void>((resolve) => bench.terminal.emulator.write('', resolve));
  };
  /** A full repaint, as after a suspension, shows what many differences had drawn. */
  const repaint = async () => {
    const letAgesGoOn = bench.clock.hold();
    // Whatever age was drawn a moment ago is drawn as it is now.
    host.publish();
    const still = () => bench.text.replace(/ +$/gm, '');
    // What was painted may itself change what is shown: rows of a card count as seen only then.
    for (let turns = 0, before = ''; turns < 5; turns++) {
      await settle();
      if (still() !== before) turns = 0;
      before = still();
    }
    const drawn = still();
    bench.terminal.suspend();
    bench.terminal.emulator.reset();
    bench.terminal.resume();
    await settle();
    await bench.until(() => still() === drawn, `all is drawn anew:\n${drawn}`);
    letAgesGoOn();
  };
  try {
    for (let step = 0; step < steps; step++) {
      if (hand.upTo(12) === 0 && host.picture.waiting.length < 6) {
        const long = Array.from({ length: hand.upTo(60) }, (_, row) => `"k${row}":${row}`).join(',');
        host.waiting(`call:${++calls}`, { arguments_text: `{${long}}` });
        host.publish();
      }
      if (hand.upTo(15) === 0 && host.picture.waiting.length > 3) {
        host.settle(
          hand.pick(host.picture.waiting).call,
          hand.pick(['withdrawn', 'expired', 'stale'] as const),
        );
      }
      if (hand.upTo(4) === 0) host.write(hand.pick(['hosted:1', 'hosted:2']), hand.output());
      await settle();
      if (hand.upTo(25) === 0) bench.terminal.resize(30 + hand.upTo(160), 10 + hand.upTo(45));
      for (const key of hand.keys()) {
        await settle();
        if (hand.upTo(2) === 0) bench.clock.pass(hand.upTo(1_200));
        const before = bench.text;
        const known = host.sent('decide').length;
        bench.type(key);
        await settle();
        const decisions = host.sent('decide').slice(known);
        expect(decisions.length, `decisions by one key, ${JSON.stringify(key)}`).toBeLessThanOrEqual(1);
        for (const { decision, digest, call } of decisions) {
          approvals += decision === 'approve' ? 1 : 0;
          expect(key, `${decision} of ${call}`).toBe(
            decision === 'approve' ? 'y' : before.includes('Deny, because') ? '\r' : 'n',
          );
          expect(host.approvals.get(call)?.summary.digest).toBe(digest);
          if (key !== '\r') expect(before).toContain('Approve?');
          host.settle(call, decision === 'approve' ? 'succeeded' : 'denied');
        }
      }
      if (step % 50 === 49) await repaint();
      expect(bench.end, bench.text).toBeUndefined();
      expect(bench.terminal.entered).toBe(true);
    }
    // Otherwise this shows nothing.
    expect(approvals).toBeGreaterThan(0);
    for (const { root } of host.picture.layout.tabs) expect(panesOf(root).length).toBeGreaterThan(0);

    bench.terminal.resize(150, 40);
    await settle();
    await repaint();
  } finally {
    await bench.stop();
  }
  await settle();
  expect(bench.terminal.entered).toBe(false);
  expect(bench.terminal.modes).toEqual(modesBefore);
});
