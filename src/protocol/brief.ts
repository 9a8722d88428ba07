/**
 * Cuts the words of strangers to what a sentence or a line of ours can bear: a Tick may name things in half a
 * megabyte. It makes nothing safe to show; that is `visible`'s work.
 */

/**
 * The beginning of a text, of at most `most` UTF-16 units, with a mark that says how long it was; the text
 * itself when it is no longer. Never ends in half of a surrogate pair.
 */
export function brief(text: string, most = 400): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}
