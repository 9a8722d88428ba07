import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { digestOf, FakeHost } from '../support/fake-host.ts';
import { TuiBench } from '../support/tui-bench.ts';

/** What a terminal sends under the kitty keyboard protocol with everything reported. */
const key = (code: number, modifiers = 1, event = 1, text = '') =>
  `\x1b[${code};${modifiers}:${event}${text === '' ? '' : `;${text.codePointAt(0)}`}u`;
const typed = (text: string, event = 1) => key(text.charCodeAt(0), 1, event, event === 3 ? '' : text);
const [press, repeat, release] = [1, 2, 3];
const prefix = (event = press) => key(98, 5, event);
const shiftKey = (event = press) => key(57441, 2, event);
const enter = (event = press) => key(13, 1, event);
const guard = 400;

let host: FakeHost;
let bench: TuiBench;
beforeEach(() => {
  host = new FakeHost();
  host.instance('hosted:1', 'Counter', { kind: 'example.counter' });
  host.tab('trading', { type: 'pane', pane: 'pane:1', instance: 'hosted:1' });
});
afterEach(() => bench.stop());

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Opens the oldest card, with keys pressed and let go of as a person does, and lets the guard pass. */
async function openCard(): Promise<void> {
  bench = await TuiBench.start(host);
  await bench.sees(`${host.picture.waiting.length} waiting`);
  bench.type(prefix() + prefix(release) + typed('a') + typed('a', release));
  await bench.sees('y once');
  bench.clock.pass(guard);
}

describe('the card', () => {
  const keys = [
    ['y', 'approve'],
    ['n', 'deny'],
  ] as const;

  test.each(keys)('takes the press of %s and neither its repeats nor its release', async (char, decision) => {
    host.waiting('call:1', { instance: 'hosted:1' });
    host.waiting('call:2', { instance: 'hosted:1', tool: 'cancel_order' });
    await openCard();
    bench.type(typed(char, repeat) + typed(char, release) + shiftKey() + shiftKey(release));
    await settled();
    expect(host.sent('decide')).toEqual([]);
    bench.type(typed(char));
    await bench.sees('cancel_order');
    expect(host.sent('decide')).toEqual([{ call: 'call:1', digest: digestOf('call:1'), decision }]);
    // However long it is held, and however slowly it repeats.
    for (let turn = 0; turn < 4; turn++) {
      bench.clock.pass(2_000);
      bench.type(typed(char, repeat));
      await settled();
    }
    bench.type(typed(char, release));
    await settled();
    expect(host.sent('decide')).toHaveLength(1);
    bench.clock.pass(2_000);
    bench.type(typed(char));
    await bench.until(() => host.sent('decide').length === 2, 'the next press decides the next call');
  });

  test('opens neither the editor nor a line for words by a key held down', async () => {
    host.waiting('call:1', { instance: 'hosted:1' });
    await openCard();
    bench.type(typed('e', repeat) + key(110, 2, repeat, 'N'));
    await settled();
    expect(bench.text).toContain('y once');
    bench.type(key(110, 2, press, 'N'));
    await bench.sees('Deny, because:');
    bench.type(typed('o') + typed('o', release) + typed('k') + enter(repeat) + enter(release));
    await settled();
    expect(host.sent('decide')).toEqual([]);
    bench.type(enter());
    await bench.until(() => host.sent('decide').length === 1, 'Enter denies');
    expect(host.sent('decide')[0]).toMatchObject({ decision: 'deny', words: 'ok' });
  });
});

test('a question is answered by a press alone', async () => {
  bench = await TuiBench.start(host);
  await bench.sees('Counter');
  bench.type(prefix() + prefix(release) + typed('x'));
  await bench.sees(/y yes/);
  bench.type(typed('x', repeat) + typed('x', release) + typed('y', repeat) + typed('y', release));
  await settled();
  expect(bench.text).toMatch(/y yes/);
  bench.type(key(27) + key(27, 1, release));
  await bench.until(() => !/y yes/.test(bench.text), 'Esc is no');
});

test('the prefix outlives its own repeats and release, and Shift pressed for the key behind it', async () => {
  bench = await TuiBench.start(host);
  await bench.sees('Counter');
  bench.type(prefix() + prefix(repeat) + prefix(repeat) + prefix(release));
  bench.type(shiftKey() + key(47, 2, press, '?'));
  await bench.sees('Keys');
  expect(host.typed('hosted:1')).toBe('');
});

test('what was said stays until a key is pressed, not until the last one is let go of', async () => {
  bench = await TuiBench.start(host);
  await bench.sees('Counter');
  bench.type(`${prefix()}${prefix(release)}${typed('0')}`);
  await bench.sees('does nothing');
  bench.type(typed('0', release) + shiftKey());
  await settled();
  expect(bench.text).toContain('does nothing');
});

