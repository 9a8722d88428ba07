/** Starts programs on pseudo-terminals. It knows processes and descriptors, and nothing of the Tick protocol's messages. */
export { cleanEnvironment } from './environment.ts';
export { LaunchError } from './errors.ts';
export { type Exit, type Launched, type LaunchOptions, launch } from './launch.ts';
export { resolveProgram } from './program.ts';
export type { ProgramTerminal } from './terminal.ts';
