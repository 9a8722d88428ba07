/** What agents ask for beyond calls of tools: programs and keystrokes, each as a card of its own. */
import { beforeAll, expect, it } from 'vitest';
import { agentApi } from '../../src/rpc/api/index.ts';
import type { Params } from '../../src/rpc/api/message.ts';
import type { Client } from '../../src/rpc/client.ts';
import { builtCli, prefix, TestSession } from '../support/end-to-end.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';

let cli: string;
beforeAll(() => {
  cli = builtCli();
}, 120_000);

/** Asks for something that a person decides; looked at where it is awaited. */
function manage(agent: Client, params: Params<typeof agentApi.tickManage>) {
  const report = agent.request(agentApi.tickManage, params);
  report.catch(() => {});
  return report;
}

/** Opens the card, checks what it shows, and approves it. */
async function approve(screen: OuterTerminal, ...shown: (string | RegExp)[]): Promise<void> {
  await screen.shows('1 waiting');
  screen.press(`${prefix}a`);
  await screen.shows('Approve?', 'y once', ...shown);
  await screen.pressUntil('y', '0 waiting');
}

it('queues opening, typing, restarting and ending with exactly what would happen', async () => {
  const session = new TestSession(cli);
  const screen = session.tickmux();
  await screen.shows('shell:1 sh', '$');
  // Keys that come after a decision go to the program with the focus: one that shows nothing.
  screen.press('stty -echo; cat > /dev/null\r');
  const agent = await session.agent();

  const opened = manage(agent, {
    action: 'open',
    command: ['sh', '-c', 'echo started; exec cat', 'two words', "it's \x1b[31m"],
    cwd: session.directory,
    shell: true,
    name: 'helper',
    reason: 'to help',
  });
  await approve(screen, 'Start a program', /\[0\] +"\/.*\/sh"/, /"echo started; exec cat"/, /"two words"/);
  expect(await opened).toMatchObject({ kind: 'open', state: 'succeeded', result: { instance: 'shell:2' } });

  // It asks for a pane, which takes nobody's focus.
  await agent.request(agentApi.tickManage, { action: 'view', instance: 'shell:2', show: true });
  await screen.shows(/ 2 helper /);
  expect(screen.holds(/ 1 sh\*/)).toBe(true);
  screen.press(`${prefix}2`);
  await screen.shows('shell:2 helper', 'started');
  screen.press(`${prefix}1`);
  await screen.shows(/ 1 sh\*/);

  const typed = manage(agent, {
    action: 'input',
    instance: 'shell:2',
    text: 'rm -rf x\x03\r',
  });
  await approve(screen, 'Type into', 'shell:2', /"rm -rf x␃␍"/, 'it would go to', '│ started');
  expect(await typed).toMatchObject({ kind: 'input', state: 'succeeded' });
  await screen.until('cat was interrupted', async () => {
    const { instances } = await session.picture();
    return instances.find(({ instance }) => instance === 'shell:2')?.status === 'ended';
  });

  const restarted = manage(agent, { action: 'restart', instance: 'shell:2' });
  await approve(screen, 'Restart', 'shell:2 helper', '"echo started; exec cat"');
  expect(await restarted).toMatchObject({ kind: 'restart', state: 'succeeded' });
  const pid = await session.pid('shell:2');

  const closed = manage(agent, { action: 'close', instance: 'shell:2' });
  await approve(screen, 'End', 'shell:2 helper');
  expect(await closed).toMatchObject({ kind: 'close', state: 'succeeded' });
  expect(session.processes.map((process) => process.pid)).not.toContain(pid);
});
