/**
 * What a program asked of its keyboard: the kitty protocol's flags, with a stack of them for each of the two
 * buffers, and xterm's modifyOtherKeys. Answers the program's questions about them; never sees a key.
 */
import { allKittyFlags } from '../cells/frame.ts';
import type { CsiParameters, EmulatorCore } from './core.ts';

/** Flags kept by pushes; the oldest go first. */
const maxStack = 16;

export class Keyboard {
  #ordinary = new FlagStack();
  #alternate = new FlagStack();
  #modifyOtherKeys: 0 | 1 | 2 = 0;
  readonly #isAlternate: () => boolean;

  /** `isAlternate`: whether the alternate buffer is the active one. */
  constructor(core: EmulatorCore, isAlternate: () => boolean, reply: (text: string) => void) {
    this.#isAlternate = isAlternate;
    const handle = (prefix: string, final: string, handler: (first: number, second: number) => void) =>
      core.registerCsiHandler({ prefix, final }, ({ params, length }: CsiParameters) => {
        handler(length > 0 ? (params[0] as number) : 0, length > 1 ? (params[1] as number) : 0);
        return true;
      });
    handle('>', 'u', (flags) => this.#active.push(flags));
    handle('<', 'u', (count) => this.#active.pop(Math.max(1, count)));
    handle('=', 'u', (flags, mode) => this.#active.set(flags, Math.max(1, mode)));
    handle('?', 'u', () => reply(`\x1b[?${this.#active.flags}u`));
    // Without a resource's number all resources go back to what they were.
    handle('>', 'm', (resource, value) => {
      if (resource === 4 || resource === 0) this.#modifyOtherKeys = value === 1 ? 1 : value >= 2 ? 2 : 0;
    });
    handle('>', 'n', (resource) => {
      if (resource === 4) this.#modifyOtherKeys = 0;
    });
    handle('?', 'm', (resource) => {
      if (resource === 4) reply(`\x1b[>4;${this.#modifyOtherKeys}m`);
    });
  }

  /** Those of the buffer that is shown. */
  get kittyFlags(): number {
    return this.#active.flags;
  }

  get modifyOtherKeys(): 0 | 1 | 2 {
    return this.#modifyOtherKeys;
  }

  reset(): void {
    this.#ordinary = new FlagStack();
    this.#alternate = new FlagStack();
    this.#modifyOtherKeys = 0;
  }

  get #active(): FlagStack {
    return this.#isAlternate() ? this.#alternate : this.#ordinary;
  }
}

class FlagStack {
  flags = 0;
  readonly #below: number[] = [];

  push(flags: number): void {
    this.#below.push(this.flags);
    if (this.#below.length > maxStack) this.#below.shift();
    this.flags = flags & allKittyFlags;
  }

  /** More than there are leaves none. */
  pop(count: number): void {
    const from = Math.max(0, this.#below.length - count);
    const gone = this.#below.splice(from);
    this.flags = count > gone.length ? 0 : (gone[0] as number);
  }

  /** `mode` 1: exactly these; 2: these too; 3: without these. */
  set(flags: number, mode: number): void {
    const known = flags & allKittyFlags;
    if (mode === 1) this.flags = known;
    if (mode === 2) this.flags |= known;
    if (mode === 3) this.flags &= ~known;
  }
}
