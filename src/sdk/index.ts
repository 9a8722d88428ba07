/**
 * What a Tick's author imports. Import it before anything that might print: it guards standard output from
 * the moment it is loaded.
 */
import './output.ts';

export { NotExecuted, type ToolDefinition, type Tools } from './catalogue.ts';
export type { Key } from './keys.ts';
export { openTerminal, type Terminal } from './terminal.ts';
export { center, clip, columns, ends, pad, plain, type Style, style, width } from './text.ts';
export { defineTick, type Tick, type TickDefinition } from './tick.ts';
