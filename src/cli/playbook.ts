/** Gives the rules driver its playbook and an agent's connection to the host, like anybody's. */
import { readFileSync } from 'node:fs';
import { describeProblems, type Playbook, readPlaybook, startRules } from '../agents/embedded/index.ts';
import type { Host } from '../host/index.ts';
import { agentApi } from '../rpc/api/index.ts';
import { Client } from '../rpc/client.ts';
import { serve } from '../rpc/server.ts';
import { streamPair } from '../rpc/socket.ts';
import { CliError } from './exit.ts';
import { whyUnreadable } from './unreadable.ts';

/** Throws a CliError with every problem and its place when the file is not a playbook. */
export function readPlaybookFile(path: string): Playbook {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`The playbook ${path} cannot be read: ${whyUnreadable(error)}.`);
  }
  const read = readPlaybook(text);
  if (!read.ok) throw new CliError(`The playbook cannot be used:\n${describeProblems(path, read.problems)}`);
  return read.playbook;
}

/** Runs until the host ends. */
export function runPlaybook(playbook: Playbook, host: Host, version: string): void {
  const [hostEnd, agentEnd] = streamPair();
  serve(hostEnd, agentApi, (outlet) => host.acceptAgent(outlet));
  const driver = startRules({
    client: new Client(agentEnd),
    playbook,
    version,
    log: ({ level, text, instance, call }) => host.log.add(level, text, { instance, call }),
  });
  void host.ended.then(() => driver.stop());
}
