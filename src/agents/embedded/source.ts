/**
 * JSON with comments in which every value knows its place, so that a complaint can name line and
 * column. What the values mean is the caller's business.
 */
import { type Node, type ParseError, type ParseErrorCode, parseTree } from 'jsonc-parser';

export type { Node };

export interface Problem {
  /** Both from 1; the column counts UTF-16 units, as editors do. */
  line: number;
  column: number;
  message: string;
}

/** By the numbers of jsonc-parser's ParseErrorCode. */
const syntaxWords: Partial<Record<ParseErrorCode, string>> = {
  1: 'this is not JSON',
  2: 'this is not a number',
  3: 'a member name in double quotes is expected here',
  4: 'a value is expected here',
  5: 'a colon is expected here',
  6: 'a comma is expected here',
  7: 'a closing brace is expected here',
  8: 'a closing bracket is expected here',
  9: 'nothing may follow the end of the playbook',
  11: 'this comment has no end',
  12: 'this string has no end',
};

export class Source {
  readonly problems: Problem[] = [];
  /** Absent when the text is not JSON with comments; `problems` then says why. */
  readonly root: Node | undefined;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true });
    // What follows a syntax error is guesswork of the parser: the first is the one to mend.
    const [first] = errors;
    if (first) this.#complainAt(first.offset, syntaxWords[first.error] ?? 'this is not JSON');
    else this.root = root;
  }

  complain(node: Node, message: string): undefined {
    this.#complainAt(node.offset, message);
  }

  /** Members of an object by name. Complains about anything else, unknown members and double ones. */
  members(node: Node, what: string, known?: readonly string[]): Map<string, Node> | undefined {
    if (node.type !== 'object') return this.complain(node, `${what} must be an object`);
    const members = new Map<string, Node>();
    for (const property of node.children ?? []) {
      const [name, value] = property.children ?? [];
      if (!name || !value) continue;
      const key = String(name.value);
      if (known && !known.includes(key)) {
        this.complain(name, `${what} has no member ${JSON.stringify(key)}; it may have ${known.join(', ')}`);
      } else if (members.has(key)) {
        this.complain(name, `${JSON.stringify(key)} is already given above`);
      } else {
        members.set(key, value);
      }
    }
    return members;
  }

  list(node: Node, what: string): Node[] | undefined {
    if (node.type !== 'array') return this.complain(node, `${what} must be a list`);
    return node.children ?? [];
  }

  text(node: Node | undefined, what: string): string | undefined {
    if (!node) return undefined;
    if (node.type !== 'string' || node.value === '') {
      return this.complain(node, `${what} must be a text that is not empty`);
    }
    return node.value;
  }

  number(node: Node | undefined, what: string, least: number, most: number): number | undefined {
    if (!node) return undefined;
    if (node.type !== 'number' || node.value < least || node.value > most) {
      return this.complain(node, `${what} must be a number from ${least} to ${most}`);
    }
    return node.value;
  }

  #complainAt(offset: number, message: string): void {
    const before = this.#text.slice(0, offset).split(/\r\n|\n|\r/);
    this.problems.push({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message });
  }
}
