/**
 * Letters that pass for those of another script: knows which, and in which words nobody could tell.
 * Never changes a text. Covers Latin, Greek and Cyrillic, and styled forms of Latin letters.
 */

/** A word: what is read as one, so that a letter of another script in it goes by unnoticed. */
const word = /[\p{L}\p{M}\p{N}]+/gu;
// The micro sign is of no script, and looks Greek.
const scripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /µ/u];
const greekOrCyrillic = /[\p{Script=Greek}\p{Script=Cyrillic}]/u;
const letter = /\p{L}/u;

/** Greek and Cyrillic letters that look like a letter or digit of another of the three scripts, without their marks. */
const twins = new Set(
  'ΑΒΓΕΖΗΘΙΚΛΜΝΟΠΡΤΥΦΧΩαβγεηθικμνοπρσςτυφχωϒϕϲϳϴϵϹϺ' +
    'АВГЕЗІЇЅЈКЛМНОПРСТУФХЬЭабвгезікїѕјлмнопрстуфхьєэѡѲѳѴѵҮүҺһӀӏӨөԀԁԌԍԚԛԜԝЯягꙌꙍ',
);

/**
 * Which characters of the text pass for others; asked with each and its index in UTF-16 units. In a word of more than
 * one script these are all its Greek and Cyrillic letters, and in one of nothing but twins every letter.
 * A word with a letter of its script alone (`привет`) can be taken for no other.
 */
export function passesForOther(text: string): (char: string, index: number) => boolean {
  const words: (readonly [from: number, to: number])[] = [];
  if (greekOrCyrillic.test(text)) {
    for (const { 0: found, index } of text.matchAll(word)) {
      if (isDeceptive(found)) words.push([index, index + found.length]);
    }
  }
  let next = 0;
  return (char, index) => {
    if (char <= '\x7f') return false;
    while (index >= (words[next]?.[1] ?? Number.POSITIVE_INFINITY)) next++;
    const inWord = index >= (words[next]?.[0] ?? Number.POSITIVE_INFINITY);
    return (inWord && greekOrCyrillic.test(char)) || isStyled(char);
  };
}

function isDeceptive(found: string): boolean {
  if (!greekOrCyrillic.test(found)) return false;
  if (scripts.filter((script) => script.test(found)).length > 1) return true;
  return [...found.normalize('NFD')].every((char) => !letter.test(char) || twins.has(char));
}

/** Latin letters drawn otherwise, such as `𝐚`, `ａ` and `ﬁ`: other characters, with the same words. */
function isStyled(char: string): boolean {
  return /^[A-Za-z]+$/.test(char.normalize('NFKC'));
}
