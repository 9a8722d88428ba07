/** A program that does its worst, beside one that has to go on working. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { builtCli, prefix, root, TestSession } from '../support/end-to-end.ts';

let cli: string;
beforeAll(() => {
  cli = builtCli();
}, 120_000);

const hostile = join(root, 'test/fixtures/end-to-end/hostile.mjs');

it('bears a Tick that never reads, floods updates and writes garbage, and so do its neighbours', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux([], { cols: 160, rows: 40 });
  await screen.shows('shell:1 sh', '$');
  screen.press(`${prefix}:open -- ${process.execPath} ${hostile}\r`);
  await screen.shows('┌ hosted:1 Hostile');
  const places = () => [screen.pane('shell:1'), screen.pane('hosted:1')];
  const before = places();
  const operator = await session.operator();
  const seq = async () => {
    const { instances } = await operator.request(operatorApi.picture, {});
    return instances.find(({ instance }) => instance === 'hosted:1')?.seq ?? 0;
  };

  screen.press(`${prefix}h`);
  for (let n = 0; n < 20; n++) {
    screen.press(`clear; echo alive-$((${n}+100))\r`);
    await screen.until(`echo ${n}`, () =>
      new RegExp(`^alive-${n + 100}$`, 'm').test(screen.paneText('shell:1')),
    );
    expect(places()).toEqual(before);
    // Only tickmux draws the lines around the panes.
    expect(screen.lines[0]).toMatch(/^ e2e {2}1 sh\* .* 0 waiting$/);
  }
  await screen.until('ten thousand updates were taken', async () => (await seq()) > 10_000);
  // The chrome goes on too, and the Tick can be ended although it does not listen.
  screen.press(`${prefix}z`);
  await screen.hides('hosted:1 Hostile');
  screen.press(`${prefix}z`);
  await screen.shows('hosted:1 Hostile');
  screen.press(`${prefix}l${prefix}x`);
  await screen.shows('End hosted:1');
  screen.press('y');
  await screen.shows('was closed');
  expect(places()).toEqual(before);

  // None of it got out: no commands but a title of our own and links, and nothing else for a terminal to act on.
  const sent = Buffer.from(screen.raw, 'latin1').toString('utf8');
  const commands = sent.match(/\x1b\][^\x07\x1b]*/g) ?? [];
  expect(commands.filter((one) => !/^\x1b\](?:2;tickmux |8;)/.test(one))).toEqual([]);
  expect(sent.match(/\x1b[^[\]\\78>=]|[\x80-\x9f]/g)).toBeNull();
  expect(screen.modes).toMatchObject({ screen: 'alternate', mouse: 'drag', paste: true, focus: true });
  if (process.platform === 'linux') {
    const [, kilobytes] =
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${session.host}/status`, 'utf8')) ?? [];
    expect(Number(kilobytes)).toBeLessThan(400_000);
  }
});
