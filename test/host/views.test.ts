/** What attached views are sent, and what they do to terminals. */
import { describe, expect, test } from 'vitest';
import { decodeFrame } from '../../src/cells/frame.ts';
import { rowText } from '../../src/cells/text.ts';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { agentApi, operatorApi } from '../../src/rpc/api/index.ts';
import { hostWithPuppet, type SeenFrame, TestHost, type TestOperator, until } from '../support/test-host.ts';

const show = (operator: TestOperator, instance: string, cols = 80, rows = 24) =>
  operator.client.notify(operatorApi.show, { panes: [{ instance, cols, rows }], focused: instance });

const acknowledge = (operator: TestOperator, { instance, frame }: SeenFrame) =>
  operator.client.notify(operatorApi.acknowledge, { instance, generation: frame.generation });

/** Acknowledges every frame, as a view that keeps up does. */
const keepUp = (operator: TestOperator) =>
  operator.client.on(operatorApi.frame, (frame) => acknowledge(operator, frame));

const textOf = ({ frame }: SeenFrame) =>
  decodeFrame(frame)
    .changed.map(([, row]) => rowText(row))
    .join('\n');

const rows = (operator: TestOperator) => operator.frames.map(textOf).join('\n');

async function bench() {
  const host = await TestHost.start();
  const operator = await host.operator();
  const echo = async () => (await operator.open(['cat'], { shell: true, place: { in: 'none' } })).instance;
  const type = (one: TestOperator, instance: string, text: string) =>
    one.client.request(operatorApi.typeText, { instance, text });
  return { host, operator, echo, type };
}

describe('frames', () => {
  test('come full at first, then with what changed, each after the last was acknowledged', async () => {
    const { operator, echo, type } = await bench();
    const instance = await echo();
    show(operator, instance);
    await until('a frame', () => operator.frames.length === 1);
    const [first] = operator.frames as [SeenFrame];
    expect(first).toMatchObject({ instance, frame: { full: true, since: 0, cols: 80, rows: 24 } });
    for (const line of ['one', 'two', 'three']) await type(operator, instance, `${line}\r`);
    await until('cat has echoed it', async () => (await operator.text(instance)).split('three').length === 3);
    expect(operator.frames).toHaveLength(1);
    acknowledge(operator, first);
    await until('a second frame', () => operator.frames.length === 2);
    const second = operator.frames[1] as SeenFrame;
    expect(second.frame).toMatchObject({ full: false, since: first.frame.generation });
    expect(second.frame.changed.length).toBeLessThan(24);
    expect(textOf(second)).toContain('three');
  });

  test('that are never acknowledged hold nobody up', async () => {
    const { host, operator, echo, type } = await bench();
    const instance = await echo();
    const dead = await host.operator();
    show(dead, instance);
    keepUp(operator);
    show(operator, instance);
    await until('both have one', () => dead.frames.length === 1 && operator.frames.length > 0);
    for (let n = 0; n < 5; n++) {
      await type(operator, instance, `line ${n}\r`);
      await until(`line ${n} is seen`, () => rows(operator).includes(`line ${n}`));
    }
    expect(dead.frames).toHaveLength(1);
  });

  test('come for what is shown alone, and full again for what is shown again', async () => {
    const { operator, echo, type } = await bench();
    const [one, two] = [await echo(), await echo()] as const;
    keepUp(operator);
    show(operator, one);
    await until('the first', () => operator.frames.some(({ instance }) => instance === one));
    show(operator, two);
    await until('the second', () => operator.frames.some(({ instance }) => instance === two));
    operator.frames.length = 0;
    await type(operator, one, 'unseen\r');
    await until('it was echoed', async () => (await operator.text(one)).includes('unseen'));
    await type(operator, two, 'seen\r');
    await until('the second changed', () => rows(operator).includes('seen'));
    expect(operator.frames.every(({ instance }) => instance === two)).toBe(true);
    show(operator, one);
    await until('the first again', () => operator.frames.some(({ instance }) => instance === one));
    const again = operator.frames.find(({ instance }) => instance === one) as SeenFrame;
    expect(again.frame.full).toBe(true);
    expect(textOf(again)).toContain('unseen');
  });

  test('of a restarted program start full', async () => {
    const { host, operator } = await bench();
    const puppet = await host.puppet(operator);
    keepUp(operator);
    show(operator, puppet.instance);
    await until('the puppet shows', () => rows(operator).includes('hangs on its strings'));
    operator.frames.length = 0;
    await operator.client.request(operatorApi.close, { instance: puppet.instance });
    await operator.client.request(operatorApi.restart, { instance: puppet.instance });
    await until('it shows again', () => rows(operator).includes('hangs on its strings'));
    expect(operator.frames.some(({ frame }) => frame.full)).toBe(true);
    const ages = operator.frames.filter(({ frame }) => !frame.full).map(({ frame }) => frame.since);
    expect(ages.every((since) => since > 0)).toBe(true);
  });
});

