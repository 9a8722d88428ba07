/** The stack of input modes, and which of them a token goes to. Knows no key by its name. */
import { isBeside } from './keys.ts';
import type { Mode } from './mode.ts';
import { splitText, type TextToken, type Token } from './stage/index.ts';

export class Router {
  readonly #modes: Mode[];
  readonly #changed: () => void;
  /** The one that a mode is being given. */
  #token: Token | undefined;

  constructor(bottom: Mode, changed: () => void) {
    this.#modes = [bottom];
    this.#changed = changed;
  }

  get top(): Mode {
    return this.#modes.at(-1) as Mode;
  }

  /** From the bottom to the top. */
  get modes(): readonly Mode[] {
    return this.#modes;
  }

  push(mode: Mode): void {
    this.#modes.push(mode);
    this.#changed();
  }

  /** Takes a mode off, with all above it. Does nothing when it is not there. */
  pop(mode: Mode): void {
    const index = this.#modes.indexOf(mode);
    if (index <= 0) return;
    for (const gone of this.#modes.splice(index).reverse()) gone.left?.();
    this.top.uncovered?.(this.#token);
    this.#changed();
  }

  route(token: Token): void {
    if (token.type !== 'text') {
      this.#give(token);
      return;
    }
    // One character may change the mode: the rest of the run belongs to the new one.
    const characters = splitText(token);
    while (characters.length > 0) {
      if (this.top.wholeRuns) {
        this.#give(joined(characters));
        return;
      }
      this.#give(characters.shift() as TextToken);
    }
  }

  #takerOf(token: Token): Mode | undefined {
    if (!isBeside(token) || this.top.everyKey) return this.top;
    // What was pressed in a pane is let go of there, whatever lies over it since.
    return token.type === 'key' && token.event === 'release' ? this.#modes[0] : undefined;
  }

  #give(token: Token): void {
    const mode = this.#takerOf(token);
    this.#token = token;
    try {
      mode?.token(token);
    } finally {
      this.#token = undefined;
    }
  }
}

function joined(tokens: readonly TextToken[]): TextToken {
  const [only] = tokens;
  if (tokens.length === 1 && only) return only;
  const text = tokens.map((token) => token.text).join('');
  return { type: 'text', text, bytes: Buffer.from(text) };
}
