/**
 * Where a person's configuration lives, and when it was saved. Reads no setting and writes nothing:
 * what the text means is said in `cli/config.ts`.
 */
import { existsSync, type FSWatcher, readFileSync, realpathSync, watch } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Editors save in several steps (write, rename, chmod): one change is told after the last of them. */
const settleMs = 80;

export interface ConfigPaths {
  directory: string;
  /** JSON with comments; need not exist. */
  file: string;
  /** Further themes, one `NAME.json` each; need not exist. */
  themes: string;
}

/** By the XDG rules: a relative XDG_CONFIG_HOME is to be ignored. */
export function configPaths(env: NodeJS.ProcessEnv): ConfigPaths {
  const given = env.XDG_CONFIG_HOME;
  const home = given?.startsWith('/') ? given : join(env.HOME || homedir(), '.config');
  const directory = join(home, 'tickmux');
  return { directory, file: join(directory, 'config.jsonc'), themes: join(directory, 'themes') };
}

/** The text of a file, without a byte order mark; undefined when there is none. Throws when it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Calls `changed` after the file's text became another one, until the returned function is called. Watches
 * directories, since editors replace files; never polls, and never keeps the process alive. A directory that
 * is yet to be made is noticed if its parent exists.
 */
export function watchText(path: string, changed: () => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let last = textOf(path);
  let timer: NodeJS.Timeout | undefined;
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      follow();
      const text = textOf(path);
      if (text === last) return;
      last = text;
      changed();
    }, settleMs);
    timer.unref();
  };
  const follow = () => {
    const wanted = directoriesOf(path);
    for (const [directory, watcher] of watchers) {
      if (wanted.has(directory)) continue;
      watcher.close();
      watchers.delete(directory);
    }
    for (const [directory, names] of wanted) {
      if (watchers.has(directory)) continue;
      try {
        const watcher = watch(directory, { persistent: false }, (_event, name) => {
          if (name === null || names.has(name)) settle();
        });
        // A directory that is removed: what replaces it is found from its parent.
        watcher.on('error', settle);
        watchers.set(directory, watcher);
      } catch {
        // Not there, or no watches are left: the next attach reads the file anew.
      }
    }
  };
  follow();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}

function textOf(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}

/** What to watch, and which names in it matter: also where a link leads, since people keep such files elsewhere. */
function directoriesOf(path: string): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  const add = (file: string) => {
    const names = wanted.get(dirname(file)) ?? new Set();
    wanted.set(dirname(file), names.add(basename(file)));
  };
  const directory = dirname(path);
  add(existsSync(directory) ? path : directory);
  // The directory itself can be removed and made anew.
  if (existsSync(directory)) add(directory);
  try {
    add(realpathSync(path));
  } catch {
    // There is no file yet.
  }
  return wanted;
}