describe('the size of a terminal', () => {
  test('is that of the view that typed last, else of the one that came last', async () => {
    const { host, operator, echo, type } = await bench();
    const instance = await echo();
    const size = async () => {
      const { cols, rows } = (await operator.instance(instance))!;
      return `${cols}x${rows}`;
    };
    const becomes = (wanted: string) => until(`it is ${wanted}`, async () => (await size()) === wanted);
    expect(await size()).toBe('120x30');
    const other = await host.operator();
    show(operator, instance, 80, 24);
    await becomes('80x24');
    show(other, instance, 100, 40);
    await becomes('100x40');
    await type(operator, instance, 'x');
    await becomes('80x24');
    show(other, instance, 101, 41);
    show(operator, instance, 81, 25);
    await becomes('81x25');
    await type(other, instance, 'y');
    await becomes('101x41');
    other.leave();
    await becomes('81x25');
    const third = await host.operator();
    show(third, instance, 60, 20);
    await until('the third shows it', () => third.frames.length > 0);
    third.leave();
    await becomes('81x25');
  });
});

test('H-1.2-1: views come and go, several at once, and the session is left as it is', async () => {
  const { host, operator, puppet, agent } = await hostWithPuppet();
  const { pid } = puppet.started;
  const received = puppet.received;
  const others = [await host.operator(), await host.operator()];
  for (const one of [operator, ...others]) {
    show(one, puppet.instance);
    await until('it is shown', () => one.frames.length > 0);
  }
  for (const one of [operator, ...others]) one.leave();
  const later = await host.operator();
  await until('they have gone', () => later.picture?.views === 1);
  expect(await later.instance(puppet.instance)).toMatchObject({ pid, status: 'running' });
  expect(puppet.received).toBe(received);
  const answer = await agent.client.request(agentApi.tickRead, { instance: puppet.instance });
  expect(answer.seq).toBe(0);
});

test('a view is refused inside the session it would show, and a second time', async () => {
  const { host, echo, operator } = await bench();
  const instance = await echo();
  const inside = await host.operator({ view: false });
  await expect(inside.attach({ inside: instance })).rejects.toMatchObject({ code: rpcCodes.refused });
  await inside.attach({ inside: 'shell:99' });
  await expect(inside.attach()).rejects.toMatchObject({ code: rpcCodes.refused });
  operator.leave();
});

describe('the inspector', () => {
  test('follows one instance, with what changed since the last look', async () => {
    const { operator, puppet } = await hostWithPuppet();
    const { instance } = puppet;
    const seen: { state?: { seq: number }; changed: string[]; note?: string; merged: number }[] = [];
    operator.client.on(operatorApi.inspected, (inspection) => seen.push(inspection));
    const { inspection } = await operator.client.request(operatorApi.inspect, { instance });
    expect(inspection).toMatchObject({ instance, state: { seq: 0, data: null }, changed: [], updates: 0 });
    expect(inspection?.descriptor?.kind).toBe('test.puppet');
    await puppet.pull('update', { a: 1, b: [1, 2] });
    await until('the first update', () => seen.at(-1)?.state?.seq === 1);
    await puppet.pull('update', { a: 1, b: [1, 3], c: {} });
    await until('the second', () => seen.at(-1)?.state?.seq === 2);
    expect(seen.at(-1)).toMatchObject({ changed: ['/b/1', '/c'], merged: 1 });
    await puppet.pull('exit', 1);
    await until('the end', () => seen.at(-1)?.note === 'The program exited with code 1.');
    const none = await operator.client.request(operatorApi.inspect, { instance: null });
    expect(none).toEqual({ inspection: null });
  });
});

