// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders of playbooks look like this
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/agents/embedded/playbook.ts';
import { describeProblems, readPlaybook } from '../../../src/agents/embedded/read-playbook.ts';
import { chooseTurn, newTurn } from '../../../src/agents/embedded/turns.ts';
import { NoValue } from '../../../src/agents/embedded/values.ts';
import type { Json } from '../../../src/protocol/messages.ts';

function oneRule(members: object): Rule {
  const rule = { kind: 'k', when: { path: '', exists: true }, tool: 't', ...members };
  const read = readPlaybook(JSON.stringify({ rules: [rule] }));
  if (!read.ok) throw new Error(describeProblems('rule', read.problems));
  return read.playbook.rules[0] as Rule;
}

/** What the rule would propose in `state`, having seen `before` first. */
function proposal(members: object, state: Json, before: Json = state): unknown {
  const turn = { ...newTurn(oneRule(members), 'hosted:1', state, 0), before };
  return chooseTurn([turn], 0)?.arguments ?? (turn.trouble ? new NoValue(turn.trouble) : undefined);
}

const holds = (when: object, state: Json, before?: Json) => proposal({ when }, state, before) !== undefined;

describe('conditions', () => {
  it.each<[object, Json, boolean]>([
    [{ path: '/a', equals: 1 }, { a: 1 }, true],
    [{ path: '/a', equals: '1' }, { a: 1 }, false],
    [{ path: '/a', equals: { b: [1, null] } }, { a: { b: [1, null] } }, true],
    [{ path: '/a', equals: null }, {}, false],
    [{ path: '/a', above: 1 }, { a: 1 }, false],
    [{ path: '/a', above: 1 }, { a: 1.5 }, true],
    [{ path: '/a', above: 1 }, { a: '2' }, false],
    [{ path: '/a', below: 1 }, { a: 0 }, true],
    [{ path: '/a', below: 1 }, {}, false],
    [{ path: '/a', at_least: 1 }, { a: 1 }, true],
    [{ path: '/a', at_most: 1 }, { a: 1 }, true],
    [{ path: '/a', at_least: 1, below: 3 }, { a: 3 }, false],
    [{ path: '/a', above: { $state: '/b', times: 2 } }, { a: 5, b: 2 }, true],
    [{ path: '/a', above: { $state: '/c' } }, { a: 5 }, false],
    [{ path: '/a', contains: 'ell' }, { a: 'hello' }, true],
    [{ path: '/a', contains: 1 }, { a: '123' }, false],
    [{ path: '/a', contains: { x: 1 } }, { a: [0, { x: 1 }] }, true],
    [{ path: '/a', exists: true }, { a: null }, true],
    [{ path: '/a/0', exists: false }, { a: [] }, true],
    [{ path: '/a/01', exists: true }, { a: [1, 2] }, false],
    [{ path: '/a/length', exists: true }, { a: [1, 2] }, false],
    [{ path: '/constructor', exists: true }, {}, false],
    [{ path: '/a~1b/~0', exists: true }, { 'a/b': { '~': 1 } }, true],
  ])('%j in %j: %s', (when, state, expected) => {
    expect(holds(when, state)).toBe(expected);
  });

  it('must all hold', () => {
    const when = [
      { path: '/a', above: 1 },
      { path: '/b', equals: 'x' },
    ];
    expect(holds(when, { a: 2, b: 'x' })).toBe(true);
    expect(holds(when, { a: 2, b: 'y' })).toBe(false);
  });

  it('see a change against the state before', () => {
    const when = { path: '/a', changes: true };
    expect(holds(when, { a: [1], b: 1 }, { a: [1], b: 2 })).toBe(false);
    expect(holds(when, { a: [2] }, { a: [1] })).toBe(true);
    expect(holds(when, {}, { a: [1] })).toBe(true);
  });
});

