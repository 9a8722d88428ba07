import { afterEach, expect, test } from 'vitest';
import { FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

let bench: TuiBench | undefined;
afterEach(() => bench?.stop());

/** Sequences that leave nothing behind but cells: places, attributes, erasing, repeating, rows and strings. */
const draws = /^(?:\x1b\[[\d;:]*[ABCDEFGHJKLMPSTXbdfm@]|\x1b\](?:2|8|52);.*)$/s;
/** Questions, and what they are wrapped in. */
const asks = new Set(['\x1b[?u', '\x1b[c', '\x1b[?4m', '\x1b7', '\x1b8']);
/** Every mode that a session may set, as it looks when it is set; and what undoes it. Nothing else is sent. */
const undoneBy: [set: RegExp, undo: RegExp][] = [
  [/^\x1b\[22;0t$/, /^\x1b\[23;0t$/],
  [/^\x1b\[\?1049h$/, /^\x1b\[\?1049l$/],
  [/^\x1b\[\?7l$/, /^\x1b\[\?7h$/],
  [/^\x1b\[\?2004h$/, /^\x1b\[\?2004l$/],
  [/^\x1b\[\?1002h$/, /^\x1b\[\?1002l$/],
  [/^\x1b\[\?1003h$/, /^\x1b\[\?1003l$/],
  [/^\x1b\[\?1006h$/, /^\x1b\[\?1006l$/],
  [/^\x1b\[\?1004h$/, /^\x1b\[\?1004l$/],
  [/^\x1b\[\?2026h$/, /^\x1b\[\?2026l$/],
  [/^\x1b\[\?25l$/, /^\x1b\[\?25h$/],
  [/^\x1b\[[1-6] q$/, /^\x1b\[0? q$/],
  [/^\x1b\[>\d+u$/, /^\x1b\[<u$/],
  [/^\x1b\[>4;\d+m$/, /^\x1b\[>4m$/],
  // Ordinary cursor and keypad keys are what a shell has: they are set to that and left there.
  [/^\x1b\[\?1h$/, /^\x1b\[\?1l$/],
  [/^\x1b=$/, /^\x1b>$/],
  // Said of what was pushed, and gone with it.
  [/^\x1b\[=\d+;1u$/, /^\x1b\[<u$/],
];

const sequences =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]+[0-~]|\x1b[0-~]|[\x00-\x1a\x1c-\x1f\x7f]/g;

/** The modes set and not undone; throws for a sequence that is not known to leave nothing behind. */
function leftOn(written: string): string[] {
  const on: number[] = [];
  for (const [sequence] of written.matchAll(sequences)) {
    if (draws.test(sequence) || asks.has(sequence) || /^[\r\n\b\x07]$/.test(sequence)) continue;
    const set = undoneBy.findIndex(([pattern]) => pattern.test(sequence));
    const undoes = undoneBy.flatMap(([, pattern], index) => (pattern.test(sequence) ? [index] : []));
    if (set < 0 && undoes.length === 0) throw new Error(`Nothing undoes ${JSON.stringify(sequence)}.`);
    // What is pushed twice is on twice.
    if (set >= 0 && !(on.includes(set) && !sequence.startsWith('\x1b[>'))) on.push(set);
    for (const index of undoes) if (on.includes(index)) on.splice(on.indexOf(index), 1);
  }
  return on.map((index) => String(undoneBy[index]?.[0]));
}

/** What a program can do to a terminal: character sets, margins, origin, mouse, keyboard, and all the rest. */
const mischief = [
  '\x1b(0\x1b)0\x1b*0\x1b+0\x0e\x1bn\x1b~',
  '\x1b[3;5r\x1b[?69h\x1b[2;9s\x1b[?6h',
  '\x1b[?9h\x1b[?1000h\x1b[?1001h\x1b[?1003h\x1b[?1005h\x1b[?1015h\x1b[?1016h\x1b[?1007h',
  '\x1b[?1h\x1b=\x1b[?66h\x1b[?67h\x1b[2h\x1b[4h\x1b[12h\x1b[20h\x1b[?8h',
  '\x1b[>31u\x1b[=31;1u\x1b[>4;2m\x1b[>1;3m\x1b[>4n\x1b[?1036h\x1b[?1039h\x1b[?2031h\x1b[?9001h',
  '\x1b[?2004h\x1b[?1004h\x1b[?2026h\x1b[?2026l\x1b[?5h\x1b[?3h\x1b[?40h\x1b[?45h\x1b[?47h\x1b[?47l',
  '\x1b[?25l\x1b[?12h\x1b[3 q\x1b[?7l\x1b#8\x1b#3\x1b#6\x1b%@\x1b%G\x1b F\x1b G',
  '\x1b[1"q\x1b[61"p\x1b[2*x\x1b[22;2t\x1b[8;10;10t\x1b[14t\x1b[!p\x1bH\x1b[3g\x1bV\x1bW\x1bl\x1bm',
  '\x1b]0;title\x07\x1b]4;1;red\x07\x1b]10;red\x07\x1b]11;red\x07\x1b]12;red\x07\x1b]22;hand\x07\x1b]50;font\x07',
  '\x1b]9;4;1;50\x07\x1b]777;notify;a;b\x07\x1b]133;A\x07\x1b]1337;SetMark\x07\x1b]99;;hi\x1b\\',
  '\x1bP$q"p\x1b\\\x1bP+q544e\x1b\\\x1bPq#0;2;0;0;0~\x1b\\\x1b_Ga=T;AAAA\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\',
  '\x9b?1003h\x9d0;c1\x9c\x8e\x8f',
].join('');

test.each([
  ['that speaks the kitty protocol', '\x1b[?0u\x1b[?62c', '', '\x1b[>5u'],
  ['that speaks modifyOtherKeys', '\x1b[?62c', '\x1b[>4;0m', '\x1b[>4;1m'],
  ['that speaks neither', '\x1b[?62c', '', '\x1b[?4m'],
])(
  'whatever programs and the view do, a terminal %s is given back as it was',
  async (_what, first, then, sign) => {
    const host = new FakeHost();
    for (const id of ['hosted:1', 'hosted:2']) host.instance(id, id);
    host.tab('one', {
      type: 'split',
      axis: 'columns',
      weights: [1, 1],
      children: [
        { type: 'pane', pane: 'pane:1', instance: 'hosted:1' },
        { type: 'pane', pane: 'pane:2', instance: 'hosted:2' },
      ],
    });
    host.waiting('call:1');
    bench = await TuiBench.start(host);
    const { terminal } = bench;
    await bench.sees('1 waiting');
    bench.type(first);
    await bench.until(() => then === '' || terminal.written.includes('\x1b[?4m'), 'it is asked again');
    bench.type(then);
    await bench.until(() => terminal.written.includes(sign), 'it is told');
    for (const id of ['hosted:1', 'hosted:2']) host.write(id, `${mischief}\x1b[Hdone`);
    await bench.sees(/done[\s\S]*done/);
    // Another pane, a card, a prompt, copy mode, the help, another size; a stop in between.
    for (const keys of [
      '\x02\x1b[C',
      '\x02a',
      '\x1b',
      '\x02:',
      '\x1b',
      '\x02[',
      '\x1b',
      '\x02?',
      '\x1b',
      '\x02z',
    ])
      bench.type(keys);
    terminal.resize(110, 28);
    await bench.sees('done');
    expect(leftOn(terminal.written)).not.toEqual([]);
    terminal.suspend();
    expect(leftOn(terminal.written)).toEqual([]);
    terminal.resume();
    for (const id of ['hosted:1', 'hosted:2']) host.write(id, `${mischief}\x1b[Hagain`);
    await bench.sees('again');
    await bench.stop();
    expect(leftOn(terminal.written)).toEqual([]);
  },
);
