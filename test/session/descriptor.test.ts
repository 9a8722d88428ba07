import { describe, expect, it } from 'vitest';
import { encodedSize } from '../../src/protocol/json.ts';
import { defaultLimits } from '../../src/protocol/limits.ts';
import { lamp, readyTick, ScriptedTick } from '../support/scripted-tick.ts';

const tool = lamp.tools[0]!;
const only = (changes: object) => ({ ...lamp, recover_with: undefined, tools: [{ ...tool, ...changes }] });

/** The requirement for which initialization with this descriptor fails. */
async function rejection(descriptor: unknown): Promise<string | undefined> {
  const tick = new ScriptedTick();
  const initialized = await tick.initialize(descriptor as object);
  if (initialized.ok) return 'taken';
  expect(await tick.ended()).toMatchObject({ reason: 'initialization', message: initialized.reason });
  return initialized.requirement;
}

describe('descriptors', () => {
  it.each([2, 4, '3', 3.5, null, undefined])('H-5.3-1a: protocol %j is rejected', async (protocol) => {
    expect(await rejection({ ...lamp, protocol })).toBe('H-5.3-1a');
  });

  it('H-4.3-2: the error names both versions, whatever else the descriptor holds', async () => {
    const initialized = await new ScriptedTick().initialize({ protocol: 2, tools: 'all of them' });
    expect(initialized).toMatchObject({
      ok: false,
      reason: 'The Tick names protocol version 2; this host speaks version 3 only.',
    });
  });

  it.each([
    ['kind', ''],
    ['kind', ' \t\u3000'],
    ['title', ''],
    ['title', '\n'],
  ])('H-5.3-1b: %s %j is rejected', async (member, value) => {
    expect(await rejection({ ...lamp, [member]: value })).toBe('H-5.3-1b');
  });

  it('H-5.3-1c: an empty revision is rejected, a blank one is not', async () => {
    expect(await rejection({ ...lamp, revision: '' })).toBe('H-5.3-1c');
    expect(await rejection({ ...lamp, revision: ' ' })).toBe('taken');
  });

  it('H-5.3-1d: an empty or repeated tool name is rejected', async () => {
    expect(await rejection(only({ name: ' ' }))).toBe('H-5.3-1d');
    expect(await rejection({ ...lamp, tools: [...lamp.tools, tool] })).toBe('H-5.3-1d');
    expect(await rejection({ ...lamp, tools: [...lamp.tools, { ...tool, name: 'SET' }] })).toBe('taken');
  });

  it.each([true, [], 'object', null, undefined, { type: 'strange' }, { $ref: 'https://a.example/b' }])(
    'H-5.3-1e: the input_schema %j is rejected',
    async (input_schema) => {
      expect(await rejection(only({ input_schema }))).toBe('H-5.3-1e');
    },
  );

  it('H-5.3-1f: recover_with must name a tool of the catalogue that does not mutate', async () => {
    for (const recover_with of ['nothing', '', 'set', null, 1]) {
      expect(await rejection({ ...lamp, recover_with })).toBe('H-5.3-1f');
    }
  });

  it('H-5.3-1g: a series path is empty or begins with /, and none comes twice', async () => {
    const series = (...paths: string[]) => ({
      ...lamp,
      state: { series: paths.map((path) => ({ path, newest: 'last' })) },
    });
    expect(await rejection(series('events'))).toBe('H-5.3-1g');
    expect(await rejection(series('/a', '', '/a'))).toBe('H-5.3-1g');
    expect(await rejection(series('', '/a', '/b/0'))).toBe('taken');
  });

  it('H-5.3-1h: 512 KiB exactly are taken, one byte more is not', async () => {
    expect(defaultLimits.descriptorBytes).toBe(524_288);
    const room = 524_288 - encodedSize({ ...lamp, description: '' });
    expect(await rejection({ ...lamp, description: 'x'.repeat(room) })).toBe('taken');
    expect(await rejection({ ...lamp, description: 'x'.repeat(room + 1) })).toBe('H-5.3-1h');
  });

  it('H-4.3-4: unknown fields are ignored, at every level', async () => {
    const odd = {
      ...lamp,
      mood: 1,
      tools: lamp.tools.map((each) => ({ ...each, icon: '💡' })),
      state: { series: [{ path: '', newest: 'first', colour: 1 }], more: 1 },
    };
    const tick = new ScriptedTick();
    expect(await tick.initialize(odd)).toMatchObject({ ok: true });
    expect(tick.session.descriptor).toEqual({ ...lamp, state: { series: [{ path: '', newest: 'first' }] } });
  });

  it.each([
    ['a list', [lamp]],
    ['null', null],
    ['no description', { ...lamp, description: undefined }],
    ['a revision that is a number', { ...lamp, revision: 1 }],
    ['no tools', { ...lamp, tools: undefined }],
    ['a tool that is text', { ...lamp, recover_with: undefined, tools: ['set'] }],
    ['a tool without a description', only({ description: undefined })],
    ['a tool without mutates', only({ mutates: undefined })],
    ['mutates as text', only({ mutates: 'yes' })],
    ['state null', { ...lamp, state: null }],
    ['series that are no list', { ...lamp, state: { series: {} } }],
    ['newest "middle"', { ...lamp, state: { series: [{ path: '', newest: 'middle' }] } }],
  ])('are rejected with %s', async (_, descriptor) => {
    expect(await rejection(descriptor)).toBeUndefined();
  });

  it('may have no tools, an empty description, and no state', async () => {
    const bare = { protocol: 3, kind: 'k', title: 't', description: '', revision: 'r', tools: [] };
    const tick = new ScriptedTick();
    expect(await tick.initialize(bare)).toMatchObject({ ok: true });
    expect(tick.session.descriptor).toEqual(bare);
    expect(await rejection({ ...bare, state: {} })).toBe('taken');
  });
});

describe('describe after initialization', () => {
  it('H-5.1-1: params is {}', async () => {
    const tick = await readyTick();
    void tick.session.describe();
    expect((await tick.request(3)).text).toBe(
      '{"jsonrpc":"2.0","id":3,"method":"tick/describe","params":{}}',
    );
  });

  it('H-5.3-1: one that is rejected fails alone, and the last good descriptor stays', async () => {
    const tick = await readyTick();
    const described = tick.session.describe();
    tick.result((await tick.request(3)).id, { ...lamp, revision: '' });
    expect(await described).toMatchObject({ ok: false, requirement: 'H-5.3-1c' });
    await tick.handled();
    expect(tick.session.descriptor).toEqual(lamp);
  });

  it('H-4.4-1: it can be asked at any time, and a good one replaces the last', async () => {
    const tick = await readyTick();
    const described = tick.session.describe();
    tick.result((await tick.request(3)).id, { ...lamp, revision: 'b' });
    expect(await described).toMatchObject({ ok: true, descriptor: { revision: 'b' } });
    expect(tick.session.descriptor?.revision).toBe('b');
  });

  it('keeps the one asked for last when answers come out of order', async () => {
    const tick = await readyTick();
    const [older, newer] = [tick.session.describe(), tick.session.describe()];
    await tick.request(4);
    tick.result(4, { ...lamp, revision: 'c' });
    tick.result(3, { ...lamp, revision: 'b' });
    expect(await older).toMatchObject({ descriptor: { revision: 'b' } });
    expect(await newer).toMatchObject({ descriptor: { revision: 'c' } });
    expect(tick.session.descriptor?.revision).toBe('c');
  });
});
