/**
 * The catalogue of one instance, kept fresh: the protocol has no notice of a change, so the host
 * describes after each call's outcome and, at most every two seconds, after an update. A tool that
 * was ever declared as mutating counts as mutating for as long as the instance lives.
 */
import type { Descriptor, Tool } from '../protocol/messages.ts';
import { type CompiledSchema, compileForeignSchema } from '../schema/index.ts';
import type { Session } from '../session/index.ts';
import { canonical, type Declaration } from './digest.ts';
import { Pace } from './pace.ts';

const describeEveryMs = 2_000;

interface Owner {
  emit(event: 'catalogue'): unknown;
}

export class Catalogue {
  readonly #owner: Owner;
  readonly #everMutating = new Set<string>();
  readonly #pace = new Pace();
  readonly #describingPace = new Pace();
  /** `describingMs` of the session that has been paid for. */
  #describedMs = 0;
  /** Declarations of `#textsOf` as canonical text, by name. */
  readonly #texts = new Map<string, string>();
  #textsOf: Descriptor | undefined;
  #session: Session | undefined;
  #known = '';
  #lastDescribed = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The Tick changed a declaration and kept its revision (breaks tick T-5.5-1); names the tool. */
  brokenPromise: string | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Takes over the descriptor of a new incarnation. */
  begin(session: Session, descriptor: Descriptor): void {
    this.#session = session;
    this.#describedMs = session.describingMs;
    this.brokenPromise = undefined;
    this.#note(descriptor);
    session.on('update', () => this.#refreshLater());
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#session = undefined;
  }

  get descriptor(): Descriptor | undefined {
    return this.#session?.descriptor;
  }

  /** A tool's declaration as it stands, with what it once declared about mutating; undefined when there is none. */
  declaration(name: string): Declaration | undefined {
    const tool = this.#tool(name);
    if (!tool) return undefined;
    const { description, input_schema, mutates } = tool;
    return { name, description, input_schema, mutates: mutates || this.#everMutating.has(name) };
  }

  /** The declaration as canonical text, made once: every waiting call compares it at every key that is typed. */
  declaredAs(name: string): string | undefined {
    const { descriptor } = this;
    if (descriptor !== this.#textsOf) this.#texts.clear();
    this.#textsOf = descriptor;
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const declaration = this.declaration(name);
    if (!declaration) return undefined;
    const text = canonical(declaration as never);
    this.#texts.set(name, text);
    return text;
  }

  /** Whether the tool and the revision are what they were. */
  stillDeclares(declaration: Declaration, revision: string): boolean {
    return (
      this.descriptor?.revision === revision &&
      this.declaredAs(declaration.name) === canonical(declaration as never)
    );
  }

  /** The compiled schema of a tool. While it is too slow to be used all the time nothing fits it. */
  schema(name: string): CompiledSchema | undefined {
    const tool = this.#tool(name);
    if (!tool) return undefined;
    const tired = (seconds: number) => `cannot be checked for ${seconds} s: it took too long the last time`;
    const schema = this.#pace.run<CompiledSchema>(
      () => compileForeignSchema(tool.input_schema),
      (seconds) => ({ ok: false, reason: tired(seconds) }),
    );
    if (!schema.ok) return schema;
    const check = (value: unknown) =>
      this.#pace.run(
        () => schema.check(value),
        (seconds) => [{ path: '', message: tired(seconds) }],
      );
    return { ok: true, check };
  }

  /** Asks the Tick afresh. A failure leaves the last good descriptor in place, and says why. */
  async refresh(): Promise<string | undefined> {
    const session = this.#session;
    if (!session) return 'the program has ended';
    const tired = this.#describingPace.wait();
    if (tired > 0) return `it is not described for ${tired} s: its last catalogues took too long to check`;
    this.#lastDescribed = Date.now();
    const before = session.descriptor;
    const result = await session.describe();
    this.#describingPace.spend(session.describingMs - this.#describedMs);
    this.#describedMs = session.describingMs;
    if (!result.ok) return result.reason;
    if (session !== this.#session) return 'the program was restarted';
    const text = canonical(result.descriptor as never);
    if (text !== this.#known) {
      if (before) this.brokenPromise ??= silentChange(before, result.descriptor);
      this.#note(result.descriptor);
      this.#owner.emit('catalogue');
    }
    return undefined;
  }

  #refreshLater(): void {
    if (this.#timer) return;
    const tiredMs = this.#describingPace.wait() * 1_000;
    const wait = Math.max(tiredMs, this.#lastDescribed + describeEveryMs - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, wait);
    this.#timer.unref();
  }

  #note(descriptor: Descriptor): void {
    this.#known = canonical(descriptor as never);
    for (const tool of descriptor.tools) if (tool.mutates) this.#everMutating.add(tool.name);
    this.#textsOf = undefined;
  }

  #tool(name: string): Tool | undefined {
    return this.descriptor?.tools.find((tool) => tool.name === name);
  }
}

/** The first tool whose declaration differs although the revision does not. */
function silentChange(before: Descriptor, after: Descriptor): string | undefined {
  if (before.revision !== after.revision) return undefined;
  const old = new Map(before.tools.map((tool) => [tool.name, canonical(tool as never)]));
  const changed = after.tools.find((tool) => old.get(tool.name) !== canonical(tool as never));
  const now = new Set(after.tools.map((tool) => tool.name));
  return changed?.name ?? before.tools.find((tool) => !now.has(tool.name))?.name;
}