test('a view is told where the one that was used last had its focus', async () => {
  const { host, operator } = await bench();
  const attached = async () => {
    const other = await host.operator({ view: false });
    return other.client.request(operatorApi.attach, { cols: 80, rows: 24, cwd: '/', env: {} });
  };
  expect((await attached()).pane).toBeUndefined();
  const [, second] = [
    await operator.open(['cat'], { shell: true }),
    await operator.open(['cat'], { shell: true }),
  ];
  show(operator, second.instance);
  await until('it is shown', () => operator.frames.length > 0);
  operator.leave();
  expect((await attached()).pane).toBe(second.pane);
  const last = await host.operator();
  await last.client.request(operatorApi.removePane, { pane: second.pane as string });
  expect((await attached()).pane).toBeUndefined();
});

describe('activity', () => {
  test('is told once for each screen that is not shown, and again after it was', async () => {
    const { host, operator, echo, type } = await bench();
    const [one, two] = [await echo(), await echo()] as const;
    const told: string[] = [];
    operator.client.on(operatorApi.active, ({ instances }) => told.push(...instances));
    let pictures = 0;
    operator.client.on(operatorApi.changed, () => pictures++);
    keepUp(operator);
    show(operator, one);
    await until('it is shown', () => operator.frames.length > 0);
    const noise = await operator.open(['sh', '-c', 'while :; do echo $$; sleep 0.01; done'], {
      shell: true,
      place: { in: 'none' },
    });
    await until('the noise is told of', () => told.includes(noise.instance));
    pictures = 0;
    await type(operator, one, 'seen\r');
    await until('it was echoed', () => rows(operator).includes('seen'));
    await type(operator, two, 'unseen\r');
    await until('the second is told of', () => told.includes(two));
    expect(told.filter((id) => id === noise.instance)).toHaveLength(1);
    expect(told).not.toContain(one);
    expect(pictures).toBe(0);
    show(operator, two);
    await until('the second is shown', () => rows(operator).includes('unseen'));
    show(operator, one);
    told.length = 0;
    await type(operator, two, 'more\r');
    await until('it is told of again', () => told.includes(two));
    await host.operator();
    expect(told.filter((id) => id === two)).toHaveLength(1);
  });

  test('is no bytes that leave the picture as it was', async () => {
    const { operator, echo } = await bench();
    const told: string[] = [];
    operator.client.on(operatorApi.active, ({ instances }) => told.push(...instances));
    keepUp(operator);
    const still = await operator.open(
      ['sh', '-c', 'printf "x\\\\r"; while :; do printf "x\\\\r"; sleep 0.05; done'],
      {
        shell: true,
        place: { in: 'none' },
      },
    );
    show(operator, still.instance);
    await until('it is shown', () => rows(operator).includes('x'));
    await until('all of it is acknowledged', async () => operator.frames.at(-1)?.frame.cursor.x === 0);
    show(operator, await echo());
    const other = await operator.open(['sh', '-c', 'sleep 1; echo done; exec cat'], {
      shell: true,
      place: { in: 'none' },
    });
    await until('another one is told of', () => told.includes(other.instance));
    expect(told).not.toContain(still.instance);
  });
});

describe('the clipboard', () => {
  test('is that of whoever has the program in front, who is told the newest at a pace', async () => {
    const { host, operator } = await bench();
    const other = await host.operator();
    const told: string[] = [];
    operator.client.on(operatorApi.copied, ({ instance, text }) => told.push(`${instance} ${text}`));
    other.client.on(operatorApi.copied, ({ text }) => told.push(`other ${text}`));
    keepUp(operator);
    const script =
      'read go; for n in 1 2 3 4 5; do printf "\\033]52;c;bjo%s=\\a" "$n"; done; echo over; exec cat';
    const open = async () =>
      (await operator.open(['sh', '-c', script], { shell: true, place: { in: 'none' } })).instance;
    const [one, two] = [await open(), await open()];
    show(operator, one);
    show(other, two);
    await until('it is shown', () => operator.frames.length > 0);
    await operator.client.request(operatorApi.typeText, { instance: one, text: '\r' });
    await until('it is told', () => told.length === 2);
    const text = (n: number) => Buffer.from(`bjo${n}=`, 'base64').toString();
    expect(told).toEqual([`${one} ${text(1)}`, `${one} ${text(5)}`]);
  });
});
