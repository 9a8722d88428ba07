/**
 * The numbers of Tick protocol 3 that a host keeps (tick 3.5, table C).
 * Everything that enforces one takes a {@link Limits}, so that tests can run with small ones.
 */

/** Sizes are bytes of UTF-8, times are milliseconds. "At most": exactly the limit is allowed. */
export interface Limits {
  /** Requests in flight to one Tick, describe and read included (tick H-3.3-2). */
  readonly requestsInFlight: number;
  /** Calls among them, so that a describe always finds a free slot. Ours. */
  readonly callsInFlight: number;
  /** One line from or to a Tick, without its newline (tick H-3.6-1d). */
  readonly lineBytes: number;
  /** Any result, re-encoded (tick H-3.6-2c). */
  readonly resultBytes: number;
  /** A descriptor, re-encoded (tick H-5.3-1h). */
  readonly descriptorBytes: number;
  /** Params of a `tick/update`, re-encoded (tick T-8.2-1d). */
  readonly updateBytes: number;
  /** From spawning to the end of initialization, and each of its two requests (tick H-4.2-2, T-4.2-1). */
  readonly initializationMs: number;
  /** A describe or read after initialization. */
  readonly queryMs: number;
  /** A `tick/call`, after which its outcome is unknown (tick H-7.3-1). */
  readonly callMs: number;
  /** From SIGTERM to SIGKILL (tick H-4.5-2, section 6 point 10). */
  readonly terminateMs: number;
  /** Characters of the screen quoted when a start fails (tick H-4.2-3). */
  readonly failedStartChars: number;
}

export const defaultLimits: Limits = {
  requestsInFlight: 8,
  callsInFlight: 6,
  lineBytes: 8 * 1024 * 1024,
  resultBytes: 8 * 1024 * 1024,
  descriptorBytes: 512 * 1024,
  updateBytes: 512 * 1024,
  initializationMs: 10_000,
  queryMs: 10_000,
  callMs: 60_000,
  terminateMs: 2_000,
  failedStartChars: 256,
};

/** The terminal a Tick starts on, before any view has said its size (tick H-4.1-5). */
export const initialSize = { cols: 120, rows: 30 } as const;

/** The only protocol version this host speaks (tick H-4.3-2). */
export const protocolVersion = 3;
