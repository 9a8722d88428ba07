/**
 * The session's log as operators see it: the newest entries, and a line to the log file for each.
 * Holds no arguments, no environment and no screen text.
 */
import { brief } from '../protocol/brief.ts';
import type { LogEntry } from '../rpc/api/session.ts';

/** The part of pino the host uses. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LogContext {
  instance?: string | undefined;
  call?: string | undefined;
}

const kept = 1_000;
/** Most of one entry, in UTF-16 units. */
const longest = 2_000;

export class SessionLog {
  readonly #file: Logger;
  readonly #entries: LogEntry[] = [];
  readonly #followers = new Set<(entry: LogEntry) => void>();

  constructor(file: Logger) {
    this.#file = file;
  }

  /** `whole` is one line in which strangers' words have been made visible. */
  add(level: LogEntry['level'], whole: string, context: LogContext = {}): void {
    const text = brief(whole, longest);
    const entry: LogEntry = { at: Date.now(), level, text };
    if (context.instance !== undefined) entry.instance = context.instance;
    if (context.call !== undefined) entry.call = context.call;
    this.#entries.push(entry);
    if (this.#entries.length > kept) this.#entries.shift();
    this.#file[level](context, text);
    for (const follower of this.#followers) follower(entry);
  }

  info(text: string, context?: LogContext): void {
    this.add('info', text, context);
  }

  warn(text: string, context?: LogContext): void {
    this.add('warn', text, context);
  }

  /** A failure of ours: people get one line, the file gets the cause. */
  bug(what: string, error: unknown): void {
    this.#file.error({ err: error }, what);
    this.add('error', `${what} (a fault of tickmux; the host's log has the details)`);
  }

  newest(count: number): LogEntry[] {
    return count === 0 ? [] : this.#entries.slice(-count);
  }

  follow(follower: (entry: LogEntry) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }
}
