/**
 * The OSC 8 links of one screen, by a number small enough for a cell's attributes.
 * Bounded: a program that makes links without end loses its oldest ones.
 */
import { isPrintable, maxLinkIdUnits, maxLinkUnits } from '../cells/wire.ts';

/** How many links a screen remembers. */
const maxLinks = 4_096;

export interface Link {
  uri: string;
  /** The same for all cells of one link: the program's `id=`, or the number we gave it. */
  id: string;
}

export class LinkTable {
  #nextNumber = 1;
  readonly #numbers = new Map<string, number>();
  readonly #links = new Map<number, Link & { key: string }>();

  /**
   * The number of the link that the payload of an OSC 8 opens; 0 when it closes one, is malformed, too
   * long, or holds what cannot be printed. Without `id=`, equal targets are one link.
   */
  open(payload: string): number {
    const semicolon = payload.indexOf(';');
    const uri = payload.slice(semicolon + 1);
    if (semicolon < 0 || uri === '' || !isPrintable(uri, maxLinkUnits)) return 0;
    const parameters = payload.slice(0, semicolon).split(':', 16);
    const given = parameters.find((parameter) => parameter.startsWith('id='))?.slice(3) ?? '';
    const id = isPrintable(given, maxLinkIdUnits - 1) ? given : '';
    const key = `${id};${uri}`;
    return this.#numbers.get(key) ?? this.#add(key, uri, id);
  }

  get(number: number): Link | undefined {
    return this.#links.get(number);
  }

  #add(key: string, uri: string, id: string): number {
    const number = this.#nextNumber++;
    // A prefix keeps our numbers and the program's names apart.
    this.#links.set(number, { key, uri, id: id ? `=${id}` : String(number) });
    this.#numbers.set(key, number);
    if (this.#links.size > maxLinks) {
      for (const [oldest, link] of this.#links) {
        this.#links.delete(oldest);
        this.#numbers.delete(link.key);
        break;
      }
    }
    return number;
  }
}
