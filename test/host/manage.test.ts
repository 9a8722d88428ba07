/** What agents ask of programs, terminals and panes: what waits for a person, and what they may not have. */
import { realpathSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rpcCodes } from '../../src/rpc/api/errors.ts';
import { operatorApi } from '../../src/rpc/api/index.ts';
import { alive, hostWithPuppet, TestHost, type TestOperator, until } from '../support/test-host.ts';

async function bench() {
  const host = await TestHost.start();
  return { host, operator: await host.operator(), agent: await host.agent() };
}

/** A line of shell in a terminal. */
async function shell(operator: TestOperator, script: string, sign: string): Promise<string> {
  const { instance } = await operator.open(['/bin/sh', '-c', script], { shell: true });
  await until(`it shows ${sign}`, async () => (await operator.text(instance)).includes(sign));
  return instance;
}

describe('opening', () => {
  test('shows the program that would run, its arguments and its directory, and runs that', async () => {
    const { host, operator, agent } = await bench();
    const puppet = host.strings();
    const [, ...args] = puppet.command();
    const outcome = agent.manage({ action: 'open', command: ['node', ...args], cwd: '/tmp', name: 'mine' });
    const card = await operator.card();
    const { command } = JSON.parse(card.arguments_text);
    expect(command[0]).toMatch(/^\/.*\/node$/);
    expect(JSON.parse(card.arguments_text)).toEqual({
      command: [command[0], ...args],
      cwd: '/tmp',
      shell: false,
      name: 'mine',
    });
    expect(card).toMatchObject({ summary: { kind: 'open', tool: 'open' }, editable: false });
    await operator.decide(card.summary.call, 'approve');
    const report = await outcome;
    expect(report).toMatchObject({ kind: 'open', state: 'succeeded', result: { instance: 'hosted:1' } });
    expect(puppet.started.cwd).toBe(realpathSync('/tmp'));
    expect(await operator.instance('hosted:1')).toMatchObject({
      opened_by: agent.id,
      title: 'mine',
      command,
    });
  });

  test('takes the environment of the host, whatever the agent sends', async () => {
    const { host, operator, agent } = await bench();
    const puppet = host.strings();
    const env = { EVIL: '1', PATH: '/evil' };
    const outcome = agent.manage({ action: 'open', command: puppet.command(), env } as never);
    await operator.approve();
    expect(await outcome).toMatchObject({ state: 'succeeded' });
    expect(puppet.started.env).not.toHaveProperty('EVIL');
    expect(puppet.started.env.PATH).toBe(process.env.PATH);
    expect(puppet.started.env.HOME).toBe(host.directory);
  });

  test('of what cannot be run is refused before anybody is asked', async () => {
    const { operator, agent } = await bench();
    const open = (more: object) => agent.manage({ action: 'open', command: ['true'], ...more });
    await expect(open({ command: ['no-such-program'] })).rejects.toMatchObject({ code: rpcCodes.refused });
    await expect(open({ cwd: 'here' })).rejects.toMatchObject({ code: rpcCodes.invalidParams });
    expect(await operator.waiting()).toEqual([]);
  });

  test('that fails is a failed call with the reason', async () => {
    const { operator, agent } = await bench();
    const outcome = agent.manage({ action: 'open', command: ['true'] });
    await operator.approve();
    expect(await outcome).toMatchObject({
      state: 'failed',
      effect: 'possible',
      error: { message: expect.stringContaining('did not start as a Tick') },
    });
    expect((await agent.manage({ action: 'list' })).instances).toEqual([]);
  });
});

describe('closing and restarting', () => {
  test('wait for a person, and then happen', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { pid } = puppet.started;
    const restarted = agent.manage({ action: 'restart', instance: puppet.instance });
    const card = await operator.card();
    expect(card).toMatchObject({ summary: { kind: 'restart', instance: puppet.instance }, editable: false });
    expect(JSON.parse(card.arguments_text)).toEqual({ command: puppet.command(), cwd: '/' });
    expect(alive(pid)).toBe(true);
    await operator.approve();
    expect(await restarted).toMatchObject({ state: 'succeeded' });
    expect(alive(pid)).toBe(false);
    expect(puppet.started.pid).not.toBe(pid);
    const closed = agent.manage({ action: 'close', instance: puppet.instance });
    await operator.approve();
    expect(await closed).toMatchObject({ state: 'succeeded' });
    expect(await operator.instance(puppet.instance)).toMatchObject({ status: 'ended' });
    await expect(agent.manage({ action: 'close', instance: puppet.instance })).rejects.toMatchObject({
      code: rpcCodes.refused,
    });
  });

  test('is void once the program has been restarted, ended or forgotten', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { instance } = puppet;
    const close = agent.manage({ action: 'close', instance });
    await operator.card();
    const restart = agent.manage({ action: 'restart', instance });
    await operator.sees(2);
    await operator.client.request(operatorApi.close, { instance });
    expect(await close).toMatchObject({ state: 'stale', words: 'the program has ended' });
    await operator.sees(1);
    await operator.client.request(operatorApi.forget, { instance });
    expect(await restart).toMatchObject({ state: 'stale', words: 'the instance is no more' });
  });
});

