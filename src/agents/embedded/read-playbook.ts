/**
 * Reads a playbook's text. It reports everything that is wrong with it, each with its place, and
 * runs nothing; whether a tool or a state member exists only the Tick knows.
 */
import type { Condition, Playbook, Pointer, Rule, Template, TextPart } from './playbook.ts';
import { type Node, type Problem, Source } from './source.ts';
import { readPointer } from './values.ts';

export type ReadPlaybook = { ok: true; playbook: Playbook } | { ok: false; problems: Problem[] };

const day = 86_400;
const widest = Number.MAX_SAFE_INTEGER;
const defaultCooldownS = 30;

/** Parses JSON with comments and checks it against the format of `docs/playbook.md`. */
export function readPlaybook(text: string): ReadPlaybook {
  const source = new Source(text);
  const playbook = source.root && new PlaybookReader(source).playbook(source.root);
  if (playbook && source.problems.length === 0) return { ok: true, playbook };
  const problems = source.problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { ok: false, problems };
}

/** One line a problem, `path:line:column: message`, as compilers write it and editors jump to it. */
export function describeProblems(path: string, problems: readonly Problem[]): string {
  return problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`).join('\n');
}

const playbookMembers = ['name', 'start_after_s', 'pace_s', 'rules'];
const ruleMembers = [
  ...['name', 'kind', 'instance', 'when', 'tool', 'arguments', 'reason'],
  ...['cooldown_s', 'start_after_s'],
];
const comparisons = ['equals', 'above', 'below', 'at_least', 'at_most', 'contains'] as const;
const conditionMembers = ['path', ...comparisons, 'exists', 'changes'];
const stateMembers = ['$state', 'times', 'plus', 'round'];

class PlaybookReader {
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  playbook(node: Node): Playbook | undefined {
    const source = this.#source;
    const members = source.members(node, 'a playbook', playbookMembers);
    if (!members) return undefined;
    const rules = members.get('rules');
    if (!rules) return source.complain(node, 'a playbook needs "rules"');
    return {
      name: source.text(members.get('name'), 'name') ?? 'unnamed',
      startAfterS: source.number(members.get('start_after_s'), 'start_after_s', 0, day) ?? 0,
      paceS: source.number(members.get('pace_s'), 'pace_s', 0, day) ?? 0,
      rules: (source.list(rules, 'rules') ?? []).flatMap((rule, index) => this.#rule(rule, index + 1) ?? []),
    };
  }

  #rule(node: Node, number: number): Rule | undefined {
    const source = this.#source;
    const members = source.members(node, 'a rule', ruleMembers);
    if (!members) return undefined;
    const tool = source.text(members.get('tool'), 'tool');
    if (!members.has('tool')) source.complain(node, 'a rule needs "tool": what it proposes');
    const when = members.get('when');
    if (!when) source.complain(node, 'a rule needs "when": in what state it proposes');
    const target = this.#target(node, members);
    const conditions = when && this.#conditions(when);
    const argumentsNode = members.get('arguments');
    if (argumentsNode && argumentsNode.type !== 'object') {
      source.complain(argumentsNode, 'arguments must be an object');
    }
    const rule = {
      name: source.text(members.get('name'), 'name') ?? `rule ${number}`,
      arguments: argumentsNode
        ? this.#template(argumentsNode)
        : ({ type: 'literal', value: {} } satisfies Template),
      reason: this.#textParts(members.get('reason'), 'reason'),
      cooldownS: source.number(members.get('cooldown_s'), 'cooldown_s', 1, day) ?? defaultCooldownS,
      startAfterS: source.number(members.get('start_after_s'), 'start_after_s', 0, day) ?? 0,
    };
    return tool && target && conditions ? { ...rule, tool, target, when: conditions } : undefined;
  }

  #target(rule: Node, members: Map<string, Node>): Rule['target'] | undefined {
    const source = this.#source;
    if (members.has('kind') === members.has('instance')) {
      return source.complain(rule, 'a rule needs either "kind" or "instance": whom it is about');
    }
    const kind = source.text(members.get('kind'), 'kind');
    if (kind) return { kind };
    const node = members.get('instance');
    const instance = source.text(node, 'instance');
    if (!node || !instance) return undefined;
    if (!/^hosted:[1-9][0-9]{0,8}$/.test(instance)) {
      return source.complain(node, 'instance must look like hosted:2; only a Tick has a state');
    }
    return { instance };
  }

  #conditions(node: Node): Condition[] {
    if (node.type !== 'array') return this.#condition(node);
    if (!node.children?.length) this.#source.complain(node, 'when must hold a condition');
    return (node.children ?? []).flatMap((condition) => this.#condition(condition));
  }

  /** One object of the text: all of its comparisons must hold, so it gives as many conditions. */
  #condition(node: Node): Condition[] {
    const source = this.#source;
    const members = source.members(node, 'a condition', conditionMembers);
    if (!members) return [];
    const path = this.#pointer(members.get('path'), node, 'a condition needs "path"');
    if (members.size < 2) {
      source.complain(node, `a condition compares: give one of ${conditionMembers.slice(1).join(', ')}`);
    }
    if (!path) return [];
    const conditions: Condition[] = [];
    for (const type of comparisons) {
      const to = members.get(type);
      if (to) conditions.push({ type, path, to: this.#operand(type, to) });
    }
    const exists = members.get('exists');
    if (exists && exists.type !== 'boolean') source.complain(exists, 'exists must be true or false');
    else if (exists) conditions.push({ type: 'exists', path, expected: exists.value });
    const changes = members.get('changes');
    if (changes && changes.value !== true) source.complain(changes, 'changes can only be true');
    else if (changes) conditions.push({ type: 'changes', path });
    return conditions;
  }

  #operand(type: (typeof comparisons)[number], node: Node): Template {
    const template = this.#template(node);
    const any = type === 'equals' || type === 'contains';
    if (!any && template.type !== 'state' && node.type !== 'number') {
      this.#source.complain(node, `${type} compares with a number, or with a {"$state": …}`);
    }
    return template;
  }

  #template(node: Node): Template {
    if (node.type === 'array') {
      return { type: 'list', items: (node.children ?? []).map((item) => this.#template(item)) };
    }
    if (node.type !== 'object') return { type: 'literal', value: node.value ?? null };
    const names = new Set(node.children?.map((property) => property.children?.[0]?.value));
    if (names.has('$state')) return this.#stateValue(node);
    if (names.has('$text')) {
      const text = this.#source.members(node, 'a text from state', ['$text'])?.get('$text');
      return { type: 'text', parts: this.#textParts(text, '$text') };
    }
    const members = this.#source.members(node, 'this') ?? new Map<string, Node>();
    return { type: 'object', members: [...members].map(([name, value]) => [name, this.#template(value)]) };
  }

  #stateValue(node: Node): Template {
    const source = this.#source;
    const members = source.members(node, 'a value from state', stateMembers) ?? new Map<string, Node>();
    const path = this.#pointer(members.get('$state'), node, '"$state" is missing');
    const times = source.number(members.get('times'), 'times', -widest, widest);
    const plus = source.number(members.get('plus'), 'plus', -widest, widest);
    const round = source.number(members.get('round'), 'round', 0, 12);
    if (round !== undefined && !Number.isInteger(round)) {
      source.complain(members.get('round') ?? node, 'round must be a whole number of decimals');
    }
    return {
      type: 'state',
      path: path ?? { text: '', segments: [] },
      ...(times !== undefined && { times }),
      ...(plus !== undefined && { plus }),
      ...(round !== undefined && { round }),
    };
  }

  #pointer(node: Node | undefined, parent: Node, missing: string): Pointer | undefined {
    if (!node) return this.#source.complain(parent, missing);
    const pointer = node.type === 'string' ? readPointer(node.value) : undefined;
    if (pointer) return pointer;
    return this.#source.complain(node, 'this must be a JSON Pointer, such as "/bid" or "/orders/0/price"');
  }

  #textParts(node: Node | undefined, what: string): TextPart[] {
    const text = this.#source.text(node, what);
    if (!node || text === undefined) return [];
    // Every second piece of the split is what stood between the braces.
    return text.split(/\$\{([^}]*)\}/).flatMap((piece, index): TextPart[] => {
      if (index % 2 === 0) return piece ? [piece] : [];
      const pointer = readPointer(piece);
      if (pointer) return [pointer];
      this.#source.complain(node, `\${${piece}} must hold a JSON Pointer, such as \${/bid}`);
      return [];
    });
  }
}
