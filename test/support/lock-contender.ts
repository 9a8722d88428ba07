/** Tries to take a session's lock once it is told to, says how that went, and holds it until its input ends. */
import { type LockWay, SessionHeld, takeSessionLock } from '../../src/platform/session-lock.ts';

const [run, way] = process.argv.slice(2);
process.stdin.once('data', async () => {
  try {
    await takeSessionLock(run as string, way as LockWay);
    console.log('won');
  } catch (error) {
    if (!(error instanceof SessionHeld)) throw error;
    console.log('held');
  }
});
process.stdin.on('end', () => process.exit());
console.log('ready');
