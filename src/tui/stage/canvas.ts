/**
 * One whole screen of packed cells, and the tables of what does not fit into them: joined characters,
 * underline styles and colours, links. Every cell on a canvas is clean: no control, no half of a wide one.
 */

import { content, type ExtendedAttributes, wordsPerCell } from '../../cells/row.ts';

/** Attributes beyond the packed words, as a canvas's `extras` number them. */
export interface Extra {
  /** 0: as the underline flag says; 2 to 5: double, curly, dotted, dashed. */
  readonly underlineStyle: number;
  readonly underlineColour: number;
  readonly link: string;
  /** The `id` parameter of OSC 8, unique on the operator's terminal. */
  readonly linkId: string;
}

const noExtra: Extra = { underlineStyle: 0, underlineColour: 0, link: '', linkId: '' };

export class Canvas {
  readonly cols: number;
  readonly rows: number;
  readonly words: Uint32Array;
  /** By cell: the number of its {@link Extra}, 0 for none. */
  readonly extras: Uint32Array;

  constructor(cols: number, rows: number) {
    this.cols = cols;
    this.rows = rows;
    this.words = new Uint32Array(cols * rows * wordsPerCell);
    this.extras = new Uint32Array(cols * rows);
    this.clear();
  }

  clear(): void {
    this.words.fill(0);
    for (let i = 0; i < this.words.length; i += wordsPerCell) this.words[i] = content.blank;
    this.extras.fill(0);
  }
}

/** Programs can invent characters and links without end: past this many the tables start anew. */
const mostEntries = 50_000;

/** Numbers for strings and attributes, so that cells compare as words. */
export class CellTables {
  #joined: string[] = [];
  #joinedIds = new Map<string, number>();
  #extras: Extra[] = [noExtra];
  #extraIds = new Map<string, number>();

  /** True: `clear` before the next frame, which must then be composed and painted whole. */
  get full(): boolean {
    return this.#joined.length > mostEntries || this.#extras.length > mostEntries;
  }

  clear(): void {
    this.#joined = [];
    this.#joinedIds.clear();
    this.#extras = [noExtra];
    this.#extraIds.clear();
  }

  joinedId(text: string): number {
    let id = this.#joinedIds.get(text);
    if (id === undefined) {
      id = this.#joined.length;
      // Keyed by what came, kept as what may go out.
      this.#joinedIds.set(text, id);
      this.#joined.push(withoutControls(text) || ' ');
    }
    return id;
  }

  joined(id: number): string {
    return this.#joined[id] ?? ' ';
  }

  /**
   * `underlined` says whether style and colour of an underline matter. `scope` keeps the links of two
   * panes apart that use the same id.
   */
  extraId(attributes: ExtendedAttributes, underlined: boolean, scope: string): number {
    const style = underlined && attributes.underlineStyle > 1 ? attributes.underlineStyle : 0;
    const underlineColour = underlined ? attributes.underlineColour : 0;
    const link = attributes.link ?? '';
    if (style === 0 && underlineColour === 0 && link === '') return 0;
    const key = `${style} ${underlineColour} ${link && scope} ${link && (attributes.linkId ?? '')} ${link}`;
    let id = this.#extraIds.get(key);
    if (id === undefined) {
      id = this.#extras.length;
      this.#extraIds.set(key, id);
      this.#extras.push({
        underlineStyle: style,
        underlineColour,
        link: withoutControls(link),
        linkId: link && this.#linkId(scope, attributes.linkId, link),
      });
    }
    return id;
  }

  extra(id: number): Extra {
    return this.#extras[id] ?? noExtra;
  }

  /** Our own id: a program's may hold what would end the sequence, or be another pane's. */
  #linkId(scope: string, id: string | undefined, link: string): string {
    const key = `link ${scope} ${id ?? ''} ${link}`;
    let number = this.#extraIds.get(key);
    if (number === undefined) {
      number = this.#extraIds.size;
      this.#extraIds.set(key, number);
    }
    return `t${number}`;
  }
}

/** What a pane's program wrote may move nothing outside its cell. */
function withoutControls(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '');
}
