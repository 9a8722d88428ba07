/**
 * JSON with comments against a schema, for files that people write: every complaint knows its line and
 * column, and an unknown key is told the known one that was probably meant. Opens no file.
 */
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type Complaint, compileOwnSchema } from '../schema/index.ts';
import { nearest } from './nearest.ts';

export interface Problem {
  /** Both from 1; the column counts UTF-16 units, as editors do. */
  line: number;
  column: number;
  message: string;
  /** The keys and indices that lead to the value; empty for the whole text, and for what is no JSON at all. */
  path: readonly (string | number)[];
}

/** The parts of JSON Schema that are looked up here. */
interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  patternProperties?: Record<string, SchemaNode>;
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  definitions?: Record<string, SchemaNode>;
  $ref?: string;
  /** What the value should be, in words that go on after "must be": better than a pattern. */
  $comment?: string;
}

const syntaxWords: Record<string, string> = {
  InvalidSymbol: 'this is not JSON: a text stands in double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a key in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'a closing brace is expected here',
  CloseBracketExpected: 'a closing bracket is expected here',
  EndOfFileExpected: 'nothing may follow the end',
  UnexpectedEndOfComment: 'this comment has no end',
  UnexpectedEndOfString: 'this text has no end',
};

/** A text people wrote, read once. Trailing commas are allowed. */
export class JsoncText {
  readonly problems: Problem[] = [];
  readonly #text: string;
  /** Absent when the text is no JSON with comments. */
  readonly #root: Node | undefined;

  constructor(text: string) {
    this.#text = text;
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true });
    const [error] = errors;
    // What follows a syntax error is guesswork of the parser: the first is the one to mend.
    if (error) {
      const words = syntaxWords[printParseErrorCode(error.error)];
      this.#complainAt(error.offset, words ?? 'this is not JSON', []);
    } else if (root) {
      this.#root = root;
      this.#findDoubles(root, []);
    }
  }

  /** Undefined when the text is no JSON with comments. */
  get value(): unknown {
    return this.#root && getNodeValue(this.#root);
  }

  /** Complains about everything in the value that `schema` does not allow. */
  check(schema: object): void {
    if (!this.#root) return;
    for (const complaint of compileOwnSchema(schema)(this.value)) this.#tell(complaint, schema);
    this.problems.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  /** Complains about the value there; about its key when `atKey`. */
  complain(path: readonly (string | number)[], message: string, atKey = false): void {
    // What is missing is complained about where it should stand: in the nearest thing that is there.
    let place = [...path];
    let node = this.#root && findNodeAtLocation(this.#root, place);
    while (!node && place.length > 0) {
      place = place.slice(0, -1);
      node = this.#root && findNodeAtLocation(this.#root, place);
    }
    const key =
      place.length === path.length && node?.parent?.type === 'property'
        ? node.parent.children?.[0]
        : undefined;
    this.#complainAt(((atKey && key) || node)?.offset ?? 0, message, path);
  }

  #tell({ path: pointer, message }: Complaint, schema: object): void {
    const path = this.#pathOf(pointer);
    const name = nameOf(path);
    const key = String(path.at(-1));
    if (message === 'is not a known property') {
      const known = knownKeys(schemaAt(schema, path.slice(0, -1)));
      const meant = nearest(key, known);
      const inside = path.length > 1 ? ` in ${nameOf(path.slice(0, -1))}` : '';
      const there = `there is no ${JSON.stringify(key)}${inside}`;
      const help =
        meant === undefined ? `there may be ${listed(known)}` : `did you mean ${JSON.stringify(meant)}?`;
      this.complain(path, `${there}: ${help}`, true);
      return;
    }
    const words = schemaAt(schema, path)?.$comment;
    const better = words !== undefined && /^must (match|fit|be one of|be "|have at least)/.test(message);
    this.complain(path, `${name} ${better ? `must be ${words}` : message}`);
  }

  /** Keys that are numbers, and indices, look the same in a pointer. */
  #pathOf(pointer: string): (string | number)[] {
    const path: (string | number)[] = [];
    for (const part of pointer.split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const parent = this.#root && findNodeAtLocation(this.#root, path);
      path.push(parent?.type === 'array' ? Number(key) : key);
    }
    return path;
  }

  #findDoubles(node: Node, path: (string | number)[]): void {
    const seen = new Set<unknown>();
    node.children?.forEach((child, index) => {
      const [key, value] = child.children ?? [];
      if (node.type === 'array') this.#findDoubles(child, [...path, index]);
      if (node.type !== 'object' || !key) return;
      const here = [...path, String(key.value)];
      if (seen.has(key.value)) this.#complainAt(key.offset, `${nameOf(here)} is already given above`, here);
      seen.add(key.value);
      if (value) this.#findDoubles(value, here);
    });
  }

  #complainAt(offset: number, message: string, path: readonly (string | number)[]): void {
    const before = this.#text.slice(0, offset).split(/\r\n|\n|\r/);
    this.problems.push({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message, path });
  }
}

/** One line a problem, `file:line:column: message`, as compilers write it and editors jump to it. */
export function describeProblems(file: string, problems: readonly Problem[]): string[] {
  return problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
}

/** `tabs[0].root.columns`, as one would write it in code. */
function nameOf(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'the whole';
  const words = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[\w$-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return words.join('').replace(/^\./, '');
}

function schemaAt(schema: object, path: readonly (string | number)[]): SchemaNode | undefined {
  const root = schema as SchemaNode;
  const followed = (node: SchemaNode | undefined) => {
    const name = node?.$ref?.replace('#/definitions/', '');
    return name === undefined ? node : root.definitions?.[name];
  };
  let node: SchemaNode | undefined = root;
  for (const part of path) {
    if (!node) return undefined;
    node = followed(typeof part === 'number' ? node.items : member(node, part));
  }
  return node;
}

function member(node: SchemaNode, key: string): SchemaNode | undefined {
  const own = Object.hasOwn(node.properties ?? {}, key) ? node.properties?.[key] : undefined;
  const pattern = Object.entries(node.patternProperties ?? {}).find(([text]) => new RegExp(text).test(key));
  const rest = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  return own ?? pattern?.[1] ?? rest;
}

function knownKeys(schema: SchemaNode | undefined): string[] {
  return Object.keys(schema?.properties ?? {}).filter((key) => key !== '$schema');
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, 16).join(', ');
  return words.length > 16 ? `${shown}, …` : shown || 'nothing';
}
