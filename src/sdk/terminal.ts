/**
 * Owns the controlling terminal of a Tick: keys in, whole screens out, its size, and leaving it as it was.
 * Never touches the host's pipes.
 */
import { openSync } from 'node:fs';
import tty from 'node:tty';
import { hosted } from './hosted.ts';
import { type Key, keyReader } from './keys.ts';
import { clip } from './text.ts';

export interface Terminal {
  /** Size in cells, as of the last resize. */
  readonly cols: number;
  readonly rows: number;
  onKey(listener: (key: Key) => void): void;
  /** Called after the size changed; draw again. */
  onResize(listener: () => void): void;
  /**
   * Shows `lines` from the top, cut to the screen; rows beyond them are empty. When the terminal does not
   * keep up, only the newest screen is shown.
   */
  draw(lines: readonly string[]): void;
}

const escapes = {
  hideCursor: '\x1b[?25l',
  showCursor: '\x1b[?25h',
  alternateScreen: '\x1b[?1049h',
  normalScreen: '\x1b[?1049l',
  clear: '\x1b[2J',
  reset: '\x1b[m',
  eraseLine: '\x1b[2K',
  row: (row: number) => `\x1b[${row + 1};1H`,
} as const;

/**
 * Takes the terminal over in raw mode. Undefined when the process has none. Alone, the alternate screen is
 * used and Ctrl-C ends the program; under a host the last screen stays, and ending is the host's business.
 */
export function openTerminal(): Terminal | undefined {
  const stream = openStream();
  if (!stream) return undefined;
  let size = measure();
  let shown: string[] = [];
  let next: readonly string[] | undefined;
  let writing = false;
  const keyListeners: ((key: Key) => void)[] = [];
  const resizeListeners: (() => void)[] = [];

  const write = (text: string) => {
    writing = true;
    stream.write(text, () => {
      writing = false;
      show();
    });
  };

  const show = () => {
    if (writing || !next) return;
    const lines = next;
    next = undefined;
    const fitted = Array.from({ length: size.rows }, (_, row) => clip(lines[row] ?? '', size.cols));
    const text = difference(shown, fitted);
    shown = fitted;
    if (text) write(text);
  };

  const repaint = () => {
    size = measure();
    shown = [];
    for (const listener of resizeListeners) listener();
  };

  const leave = () => {
    const last = hosted ? escapes.row(Math.max(0, size.rows - 1)) : escapes.normalScreen;
    // libuv tries to write at once; a terminal that is blocked now would not show it anyway.
    stream.write(escapes.reset + last + escapes.showCursor);
    stream.setRawMode(false);
  };

  stream.setRawMode(true);
  stream.on('error', () => undefined);
  stream.on(
    'data',
    keyReader((key) => {
      if (key === 'ctrl-c' && !hosted) process.exit(0);
      for (const listener of keyListeners) listener(key);
    }),
  );
  process.on('SIGWINCH', repaint);
  process.on('exit', leave);
  if (!hosted) for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
  write((hosted ? '' : escapes.alternateScreen) + escapes.hideCursor);

  return {
    get cols() {
      return size.cols;
    },
    get rows() {
      return size.rows;
    },
    onKey: (listener) => void keyListeners.push(listener),
    onResize: (listener) => void resizeListeners.push(listener),
    draw(lines) {
      next = lines;
      show();
    },
  };
}

/** Descriptor 2 is the terminal under a host and usually alone too; descriptor 0 belongs to the protocol. */
function openStream(): tty.ReadStream | undefined {
  try {
    return new tty.ReadStream(tty.isatty(2) ? 2 : openSync('/dev/tty', 'r+'));
  } catch {
    return undefined;
  }
}

/** Asks the kernel each time: Node refreshes the size of its own standard streams only. */
function measure(): { cols: number; rows: number } {
  try {
    const probe = new tty.WriteStream(openSync('/dev/tty', 'r+'));
    const [cols, rows] = probe.getWindowSize();
    probe.destroy();
    if (cols > 0 && rows > 0) return { cols, rows };
  } catch {
    // No controlling terminal, though descriptor 2 is one: the size stays a guess.
  }
  return { cols: 80, rows: 24 };
}

/** What to write to turn one screen into the next. An empty `from` means that nothing is known of the screen. */
function difference(from: readonly string[], to: readonly string[]): string {
  const start = from.length === 0 ? escapes.reset + escapes.clear : '';
  const changed = to.map((line, row) => {
    if (line === (from[row] ?? '')) return '';
    // Erasing comes first: after a full line the cursor still stands on its last cell.
    return escapes.row(row) + escapes.eraseLine + line + escapes.reset;
  });
  return start + changed.join('');
}
