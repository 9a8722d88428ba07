/**
 * The log of a host: JSON lines in a file of this user. Never writes to standard output or error,
 * which belong to programs and people.
 */
import { renameSync, statSync } from 'node:fs';
import pino, { type Logger } from 'pino';

/** A log that has grown past this many bytes is set aside when the next host starts. */
const rotateBytes = 5 * 1024 * 1024;

export interface FileLog {
  logger: Logger;
  close(): void;
}

/** Opens the log at `path` (mode 0600), keeping one older file beside it as `path.1`. */
export function openLog(path: string): FileLog {
  rotate(path);
  // Synchronous: what a host says last, before it dies, is what people look for. It says little.
  const file = pino.destination({ dest: path, append: true, sync: true, mode: 0o600 });
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, file);
  return { logger, close: () => file.end() };
}

function rotate(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > rotateBytes) renameSync(path, `${path}.1`);
}
