/** Why a file could not be read, in words for a person; the system's own where there are no better ones. */
export function whyUnreadable(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return words[code] ?? message;
}

const words: Record<string, string | undefined> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory, not a file',
  ENOTDIR: 'a part of its path is no directory',
  ELOOP: 'its links lead in a circle',
};
