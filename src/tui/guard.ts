/** The time in which keys were meant for what was there before. Knows nothing of what is guarded. */
import type { Clock } from './clock.ts';

/** Keys within this many ms of a card's paint, of its digest changing, or of a message are meant for something else. */
const guardMs = 400;

/** Whether what came at `since`, in ticks of the clock, has been there long enough; not while it has not come at all. */
export function isGuardOver(clock: Clock, since: number | undefined): boolean {
  return since !== undefined && clock.ticks() - since >= guardMs;
}
