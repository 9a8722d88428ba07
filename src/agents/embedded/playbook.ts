/**
 * A playbook: which calls the rules driver proposes, and when. Data only; `read-playbook.ts` makes
 * it from text, `docs/playbook.md` explains it to people. Times are seconds, as people write them.
 */
import type { Json } from '../../protocol/messages.ts';

export interface Playbook {
  /** Shown in the log. */
  name: string;
  /** No rule proposes earlier than this after the loop started. */
  startAfterS: number;
  /** Shortest time between two proposals, whichever rules they come from. */
  paceS: number;
  rules: Rule[];
}

export interface Rule {
  name: string;
  /** Every Tick of a kind, or one instance. */
  target: { kind: string } | { instance: string };
  /** All of them must hold. */
  when: Condition[];
  tool: string;
  arguments: Template;
  reason: TextPart[];
  /** From the settlement of the rule's last call on an instance to its next one there. */
  cooldownS: number;
  /** From the first state seen of an instance to the rule's first call there. */
  startAfterS: number;
}

/** A JSON Pointer (RFC 6901), read once. */
export interface Pointer {
  readonly text: string;
  readonly segments: readonly string[];
}

export type Condition =
  | { type: 'equals' | 'above' | 'below' | 'at_least' | 'at_most' | 'contains'; path: Pointer; to: Template }
  | { type: 'exists'; path: Pointer; expected: boolean }
  | { type: 'changes'; path: Pointer };

/** JSON in which any value may be taken from the state; `text` is `{"$text": "sold at ${/bid}"}`. */
export type Template =
  | { type: 'literal'; value: Json }
  | { type: 'list'; items: Template[] }
  | { type: 'object'; members: [string, Template][] }
  | { type: 'text'; parts: TextPart[] }
  | StateValue;

/** `{"$state": "/bid", "times": 0.99, "plus": 0.01, "round": 2}`, worked out in this order. */
export interface StateValue {
  type: 'state';
  path: Pointer;
  times?: number;
  plus?: number;
  /** Decimals. */
  round?: number;
}

/** Text as it is, or the value a `${/pointer}` names. */
export type TextPart = string | Pointer;
