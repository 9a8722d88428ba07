/**
 * Owns the order and the merging of outgoing lines: one write at a time, each a whole line. Never builds one.
 */
import type { WriteLine } from './output.ts';

export interface Outbox {
  /** Queues one line, newline included. */
  send(line: string): void;
  /**
   * Asks for an update. While output is blocked, any number of requests become one line, made of the state
   * at the moment it is written (tick T-8.3-3). It goes to the end of the queue each time: otherwise the
   * answer to a read could follow an update that is newer than it (table E).
   */
  requestUpdate(): void;
  /** Resolves when everything queued so far was taken by the host, or the host is gone. */
  drained(): Promise<void>;
}

const update = Symbol('update');

/** `makeUpdate` returns undefined when there is nothing that may be sent. */
export function createOutbox(write: WriteLine, makeUpdate: () => string | undefined): Outbox {
  const queue: (string | typeof update)[] = [];
  const waiting: (() => void)[] = [];
  let writing = false;
  let broken = false;

  function settle(): void {
    for (const resolve of waiting.splice(0)) resolve();
  }

  function pump(): void {
    while (!writing) {
      const next = queue.shift();
      if (next === undefined) {
        settle();
        return;
      }
      const line = next === update ? makeUpdate() : next;
      if (line === undefined) continue;
      writing = true;
      write(line, (error) => {
        writing = false;
        if (error) {
          // The host closed its end: nothing can be said any more.
          broken = true;
          queue.length = 0;
        }
        pump();
      });
    }
  }

  return {
    send(line) {
      if (broken) return;
      queue.push(line);
      pump();
    },
    requestUpdate() {
      if (broken) return;
      const earlier = queue.indexOf(update);
      if (earlier >= 0) queue.splice(earlier, 1);
      queue.push(update);
      pump();
    },
    drained() {
      return new Promise((resolve) => {
        waiting.push(resolve);
        pump();
      });
    },
  };
}