describe('arguments', () => {
  it('take values from the state at any depth', () => {
    const args = {
      order: [{ price: { $state: '/bid', times: 2, plus: 1, round: 1 } }, { $state: '/ids' }],
      words: { $text: '${/ids/0} of ${/nobody}: ${/bid}' },
      plain: 7,
    };
    expect(proposal({ arguments: args }, { bid: 1.26, ids: ['x', 2] })).toEqual({
      order: [{ price: 3.5 }, ['x', 2]],
      words: 'x of ?: 1.26',
      plain: 7,
    });
  });

  it('say why they have no value', () => {
    expect(proposal({ arguments: { a: { $state: '/x' } } }, {})).toEqual(new NoValue('the state has no /x'));
    expect(proposal({ arguments: { a: { $state: '/x', plus: 1 } } }, { x: 'y' })).toEqual(
      new NoValue('/x is not a number'),
    );
  });

  it('may hold a member of any name', () => {
    const read = readPlaybook(
      '{"rules": [{"kind": "k", "when": {"path": "", "exists": true}, "tool": "t", "arguments": {"__proto__": {"$state": "/a"}}}]}',
    );
    if (!read.ok) throw new Error(describeProblems('', read.problems));
    const turn = newTurn(read.playbook.rules[0] as Rule, 'hosted:1', { a: 1 }, 0);
    expect(JSON.stringify(chooseTurn([turn], 0)?.arguments)).toBe('{"__proto__":1}');
  });
});

describe('a playbook that is wrong', () => {
  function complaints(text: string): string {
    const read = readPlaybook(text);
    return read.ok ? 'fine' : describeProblems('p.jsonc', read.problems);
  }

  it.each([
    ['', 'p.jsonc:1:1: a value is expected here'],
    ['{\n  "rules": [,]\n}', 'p.jsonc:2:13: a value is expected here'],
    ['[]', 'p.jsonc:1:1: a playbook must be an object'],
    ['{}', 'p.jsonc:1:1: a playbook needs "rules"'],
    [
      '{"rules": [],\r\n "pace": 3}',
      'p.jsonc:2:2: a playbook has no member "pace"; it may have name, start_after_s, pace_s, rules',
    ],
    ['{"rules": [], "pace_s": -1}', 'p.jsonc:1:25: pace_s must be a number from 0 to 86400'],
    ['{"rules": [], "rules": []}', 'p.jsonc:1:15: "rules" is already given above'],
  ])('%j', (text, expected) => {
    expect(complaints(text)).toBe(expected);
  });

  it('hears of everything at once, in order', () => {
    const text = `{
  "rules": [
    {
      "kind": "k", "instance": "hosted:1",
      "when": [{ "path": "bid", "above": "much" }, { "path": "/a" }],
      "tool": "",
      "reason": "\${bid}",
      "arguments": { "x": { "$state": "/a", "minus": 1, "round": 0.5 } },
    },
    { "instance": "shell:1" },
  ],
}`;
    expect(complaints(text).split('\n')).toEqual([
      'p.jsonc:3:5: a rule needs either "kind" or "instance": whom it is about',
      'p.jsonc:5:26: this must be a JSON Pointer, such as "/bid" or "/orders/0/price"',
      'p.jsonc:5:52: a condition compares: give one of equals, above, below, at_least, at_most, contains, exists, changes',
      'p.jsonc:6:15: tool must be a text that is not empty',
      'p.jsonc:7:17: ${bid} must hold a JSON Pointer, such as ${/bid}',
      'p.jsonc:8:45: a value from state has no member "minus"; it may have $state, times, plus, round',
      'p.jsonc:8:66: round must be a whole number of decimals',
      'p.jsonc:10:5: a rule needs "tool": what it proposes',
      'p.jsonc:10:5: a rule needs "when": in what state it proposes',
      'p.jsonc:10:19: instance must look like hosted:2; only a Tick has a state',
    ]);
  });
});

describe('the playbooks we ship', () => {
  it('demo/playbook.jsonc is one', () => {
    const read = readPlaybook(readFileSync('demo/playbook.jsonc', 'utf8'));
    expect(read).toMatchObject({ ok: true, playbook: { startAfterS: 6, paceS: 25 } });
  });

  it('the example of docs/playbook.md is one', () => {
    const [, example] = /```jsonc\n([\s\S]*?)```/.exec(readFileSync('docs/playbook.md', 'utf8')) ?? [];
    expect(readPlaybook(example ?? '')).toMatchObject({ ok: true });
  });
});
