/**
 * Runs trusted code on untrusted input under a deadline, without a thread: V8 stops even a regular
 * expression that backtracks without end. It is a guard against hanging, not a sandbox.
 */

import { type Context, createContext, Script } from 'node:vm';
import { cpuMs, recentCpuMs } from './cpu-time.ts';

let runner: { context: Context; script: Script } | undefined;

const mostTries = 3;

/**
 * The same for work that may be stopped and begun anew: it is, when the process got less than half of the time,
 * since then it was the machine that was slow.
 */
export function withinDeadlineAgain<T>(milliseconds: number, work: () => T): { value: T } | undefined {
  for (let tries = 1; ; tries++) {
    const before = recentCpuMs();
    const done = withinDeadline(milliseconds, work);
    if (done || tries === mostTries) return done;
    if (cpuMs() - before > milliseconds / 2) return undefined;
  }
}

/**
 * @param milliseconds how long `work` may take.
 * @returns what `work` returns, or `undefined` when it was stopped; what it was building is then in
 * an unknown state and must be thrown away. What `work` throws is thrown.
 */
export function withinDeadline<T>(milliseconds: number, work: () => T): { value: T } | undefined {
  runner ??= { context: createContext({ work: undefined }), script: new Script('work()') };
  const { context, script } = runner;
  context.work = work;
  try {
    return { value: script.runInContext(context, { timeout: milliseconds }) as T };
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context.work = undefined;
  }
}
