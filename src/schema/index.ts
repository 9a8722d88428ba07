/**
 * JSON Schemas of strangers and of our own: the only door to ajv. Loading this costs nothing;
 * ajv is loaded at the first schema that is really compiled.
 */

export type { Complaint } from './complaints.ts';
export { cpuMs, stopwatch } from './cpu-time.ts';
export { type CompiledSchema, compileForeignSchema } from './foreign.ts';
export { compileOwnSchema } from './own.ts';
