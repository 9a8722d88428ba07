/** Brings streams to their end in bounded time. It never looks at what they carry. */
import type { Readable } from 'node:stream';

/**
 * Resolves when `stream` has closed, at the latest after `ms`: something that outlives the program may hold the
 * other side open for ever. A reader that paused is resumed and given the same time once more, so that what was
 * written before is not lost.
 */
export async function endWithin(stream: Readable, ms: number): Promise<void> {
  if (await closesWithin(stream, ms)) return;
  if (stream.isPaused()) {
    stream.resume();
    if (await closesWithin(stream, ms)) return;
  }
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  stream.destroy();
  await closed;
}

function closesWithin(stream: Readable, ms: number): Promise<boolean> {
  if (stream.closed) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      stream.off('close', onClose);
      resolve(closed);
    };
    const onClose = () => finish(true);
    const timer = setTimeout(() => finish(false), ms);
    stream.once('close', onClose);
  });
}
