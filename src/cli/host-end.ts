/** Waits for the host of a session that was told to end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { SessionPaths } from '../platform/paths.ts';
import { sessionHolder } from '../platform/session-lock.ts';
import { CliError } from './exit.ts';

/** Programs get two seconds to end after SIGTERM; the host then ends too, on a busy machine after some more. */
const endMs = 30_000;

/** Settles when the host is gone and all its programs with it; throws a `CliError` when that takes too long. */
export async function hostEnd(paths: SessionPaths): Promise<void> {
  const deadline = Date.now() + endMs;
  for (let holder = sessionHolder(paths.run); holder; holder = sessionHolder(paths.run)) {
    if (Date.now() > deadline) {
      throw new CliError(
        `The host of session ${paths.session} (process ${holder.pid}) is still ending: its log is ${paths.log}.`,
      );
    }
    await delay(20);
  }
}