describe('terminal input', () => {
  test('waits, shows where it would go, and arrives byte for byte', async () => {
    const { host, operator, agent } = await bench();
    const instance = await shell(operator, 'echo ready; read x; echo "got <$x>"; read y', 'ready');
    const outcome = agent.manage({ action: 'input', instance, text: 'rm -rf /\r' });
    const card = await operator.card();
    expect(card).toMatchObject({
      summary: { kind: 'input', instance },
      arguments_text: '{"text":"rm -rf /\\r"}',
      editable: false,
    });
    const { pid } = (await operator.instance(instance)) ?? {};
    expect(card.context?.[0]).toBe(`foreground process group ${pid}, echo on`);
    expect(card.context).toContain('ready');
    expect(await operator.text(instance)).not.toContain('rm');
    await operator.approve();
    expect(await outcome).toMatchObject({ state: 'succeeded' });
    await until('it arrived', async () => (await operator.text(instance)).includes('got <rm -rf />'));
    expect(JSON.stringify(host.journal())).not.toContain('rm -rf');
  });

  test('is void when the person types', async () => {
    const { operator, agent } = await bench();
    const instance = await shell(operator, 'echo ready; read x; echo "got <$x>"; read y', 'ready');
    const outcome = agent.manage({ action: 'input', instance, text: 'a\r' });
    await operator.card();
    operator.client.notify(operatorApi.type, { instance, base64: Buffer.from('b\r').toString('base64') });
    expect(await outcome).toMatchObject({ state: 'stale', words: 'somebody typed since it was shown' });
    await until('it got what was typed', async () => (await operator.text(instance)).includes('got <b>'));
  });

  test.each([
    ['set -m; read x; echo next; sh -c "read y; echo got $y" ', 'another program reads the terminal now'],
    ['read x; stty -echo; echo next; read y', 'the terminal changed its echo since it was shown'],
    [
      'read x; printf "\\033[?1049h"; echo next; read y',
      'the program switched its screen since it was shown',
    ],
  ])('is void when what reads it is another: %s', async (script, words) => {
    const { operator, agent } = await bench();
    const instance = await shell(operator, `echo ready; ${script}`, 'ready');
    const first = await agent.manage({ action: 'input', instance, text: 'one\r', wait: false });
    const second = await agent.manage({ action: 'input', instance, text: 'two\r', wait: false });
    await operator.decide(first.call, 'approve');
    expect(await agent.outcome(first.call)).toMatchObject({ state: 'succeeded' });
    await until('the next program reads', async () => (await operator.text(instance)).includes('next'));
    await until('approving it is stale', async () => {
      const call = second.call;
      if ((await agent.status(call)).state === 'waiting')
        await operator.decide(call, 'approve').catch(() => {});
      return true;
    });
    expect(await agent.outcome(second.call)).toMatchObject({ state: 'stale', words });
    expect(await operator.text(instance)).not.toContain('two');
  });

  test('into a program that has ended is refused', async () => {
    const { operator, agent } = await bench();
    const instance = await shell(operator, 'echo over', 'over');
    await until('it has ended', async () => (await operator.instance(instance))?.status === 'ended');
    await expect(agent.manage({ action: 'input', instance, text: 'x' })).rejects.toMatchObject({
      code: rpcCodes.refused,
    });
  });
});

