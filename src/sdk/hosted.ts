/**
 * Whether a host started this process. Owns nothing else: it never reads the value, which is for logs only.
 */

/** True under a host, false when a person ran the program in a terminal (tick T-4.1-2). */
export const hosted = Boolean(process.env.TICKLOOP_INSTANCE_ID);
