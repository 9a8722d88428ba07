/**
 * The way of an approved call: a turn, a last look at what would run, the intent on disk, then the
 * effect, once. Nothing here approves, and nothing is ever tried a second time.
 */
import type { Call } from './call.ts';
import type { CallMoves } from './call-moves.ts';
import type { SessionLog } from './log.ts';
import type { Panic } from './panic.ts';

export async function dispatch(call: Call, moves: CallMoves, log: SessionLog, panic: Panic): Promise<void> {
  do {
    // Without a turn, which others want: queries go on.
    await panic.over();
    await takeTurn(call, moves, log, panic);
  } while (call.state === 'approved');
}

/** Leaves the call approved only when everything was stopped before it was sent. */
async function takeTurn(call: Call, moves: CallMoves, log: SessionLog, panic: Panic): Promise<void> {
  const release = await call.effect.takeSlot?.();
  try {
    if (call.state === 'approved' && !panic.stopped) await verifyAndRun(call, moves, panic);
  } catch (error) {
    log.bug(`${call.id} could not be carried through`, error);
    const message = 'tickmux failed while it was under way';
    // Approved and never dispatched, it cannot have done anything.
    if (call.state === 'approved') moves.settle(call, { event: 'fail', effect: 'none', error: { message } });
    else moves.settle(call, { event: 'lose', reason: message });
  } finally {
    release?.();
  }
}

async function verifyAndRun(call: Call, moves: CallMoves, panic: Panic): Promise<void> {
  const { effect } = call;
  const stale = await effect.verify();
  // Withdrawn, expired or voided meanwhile: until the intent is handed over, that wins.
  if (call.state !== 'approved') return;
  const reason = stale ?? effect.current();
  if (reason) {
    moves.end(call, 'void', reason);
    return;
  }
  if (Date.now() >= call.expiresAt) {
    moves.end(call, 'expire', 'its turn came too late');
    return;
  }
  if (panic.stopped) return;
  const intent = moves.move(call, 'dispatch', { digest: call.digest });
  try {
    await intent;
  } catch (error) {
    const message = `It was not sent: ${(error as Error).message}`;
    moves.settle(call, { event: 'fail', effect: 'none', error: { message } });
    return;
  }
  // Writing takes its time on a busy disk: what ran when the intent was handed over may be gone.
  const gone = panic.stopped ? 'all dispatching was stopped' : effect.current();
  if (gone) {
    moves.settle(call, { event: 'fail', effect: 'none', error: { message: `It was not sent: ${gone}` } });
    return;
  }
  const outcome = await effect.run(call.argumentsText, () => {
    call.sentAt = Date.now();
    moves.changed();
  });
  moves.settle(call, outcome);
  effect.after?.();
}
