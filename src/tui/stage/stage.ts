/** Opens the stage: terminal, tokens, blessed's screen and compositor as one thing with one end. */

import type { Stage, StageOptions } from './stage-types.ts';

/** Enters the terminal and paints an empty screen. Close it by `dispose()`. */
export declare function createStage(options: StageOptions): Stage;
