/**
 * The turns at one instance: at most so many things under way at a time. What a person approved goes
 * first; agents are served in rotation, so that no flood of one of them holds up the others.
 */
import { RpcError } from '../rpc/api/errors.ts';

/** Who asks without a person's yes, and what gives it up. */
interface Asked {
  readonly agent: string;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly agent: string | undefined;
  readonly start: () => void;
}

/** What agents ask and has no turn yet, for one instance. */
const mostAsked = 256;

export class Slots {
  #free: number;
  #waiting: Waiting[] = [];
  /** When an agent last had a turn, by counting them. Kept only while somebody waits. */
  readonly #served = new Map<string, number>();
  #turns = 0;

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Settles when a turn is yours; call what it gives you, once, to return it. Rejects with `refused`
   * when it was given up before, with `limit` when too many wait.
   */
  async take(asked?: Asked): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(asked);
    if (asked) this.#served.set(asked.agent, ++this.#turns);
    let returned = false;
    return () => {
      if (returned) return;
      returned = true;
      const next = this.#takeNext();
      if (next) next.start();
      else this.#free++;
    };
  }

  #wait(asked: Asked | undefined): Promise<void> {
    if (asked && this.#waiting.length >= mostAsked) {
      throw new RpcError('limit', `${mostAsked} requests wait for this Tick already: let some be answered.`);
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(new RpcError('refused', 'The request was given up before its turn came.'));
      };
      const start = () => {
        asked?.signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting: Waiting = { agent: asked?.agent, start };
      this.#waiting.push(waiting);
      asked?.signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #takeNext(): Waiting | undefined {
    let first = 0;
    this.#waiting.forEach((waiting, index) => {
      if (this.#rank(waiting) < this.#rank(this.#waiting[first] as Waiting)) first = index;
    });
    const [next] = this.#waiting.splice(first, 1);
    if (this.#waiting.length === 0) this.#served.clear();
    return next;
  }

  /** Whoever has the lowest goes first. */
  #rank({ agent }: Waiting): number {
    return agent === undefined ? -1 : (this.#served.get(agent) ?? 0);
  }
}
