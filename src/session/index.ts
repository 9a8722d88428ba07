/** One conversation with a Tick: what the rest of the host needs of it. */

export type { CallOutcome } from './call.ts';
export { Session, type SessionEnd } from './session.ts';
