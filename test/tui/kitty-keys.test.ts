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