describe('a screen', () => {
  test('is seen by an agent when the operator shares it, and no longer than that', async () => {
    const { host, operator, agent } = await bench();
    const instance = await shell(operator, 'echo secret; read x', 'secret');
    const look = () => agent.manage({ action: 'screen', instance });
    await expect(look()).rejects.toMatchObject({ code: rpcCodes.forbidden });
    await operator.client.request(operatorApi.share, { instance, shared: true });
    const { screen } = await look();
    expect(screen).toMatchObject({ cols: 120, rows: 30, cursor: { x: 0, y: 1 } });
    expect(screen.lines[0]).toBe('secret');
    expect(await (await host.agent()).manage({ action: 'screen', instance })).toEqual({ screen });
    await operator.client.request(operatorApi.share, { instance, shared: false });
    await expect(look()).rejects.toMatchObject({ code: rpcCodes.forbidden });
  });

  test('lends no title to who may not see it, nor words when its program fails', async () => {
    const { host, operator, agent } = await bench();
    const instance = await shell(
      operator,
      "printf '\\033]2;secret title\\007'; echo secret; read x",
      'secret',
    );
    const listed = async () => JSON.stringify(await agent.manage({ action: 'list' }));
    await until('the operator sees the title', async () => {
      return (await operator.instance(instance))?.screen_title === 'secret title';
    });
    // The command itself names it.
    expect(JSON.parse(await listed()).instances[0].screen_title).toBeUndefined();
    await operator.client.request(operatorApi.share, { instance, shared: true });
    expect(JSON.parse(await listed()).instances[0].screen_title).toBe('secret title');

    const puppet = await host.puppet(operator);
    await puppet.pull('exit', 0);
    await until('it ended', async () => (await operator.instance(puppet.instance))?.status === 'ended');
    rmSync(puppet.directory, { recursive: true, force: true });
    const restart = async () => {
      const report = agent.manage({ action: 'restart', instance: puppet.instance });
      await operator.approve();
      return (await report).error.message as string;
    };
    expect(await restart()).toMatch(/^".*puppet.*" did not start as a Tick: [^\n]*$/);
    await operator.client.request(operatorApi.share, { instance: puppet.instance, shared: true });
    expect(await restart()).toContain('\nIts screen began:\n');
  });

  test('is seen by the agent that opened it, alone', async () => {
    const { host, operator, agent } = await bench();
    const opened = agent.manage({ action: 'open', command: ['sh', '-c', 'echo mine; read x'], shell: true });
    await operator.approve();
    const { instance } = (await opened).result;
    await until('it shows', async () => (await operator.text(instance)).includes('mine'));
    expect((await agent.manage({ action: 'screen', instance })).screen.lines[0]).toBe('mine');
    const other = await host.agent();
    await expect(other.manage({ action: 'screen', instance })).rejects.toMatchObject({
      code: rpcCodes.forbidden,
    });
  });
});

describe('panes', () => {
  test('an agent gives one, at the end and once, and takes away only that', async () => {
    const { operator, puppet, agent } = await hostWithPuppet();
    const { instance } = puppet;
    const panes = async () => (await operator.client.request(operatorApi.picture, {})).layout.tabs;
    const view = (show: boolean) => agent.manage({ action: 'view', instance, show });
    await expect(view(false)).rejects.toMatchObject({ code: rpcCodes.forbidden });
    const [own] = await panes();
    expect(own?.root).toMatchObject({ type: 'pane', instance });
    expect(await view(true)).toEqual({ shown: true });
    expect(await panes()).toHaveLength(1);

    await operator.client.request(operatorApi.removePane, { pane: (own!.root as { pane: string }).pane });
    expect(await view(false)).toEqual({ shown: false });
    expect(await view(true)).toEqual({ shown: true });
    expect(await panes()).toMatchObject([{ name: 'Puppet', root: { instance } }]);
    const theirs = await operator.client.request(operatorApi.showInstance, { instance });
    expect(await view(false)).toEqual({ shown: true });
    expect(await panes()).toMatchObject([{ tab: theirs.tab, root: { pane: theirs.pane } }]);
    await expect(view(false)).rejects.toMatchObject({ code: rpcCodes.forbidden });
    expect(await operator.instance(instance)).toMatchObject({ status: 'running' });
  });
});

test('H-0-3: nothing of this is a message to the Tick', async () => {
  const { operator, puppet, agent } = await hostWithPuppet();
  const { instance } = puppet;
  await agent.manage({ action: 'list' });
  await agent.manage({ action: 'view', instance, show: true });
  await agent.manage({ action: 'subscribe', instance });
  await agent.manage({ action: 'unsubscribe', instance });
  for (const params of [
    { action: 'input' as const, instance, text: 'x' },
    { action: 'restart' as const, instance },
    { action: 'close' as const, instance },
  ]) {
    const outcome = agent.manage(params);
    await operator.approve();
    expect(await outcome).toMatchObject({ state: 'succeeded' });
  }
  const methods = puppet.received
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).method);
  expect(new Set(methods)).toEqual(new Set(['tick/describe', 'tick/read']));
});
