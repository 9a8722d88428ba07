import { expect, test } from 'vitest';
import { toolRows } from '../../../src/tui/inspector/tools.ts';
import { defaultTheme } from '../../../src/tui/theme.ts';
import { FakeHost } from '../../support/fake-host.ts';
import { TuiBench } from '../../support/tui-bench.ts';

const tool = { name: 'set', description: 'Sets it.', input_schema: {}, mutates: true };
const descriptor = {
  protocol: 3 as const,
  kind: 'example.counter',
  title: 'Counter',
  revision: 'a',
  tools: [tool],
};

test('what is wrong with a Tick stands above its tools', () => {
  const inspection = { instance: 'hosted:1', changed: [], merged: 0, updates: [], descriptor };
  const drawn = (note?: string) =>
    toolRows(
      { ...inspection, ...(note !== undefined && { note }) } as never,
      new Set(['set']),
      40,
      defaultTheme,
    )
      .flatMap(({ lines }) => lines)
      .map((line) => line.map(({ text }) => text).join(''));
  expect(drawn().join('\n')).not.toContain('changed');
  expect(drawn('This Tick changed "set\u202e" silently.')).toEqual(
    expect.arrayContaining(['This Tick changed "set⟨U+202E⟩"']),
  );
});

test('the list of instances tells a Tick that changed a tool without a new revision', async () => {
  const host = new FakeHost();
  host.instance('hosted:1', 'Counter', { silently_changed: 'set' });
  host.instance('hosted:2', 'Market');
  host.tab('one', { type: 'pane', pane: 'pane:1', instance: 'hosted:1' });
  const bench = await TuiBench.start(host, 130, 30);
  try {
    bench.type('\x02w');
    await bench.sees('changed a tool silently');
    const lines = bench.text.split('\n').filter((line) => line.includes('changed a tool silently'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('hosted:1 Counter');
  } finally {
    await bench.stop();
  }
});
