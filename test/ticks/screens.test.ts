/** What a person sees and does, with a host and without one. */
import { describe, expect, test } from 'vitest';
import { builtTicks } from '../support/built-ticks.ts';
import { TickProcess, until } from '../support/tick-process.ts';

const built = await builtTicks();

const samples = [
  { name: 'counter', top: '  Counter', bottom: '  + more', keys: '++-', changed: '3 changes' },
  { name: 'market', top: '  ACME', bottom: '  enter place', keys: '\r', changed: '  1 buy' },
  { name: 'note', top: '  Notes', bottom: '  a add', keys: 'a牛乳を買う\r', changed: '› 牛乳を買う' },
] as const;

describe.each(samples)('$name', ({ name, top, bottom, keys, changed }) => {
  test.each([
    [40, 12],
    [80, 24],
    [200, 60],
  ])('H-4.1-5: uses a screen of %i by %i from its first to its last row', async (cols, rows) => {
    const tick = await TickProcess.start(built[name], { cols, rows });
    await tick.shows(bottom);
    expect(tick.screen[0]).toContain(top);
    expect(tick.screen[rows - 1]).toContain(bottom);
  });

  test('H-4.1-6: draws anew for every size, and survives tiny ones', async () => {
    const tick = await TickProcess.start(built[name]);
    await tick.shows(bottom);
    for (const [cols, rows] of [
      [1, 1],
      [200, 50],
      [7, 3],
      [80, 24],
    ] as const) {
      tick.resize(cols, rows);
    }
    await until('the smaller screen', () => tick.screen[23]?.includes(bottom) ?? false);
    tick.type(keys);
    await tick.shows(changed);
    expect(tick.screen[0]).toContain(top);
  });

  test('T-4.1-2: alone it shows the interface, says nothing, and q leaves the terminal as it was', async () => {
    const tick = await TickProcess.start(built[name], { hosted: false, cols: 80, rows: 24 });
    await tick.shows(bottom);
    await tick.shows('q quit');
    expect(tick.onAlternateScreen).toBe(true);
    tick.type(keys);
    await tick.shows(changed);
    tick.type('q');
    await tick.ended();
    expect(tick.exit?.code).toBe(0);
    await until('the normal screen', () => !tick.onAlternateScreen);
    expect(tick.screen.join('')).toBe('');
  });
});

test("an agent's words cannot draw", async () => {
  const text = 'calm\u001b[2J\u001b]0;owned\u0007 \u202edesrever';
  const note = await TickProcess.start(built.note);
  await note.call('add_note', { text });
  await note.shows('calm·[2J·]0;owned· ·desrever');
  const market = await TickProcess.start(built.market);
  await market.call('place_order', { side: 'buy', qty: 1, price: 1, note: text });
  await market.shows('calm·[2J·]0;owned· ·desrever');
});

test('T-4.5-1: notes are on disk as soon as a call is answered', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const directory = mkdtempSync(`${tmpdir()}/tickmux-note-`);
  const program = { ...built.note, args: [...built.note.args, `${directory}/notes.json`] };
  try {
    const first = await TickProcess.start(program);
    await first.call('add_note', { text: 'keep me' });
    process.kill(first.launched.pid, 'SIGKILL');
    await first.ended();
    const second = await TickProcess.start(program);
    await second.shows('keep me');
    expect(await second.read()).toMatchObject({ data: { count: 1, notes: [{ id: 1, text: 'keep me' }] } });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
