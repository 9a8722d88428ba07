/** What was copied last in this view: kept for pasting, and handed to the terminal's clipboard (OSC 52). */
import type { Stage } from '../stage/index.ts';

/** Longer text is kept, and not handed to the terminal: many take no more. In bytes of base64. */
const mostClipboard = 100_000;

export class CopyBuffer {
  readonly #stage: Stage;
  readonly #say: (text: string) => void;
  #text = '';

  constructor(stage: Stage, say: (text: string) => void) {
    this.#stage = stage;
    this.#say = say;
  }

  get text(): string {
    return this.#text;
  }

  /** @param by the program that copied it, where that was not the person */
  copy(text: string, by?: string): void {
    this.#text = text;
    const base64 = Buffer.from(text).toString('base64');
    const short = base64.length <= mostClipboard;
    if (short) this.#stage.writeControl(`\x1b]52;c;${base64}\x1b\\`);
    const rows = text.split('\n').length;
    const what = rows > 1 ? `${rows} rows` : `${[...text].length} characters`;
    const words = by === undefined ? `Copied ${what}` : `${by} copied ${what}`;
    this.#say(short ? `${words}.` : `${words}, which is too long for the clipboard of most terminals.`);
  }
}
