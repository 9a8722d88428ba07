/** Unix sockets and their in-process twin: the two ways a client reaches the host. */
import { connect as connectSocket, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Client } from './client.ts';

/** Connects to a socket of the host. Rejects with the system's error (ENOENT, ECONNREFUSED, EACCES). */
export function connect(path: string): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connectSocket(path);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(new Client(socket));
    });
  });
}

/** Two streams, each of which reads what the other was given: a connection inside one process. */
export function streamPair(): [Duplex, Duplex] {
  const left = new Half();
  const right = new Half();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class Half extends Duplex {
  peer: Half | undefined;
  #resume: (() => void) | undefined;

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const peer = this.peer;
    if (!peer || peer.destroyed || peer.push(chunk)) queueMicrotask(done);
    else peer.#resume = done;
  }

  override _final(done: () => void): void {
    if (this.peer && !this.peer.destroyed) this.peer.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const peer = this.peer;
    if (peer && !peer.destroyed) queueMicrotask(() => peer.destroy());
    done(error);
  }
}
