/** Every session of this user that has a host, or had one that did not end by itself. Starts none and waits for none. */
import { sessionNames, sessionPaths } from '../../platform/paths.ts';
import { isStopped } from '../../platform/process-identity.ts';
import { heldSince, sessionHolder } from '../../platform/session-lock.ts';
import { operatorApi } from '../../rpc/api/index.ts';
import { connect } from '../../rpc/socket.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit.ts';
import { age, type Output } from '../output.ts';

/** A host that has not answered after this is told as busy, in milliseconds. */
const patienceMs = 10_000;

interface Listed {
  session: string;
  status: 'running' | 'stopped' | 'silent' | 'gone';
  pid?: number;
  /** Milliseconds since 1970. */
  since?: number;
  /** Attached views. */
  views?: number;
  /** Calls that wait for approval. */
  waiting?: number;
}

const statusWords: Record<Listed['status'], string> = {
  running: 'running',
  stopped: 'stopped',
  silent: 'does not answer',
  gone: 'host gone',
};

export async function listSessions(context: Context, output: Output): Promise<number> {
  const found = await Promise.all(sessionNames(context.env).map((name) => look(name, context)));
  const sessions = found.filter((one) => one !== undefined);
  await output.answerTable(
    { sessions },
    'No session runs: `tickmux` starts one.',
    ['SESSION', 'STATUS', 'PID', 'SINCE', 'VIEWS', 'WAITING'],
    sessions.map(({ session, status, pid, since, views, waiting }) => [
      session,
      statusWords[status],
      pid === undefined ? '' : String(pid),
      since === undefined ? '' : age(since),
      views === undefined ? '' : String(views),
      waiting ? String(waiting) : '',
    ]),
  );
  for (const one of sessions) {
    const words = wayOut(one);
    if (words !== undefined) output.remark(words);
  }
  return exitCodes.ok;
}

/** Undefined for a session that ended as it should, or never began. */
async function look(session: string, context: Context): Promise<Listed | undefined> {
  const paths = sessionPaths(session, context.env);
  const since = heldSince(paths.run);
  if (since === undefined) return undefined;
  const holder = sessionHolder(paths.run);
  if (!holder) return { session, status: 'gone' };
  const { pid } = holder;
  if (isStopped(pid)) return { session, status: 'stopped', pid, since };
  const counts = await ask(paths.operatorSocket, context.version);
  return { session, status: counts ? 'running' : 'silent', pid, since, ...counts };
}

async function ask(socket: string, version: string): Promise<{ views: number; waiting: number } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  const connecting = connect(socket);
  const asking = connecting.then(async (client) => {
    await client.request(operatorApi.hello, { name: 'tickmux cli', version });
    const { views, waiting } = await client.request(operatorApi.picture, {});
    return { views, waiting: waiting.length };
  });
  try {
    return await Promise.race([asking.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
    void connecting.then(
      (client) => client.close(),
      () => {},
    );
  }
}

function wayOut({ session, status, pid }: Listed): string | undefined {
  switch (status) {
    case 'running':
      return undefined;
    case 'stopped':
      return `${session}: \`kill -CONT ${pid}\` lets its host go on, \`kill -KILL ${pid}\` ends it with all its programs.`;
    case 'silent':
      return `${session}: its host (process ${pid}) runs, but does not answer; \`kill -USR1 ${pid}\` makes its sockets anew.`;
    case 'gone':
      return `${session}: its host ended without a word; \`tickmux -s ${session}\` starts the session anew.`;
  }
}
