/** One conversation with a Tick: what the rest of the host needs of it. */

export type { CallError, CallOutcome, CallRequest } from './call.ts';
export type { Failure } from './query.ts';
export {
  type DescribeResult,
  type InitializeResult,
  type ReadResult,
  Session,
  type SessionEnd,
} from './session.ts';
export type { LatestState } from './state.ts';
export type { SessionState } from './states.ts';
