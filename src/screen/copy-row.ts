/**
 * Copies a line of the emulator into a well-formed row (see `cells/row.ts`).
 * Never changes the line.
 */
import {
  bgFlag,
  colour,
  content,
  type ExtendedAttributes,
  maxJoinedUnits,
  type Row,
  wordsPerCell,
} from '../cells/row.ts';
import { isPrintable, isPrintableCodePoint, withoutReordering } from '../cells/wire.ts';
import type { EmulatorLine } from './core.ts';
import type { LinkTable } from './links.ts';

const oneColumn = 1 << content.widthShift;

/** The emulator's `_ext`: underline colour in the low bits as in a colour word, style above. */
const extendedStyleShift = 26;
const extendedStyleMask = 7;

/** A fresh row of `columns` cells. */
export function copyRow(line: EmulatorLine | undefined, columns: number, links: LinkTable): Row {
  const words = new Uint32Array(columns * wordsPerCell);
  const row: Row = { words, wrapped: line?.isWrapped ?? false };
  const data = line?._data;
  for (let x = 0, o = 0; x < columns; x++, o += wordsPerCell) {
    const word = data?.[o];
    if (!line || !data || word === undefined) {
      words[o] = content.blank;
      continue;
    }
    const wide = word >>> content.widthShift === 2;
    // Erasing and shifting can leave half of a wide character behind: show a blank.
    const whole = !wide || (x + 1 < columns && isRightHalf(data[o + wordsPerCell]));
    words[o] = whole ? cellContent(row, line, word, x) : content.blank;
    copyAttributes(row, line, links, x, o);
    if (wide && whole) {
      x++;
      o += wordsPerCell;
      words[o] = 0;
      copyAttributes(row, line, links, x, o);
    }
  }
  return row;
}

/** Word 0 of the cell in column `x`. */
function cellContent(row: Row, line: EmulatorLine, word: number, x: number): number {
  const width = Math.max(word >>> content.widthShift, 1) << content.widthShift;
  if (word & content.joined) {
    const characters = withoutReordering(line._combined[x]?.slice(0, maxJoinedUnits) ?? '');
    if (characters === '' || !isPrintable(characters, maxJoinedUnits)) return content.blank;
    row.joined ??= {};
    row.joined[x] = characters;
    return content.joined | width;
  }
  const codePoint = word & content.codePoint;
  return isPrintableCodePoint(codePoint) ? codePoint | width : 0x20 | oneColumn;
}

function isRightHalf(word: number | undefined): boolean {
  return (
    word !== undefined &&
    word >>> content.widthShift === 0 &&
    (word & (content.codePoint | content.joined)) === 0
  );
}

function copyAttributes(row: Row, line: EmulatorLine, links: LinkTable, x: number, o: number): void {
  const background = line._data[o + 2] as number;
  row.words[o + 1] = line._data[o + 1] as number;
  row.words[o + 2] = background & ~bgFlag.extended;
  if ((background & bgFlag.extended) === 0) return;
  const attributes = extendedAttributes(line, links, x);
  if (!attributes) return;
  row.words[o + 2] = background;
  row.extended ??= {};
  row.extended[x] = attributes;
}

/** None for what the underline flag alone says: a plain underline in the text's own colour. */
function extendedAttributes(line: EmulatorLine, links: LinkTable, x: number): ExtendedAttributes | undefined {
  const entry = line._extendedAttrs[x];
  if (!entry) return undefined;
  const link = entry._urlId ? links.get(entry._urlId) : undefined;
  const attributes: ExtendedAttributes = {
    underlineStyle: (entry._ext >>> extendedStyleShift) & extendedStyleMask,
    underlineColour: entry._ext & colour.mask,
  };
  if (link) {
    attributes.link = link.uri;
    attributes.linkId = link.id;
  } else if (attributes.underlineStyle <= 1 && attributes.underlineColour === 0) return undefined;
  return attributes;
}
