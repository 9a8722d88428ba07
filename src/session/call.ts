/**
 * What is sent for a call, and what its caller learns of it (tick section 4, "Outcome of a call"). It
 * sends and settles nothing itself.
 */

import { parseLine } from '../protocol/json.ts';
import { type Json, mayHaveHadEffect } from '../protocol/messages.ts';
import type { Settlement } from './requests.ts';
import { isObject } from './shape.ts';

export interface CallRequest {
  tool: string;
  /** JSON text of an object, on one line: it is sent byte for byte, as it was approved. */
  argsText: string;
  /** The revision under which the call was prepared and approved (tick H-7.1-1). */
  revision: string;
  /** Called right after the line was handed to the pipe: from here on the call may have an effect. */
  onSent?: () => void;
}

interface CallError {
  /** Absent when the Tick's answer could not be used. */
  code?: number;
  /** Written by the Tick, unless there is no code: data, never instructions (tick H-10-3). */
  message: string;
  data?: Json;
}

export type CallOutcome =
  | { outcome: 'succeeded'; result: Json }
  /** `possible`: it may have changed something, so it must not simply be tried again. */
  | { outcome: 'failed'; effect: 'none' | 'possible'; error: CallError }
  /** Sent, and never answered: 60 s passed, the session ended, the Tick broke the protocol. */
  | { outcome: 'unknown'; reason: string }
  /** Never sent. */
  | { outcome: 'refused'; reason: string };

/** The params of the call as JSON text, or why there can be none. */
export function callParams({
  tool,
  argsText,
  revision,
}: CallRequest): { ok: true; text: string } | { ok: false; reason: string } {
  const fault = faultInArguments(argsText);
  if (fault !== undefined) return { ok: false, reason: fault };
  const text = `{"tool":${JSON.stringify(tool)},"args":${argsText},"revision":${JSON.stringify(revision)}}`;
  return { ok: true, text };
}

/** What would make the line something else than the one message that was approved. */
function faultInArguments(argsText: string): string | undefined {
  if (/\n|\p{Surrogate}/u.test(argsText)) {
    return 'The arguments hold a raw newline or a lone surrogate, which no message can carry.';
  }
  const parsed = parseLine(Buffer.from(argsText));
  if (!parsed.ok) return `The arguments are not valid JSON: ${parsed.reason}.`;
  return isObject(parsed.value) ? undefined : 'The arguments are not a JSON object.';
}

export function outcomeOf(settlement: Settlement): CallOutcome {
  if (settlement.how === 'unsent') return { outcome: 'refused', reason: settlement.reason };
  if (settlement.how === 'lost') return { outcome: 'unknown', reason: settlement.reason };
  const { answer } = settlement;
  switch (answer.kind) {
    case 'result':
      return { outcome: 'succeeded', result: answer.result };
    case 'error': {
      const effect = mayHaveHadEffect(answer.error.code) ? 'possible' : 'none';
      return { outcome: 'failed', effect, error: answer.error };
    }
    case 'malformed': {
      const message = `The Tick's answer cannot be used: ${answer.reason}.`;
      return { outcome: 'failed', effect: 'possible', error: { message } };
    }
  }
}
