/**
 * Whose turn it is: one turn for each rule on each instance it is about, with what the rule has seen
 * there and when it may propose next. Knows no connection and no clock; times are milliseconds.
 */
import type { Json } from '../../protocol/messages.ts';
import { allHold } from './conditions.ts';
import type { Rule } from './playbook.ts';
import { fill, NoValue } from './values.ts';

export interface Turn {
  readonly rule: Rule;
  readonly instance: string;
  state: Json;
  /** The state when the rule last proposed, or the first one it saw: what `changes` compares with. */
  before: Json;
  /** Its last call is unsettled. */
  waiting: boolean;
  /** It stays silent on this instance: nobody knows how its last call ended. */
  resting: boolean;
  notBefore: number;
  lastProposed: number;
  /** Why it could not propose although its conditions held, and what of that was said already. */
  trouble: string | undefined;
  troubleSaid: string | undefined;
  /** What the host refused its last proposal with. */
  refusal: string | undefined;
}

export function newTurn(rule: Rule, instance: string, state: Json, now: number): Turn {
  return {
    rule,
    instance,
    state,
    before: state,
    waiting: false,
    resting: false,
    notBefore: now + rule.startAfterS * 1000,
    lastProposed: Number.NEGATIVE_INFINITY,
    trouble: undefined,
    troubleSaid: undefined,
    refusal: undefined,
  };
}

export interface Ready {
  turn: Turn;
  arguments: { [name: string]: Json };
}

/**
 * The turn that may propose now: of those whose conditions hold, the one that proposed longest ago,
 * so that a rule that always holds cannot keep the others from their turn.
 */
export function chooseTurn(turns: Iterable<Turn>, now: number): Ready | undefined {
  const due = [...turns]
    .filter((turn) => !turn.waiting && !turn.resting && turn.notBefore <= now)
    .sort((a, b) => (a.lastProposed === b.lastProposed ? 0 : a.lastProposed - b.lastProposed)); // -∞ - -∞ is NaN
  for (const turn of due) {
    if (!allHold(turn.rule.when, turn.state, turn.before)) continue;
    const filled = fill(turn.rule.arguments, turn.state);
    if (filled instanceof NoValue) turn.trouble = filled.why;
    else return { turn, arguments: filled as { [name: string]: Json } };
  }
  return undefined;
}

/** When a turn that only has to wait for time comes due next; infinite when there is none. */
export function nextDue(turns: Iterable<Turn>, now: number): number {
  const times = [...turns].filter((turn) => !turn.waiting && !turn.resting && turn.notBefore > now);
  return Math.min(Number.POSITIVE_INFINITY, ...times.map((turn) => turn.notBefore));
}