describe('the operator’s terminal', () => {
  const flags = () => bench.terminal.written.match(/\x1b\[[<>=?][\d;]*[um]/g);

  test('is asked once, waits for nothing, and is told no more than it can understand', async () => {
    bench = await TuiBench.start(host);
    await bench.sees('Counter');
    expect(flags()).toEqual(['\x1b[?u']);
    bench.type('\x1b[?62;22c');
    await bench.until(() => flags()?.length === 2, 'xterm is asked in its own way');
    await bench.stop();
    expect(flags()).toEqual(['\x1b[?u', '\x1b[?4m']);
  });

  test('that knows modifyOtherKeys alone is given it back as it was', async () => {
    bench = await TuiBench.start(host);
    bench.type('\x1b[?62;22c');
    await bench.until(() => flags()?.at(-1) === '\x1b[?4m', 'it is asked');
    bench.type('\x1b[>4;0m');
    await bench.until(() => flags()?.at(-1) === '\x1b[>4;1m', 'it is told');
    await bench.stop();
    expect(flags()?.at(-1)).toBe('\x1b[>4m');
  });

  test('tells every key only while the focused program asks for it, and is given back after a stop too', async () => {
    bench = await TuiBench.start(host);
    bench.type('\x1b[?0u\x1b[?62;22c');
    await bench.until(() => flags()?.at(-1) === '\x1b[>5u', 'the flags are pushed');
    host.write('hosted:1', 'a\x1b[>3u');
    await bench.until(() => flags()?.at(-1) === '\x1b[=31;1u', 'every key is told');
    bench.terminal.suspend();
    expect(flags()?.at(-1)).toBe('\x1b[<u');
    bench.terminal.resume();
    await bench.until(() => flags()?.at(-1) === '\x1b[>31u', 'the flags are pushed again');
    host.write('hosted:1', 'b\x1b[<u');
    await bench.until(() => flags()?.at(-1) === '\x1b[=5;1u', 'no more than names are told');
    await bench.stop();
    // What was pushed on the alternate screen is popped on it.
    expect(bench.terminal.written).toMatch(/\x1b\[<u(?:(?!\x1b\[\?1049).)*\x1b\[\?1049l(?:(?!\x1b\[<u).)*$/s);
    expect(flags()).toEqual([
      '\x1b[?u',
      '\x1b[>5u',
      '\x1b[=31;1u',
      '\x1b[<u',
      '\x1b[>31u',
      '\x1b[=5;1u',
      '\x1b[<u',
    ]);
  });
});

test('motion of the mouse is told only while the focused program asks for it', async () => {
  const motion = () => bench.terminal.written.match(/\x1b\[\?100[23][hl]/g)?.join('');
  bench = await TuiBench.start(host);
  await bench.sees('Counter');
  expect(motion()).toBe('\x1b[?1002h');
  host.write('hosted:1', 'a\x1b[?1003;1006h');
  await bench.until(() => motion() === '\x1b[?1002h\x1b[?1003h', 'motion is told');
  bench.type('\x1b[<35;3;4M');
  await bench.until(() => host.typed('hosted:1') === '\x1b[<35;2;2M', 'the program is told');
  host.write('hosted:1', 'b\x1b[?1003l');
  await bench.until(
    () => motion()?.endsWith('\x1b[?1003l\x1b[?1002h') === true,
    'no more than drags are told',
  );
  await bench.stop();
  expect(motion()?.endsWith('\x1b[?1003l\x1b[?1002l')).toBe(true);
});

describe('a program that asked for releases', () => {
  beforeEach(async () => {
    host.instance('hosted:2', 'Other');
    host.tab('two', {
      type: 'split',
      axis: 'columns',
      weights: [1, 1],
      children: [
        { type: 'pane', pane: 'pane:2', instance: 'hosted:1' },
        { type: 'pane', pane: 'pane:3', instance: 'hosted:2' },
      ],
    });
    host.write('hosted:1', 'first\x1b[>31u');
    host.write('hosted:2', 'second\x1b[>31u');
    bench = await TuiBench.start(host);
    bench.type(`${prefix()}${prefix(release)}${typed('2')}${typed('2', release)}`);
    await bench.sees('second');
    await bench.sees('first');
  });

  test('is told each press, repeat and release of its own keys', async () => {
    bench.type(typed('w') + typed('w', repeat) + typed('w', release));
    await bench.until(() => host.typed('hosted:1').endsWith('3u'), 'the release comes');
    expect(host.typed('hosted:1')).toBe('\x1b[119;;119u\x1b[119;1:2;119u\x1b[119;1:3u');
  });

  test('is told of a release under a card and in another pane, which was not told of the press', async () => {
    bench.type(typed('w') + typed('d') + prefix() + typed('w', release) + prefix(release));
    bench.type('\x1b[C\x1b[1;1:3C');
    await settled();
    bench.type(typed('d', repeat) + typed('d', release) + typed('k'));
    await bench.until(() => host.typed('hosted:2') !== '', 'the other pane has the focus');
    expect(host.typed('hosted:1')).toBe('\x1b[119;;119u\x1b[100;;100u\x1b[119;1:3u\x1b[100;1:3u');
    expect(host.typed('hosted:2')).toBe('\x1b[107;;107u');
  });

  test('gets nothing of the key that decided the last card', async () => {
    host.waiting('call:1', { instance: 'hosted:1' });
    host.publish();
    await bench.sees('1 waiting');
    bench.type(prefix() + prefix(release) + typed('a') + typed('a', release));
    await bench.sees('y once');
    bench.clock.pass(guard);
    bench.type(typed('y'));
    await bench.sees('Approved');
    await bench.until(() => !bench.text.includes('Approve?'), 'the card is gone');
    bench.type(typed('y', repeat) + typed('y', repeat) + typed('y', release) + typed('k'));
    await bench.until(() => host.typed('hosted:1') !== '', 'the pane has the focus');
    expect(host.typed('hosted:1')).toBe('\x1b[107;;107u');
    expect(host.sent('decide')).toHaveLength(1);
  });
});
