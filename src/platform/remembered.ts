/**
 * What the program remembers for the person without being told to: small conveniences, in a file that is
 * theirs alone (mode 0600). Never holds a secret, and nothing depends on it.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

export interface Remembered {
  /** Name of the theme chosen last. */
  theme?: string;
  inspector?: 'shown' | 'hidden';
  /** Command lines of the palette, newest last. */
  history?: string[];
}

/**
 * What is remembered; empty when nothing is, or nothing that can be understood. Reads the file by itself,
 * since the first picture needs it and the library takes longer to load than all else does.
 */
export function readRemembered(path: string): Remembered {
  let value: Record<string, unknown>;
  try {
    value = Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
  const { theme, inspector, history } = value;
  const lines = Array.isArray(history) ? history.filter((line) => typeof line === 'string') : [];
  return {
    ...(typeof theme === 'string' && { theme }),
    ...((inspector === 'shown' || inspector === 'hidden') && { inspector }),
    ...(lines.length > 0 && { history: lines }),
  };
}

/** Replaces what is given and keeps the rest, also what another view wrote meanwhile. */
export async function remember(path: string, changes: Remembered): Promise<void> {
  // Loaded only here: it costs from 50 to 400 ms.
  const { default: Conf } = await import('conf');
  const store = new Conf<Remembered>({
    cwd: dirname(path),
    configName: basename(path, '.json'),
    configFileMode: 0o600,
    clearInvalidConfig: true,
    accessPropertiesByDotNotation: false,
  });
  store.set(changes);
}
