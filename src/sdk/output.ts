/**
 * Owns descriptor 1: keeps the host's channel for protocol lines and turns every other print away from it.
 * It acts when it is imported, so that a library that prints while loading is caught as well (tick T-10-3).
 * It never sees what is written straight to descriptor 1 by `fs` or by a child process that inherits it.
 */
import { appendFileSync } from 'node:fs';
import { hosted } from './hosted.ts';

type Written = (error?: Error | null) => void;

/** Writes one whole protocol line; `written` follows when the pipe has taken all of it. */
export type WriteLine = (line: string, written: Written) => void;

/** Appends to the file named by `TICK_LOG`; without that variable the text goes nowhere (tick T-3.1-6). */
export function log(text: string): void {
  const file = process.env.TICK_LOG;
  if (!file) return;
  try {
    appendFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
  } catch {
    // A log that cannot be written is no reason to end a session.
  }
}

/** A stand-in for `process.stdout.write` with its three call forms. */
function toLog(chunk: string | Uint8Array, encoding?: BufferEncoding | Written, written?: Written): boolean {
  log(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
  const done = typeof encoding === 'function' ? encoding : written;
  if (done) process.nextTick(done);
  return true;
}

function protect(): WriteLine {
  // Node opens a pipe on descriptor 1 without blocking and finishes partial writes itself. The stream is
  // kept and only its `write` replaced: a second stream on the same descriptor would confuse the event loop.
  const stream = process.stdout;
  const write = stream.write.bind(stream);
  stream.write = toLog;
  stream.on('error', () => undefined);
  return (line, written) => {
    write(line, written);
  };
}

/** The only way to the host. Undefined when there is none. */
export const hostOutput: WriteLine | undefined = hosted ? protect() : undefined;
