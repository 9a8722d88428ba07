/** The host: instances, calls, approvals, journal, subscriptions and views of one session. */
export { Host, type HostOptions } from './host.ts';
export type { Logger } from './log.ts';
