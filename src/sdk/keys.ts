/**
 * Turns bytes from a terminal into named keys. Never waits longer than a moment for the rest of a sequence.
 */

/** A character as typed (`a`, `+`, `é`), or a name: `up`, `enter`, `ctrl-c`. */
export type Key = string;

const sequences: Readonly<Record<string, Key>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  '1~': 'home',
  '3~': 'delete',
  '4~': 'end',
  '5~': 'page-up',
  '6~': 'page-down',
  Z: 'back-tab',
};

const controls: Readonly<Record<string, Key>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
};

/** One whole CSI or SS3 sequence at the start of the text. */
const sequence = /^\x1b(?:\[([0-?]*)[ -/]*([@-~])|O([@-~]))/;
/** The beginning of one, to which more bytes may come. */
const unfinished = /^\x1b(?:$|\[[0-?]*[ -/]*$|O$)/;

/** How long a lone escape is kept, in milliseconds: the rest of a sequence arrives well within this. */
const escapeMs = 40;

/** Returns a function to feed chunks to; `onKey` gets every key once. */
export function keyReader(onKey: (key: Key) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder();
  let pending = '';
  let timer: NodeJS.Timeout | undefined;

  function take(): void {
    while (pending !== '') {
      const match = sequence.exec(pending);
      if (match) {
        pending = pending.slice(match[0].length);
        const [, parameters = '', final, single] = match;
        const key = sequences[single ?? (final === '~' ? `${parameters}~` : (final ?? ''))];
        if (key) onKey(key);
      } else if (unfinished.test(pending)) {
        timer = setTimeout(giveUp, escapeMs);
        return;
      } else {
        const char = String.fromCodePoint(pending.codePointAt(0) ?? 0);
        pending = pending.slice(char.length);
        onKey(nameOf(char));
      }
    }
  }

  function giveUp(): void {
    pending = pending.slice(1);
    onKey('escape');
    take();
  }

  return (chunk) => {
    clearTimeout(timer);
    pending += decoder.decode(chunk, { stream: true });
    take();
  };
}

function nameOf(char: string): Key {
  const named = controls[char];
  if (named) return named;
  if (char === '\x1b') return 'escape';
  return char < ' ' ? `ctrl-${String.fromCharCode(char.charCodeAt(0) + 0x60)}` : char;
}
