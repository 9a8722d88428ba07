/**
 * What a describe or a read came to, before the descriptor or the state in it is looked at.
 */

import { brief } from '../protocol/brief.ts';
import type { Json } from '../protocol/messages.ts';
import type { Settlement } from './requests.ts';

/** Something asked of the Tick that failed alone; the session goes on. */
export interface Failure {
  ok: false;
  /** One or more sentences. */
  reason: string;
  /** The requirement that the Tick broke, when it is one with a name, for example `H-5.3-1b`. */
  requirement?: string;
}

export function resultOf(
  method: string,
  settlement: Settlement,
): { ok: true; result: Json; lineBytes: number } | Failure {
  if (settlement.how !== 'answered') {
    const { reason } = settlement;
    const requirement = settlement.how === 'lost' ? settlement.requirement : undefined;
    return { ok: false, reason, ...(requirement !== undefined && { requirement }) };
  }
  const { answer } = settlement;
  if (answer.kind === 'result') return { ok: true, result: answer.result, lineBytes: answer.lineBytes };
  if (answer.kind === 'error') {
    const { code, message } = answer.error;
    return { ok: false, reason: `The Tick answered ${method} with error ${code}: ${brief(message)}` };
  }
  const reason = `The answer to ${method} cannot be used: ${answer.reason}.`;
  return { ok: false, reason, ...(answer.requirement !== undefined && { requirement: answer.requirement }) };
}
