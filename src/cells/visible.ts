/**
 * Text from strangers made safe to show on one line: what cannot be seen, would change how its
 * surroundings look, or passes for other letters, is spelled out. Two different texts never come out the same.
 */
import { passesForOther } from './look-alikes.ts';
import { trailingSpaces } from './text.ts';

/** The bracket that opens a spelled-out character, and what could pass for it. */
const brackets = '\\u27e8\\u2329\\u3008\\u276c\\u2039';

/**
 * What is spelled out wherever it stands: controls, format characters (bidirectional, zero-width, tags),
 * surrogates, private use, unassigned, line separators, every space but U+0020, fillers and the blank
 * braille pattern, and the symbols that stand for controls in our own output.
 */
const spelled = new RegExp(
  `[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}${brackets}\\u2400-\\u2426\\u21e5\\u2800]|(?! )\\p{Zs}`,
  'u',
);
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const mark = /^\p{M}$/u;

/** A few marks on one letter are a language; more are a drawing over the neighbouring lines. */
const maxMarks = 4;

/**
 * The text with controls as pictures (`␛`, `␊`, tab as `⇥`), other unseen characters as `⟨U+202E⟩`, and
 * trailing spaces as `␠`. Combining marks stay on the letter they belong to, except where a single
 * character would look the same (`e` + U+0301), where there is no letter, and beyond four.
 * Emoji joined by U+200D come apart. Letters that pass for others, as `а` does in `pаy`, are spelled out too.
 */
export function visible(text: string): string {
  if (/^(?:[\x21-\x7e]| +(?=[\x21-\x7e]))*$/.test(text)) return text;
  let shown = '';
  // What the next character could combine with: a letter and the marks on it.
  let cluster = '';
  let marks = 0;
  let at = 0;
  const deceptive = passesForOther(text);
  for (const char of text) {
    const isDeceptive = deceptive(char, at);
    at += char.length;
    const isMark = mark.test(char);
    marks = isMark ? marks + 1 : 0;
    if (
      isDeceptive ||
      spelled.test(char) ||
      (isMark && (cluster === '' || marks > maxMarks)) ||
      composes(cluster, char)
    ) {
      shown += spell(char);
      cluster = '';
    } else {
      shown += char;
      // A mark on a space would hang in the air.
      cluster = char === ' ' ? '' : isMark ? cluster + char : char;
    }
  }
  const spaces = trailingSpaces(shown);
  return shown.slice(0, shown.length - spaces) + '␠'.repeat(spaces);
}

/** Whether Unicode counts the character, or it together with what is before it, as equal to another text. */
function composes(cluster: string, char: string): boolean {
  if (char <= '\x7f') return false;
  return (cluster + char).normalize('NFC') !== cluster + char;
}

function spell(char: string): string {
  const codePoint = char.codePointAt(0) as number;
  if (codePoint === 0x09) return '⇥';
  if (codePoint < 0x20) return String.fromCodePoint(0x2400 + codePoint);
  if (codePoint === 0x7f) return '␡';
  return `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The text without what cannot be seen; for names and titles, where nobody has to tell two apart. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '');
}
