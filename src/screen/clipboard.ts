/** What a program wants on the clipboard (OSC 52). Its questions for what is there are never answered. */

/** The longest base64 taken, in characters: what most terminals take. */
export const longestCopy = 100_000;

/**
 * @param payload what follows `52;`: the letters of selections, `;`, and base64
 * @returns undefined where nothing is to be copied: a question, no base64, or no text
 */
export function copiedText(payload: string): string | undefined {
  const [, base64] = /^[cpqs0-7]*;([A-Za-z0-9+/]+={0,2})$/.exec(payload) ?? [];
  if (base64 === undefined) return undefined;
  const text = Buffer.from(base64, 'base64').toString('utf8');
  // Bytes that are no UTF-8 are no text, and would be others than the program meant.
  return text === '' || text.includes('\ufffd') ? undefined : text;
}
