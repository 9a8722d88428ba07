/** The themes there are: the bundled ones and those a person put beside the configuration. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../platform/config.ts';
import { themes as bundled, Theme } from '../tui/theme.ts';
import { describeProblems, JsoncText } from './jsonc.ts';
import { nearest } from './nearest.ts';
import { whyUnreadable } from './unreadable.ts';

export interface Themes {
  themes: readonly Theme[];
  /** What is wrong with files, one line each. */
  problems: string[];
  /** The theme; undefined when none is named; a text that says why there is none of that name. */
  find(name: string | undefined): Theme | string | undefined;
}

/** @param directory need not exist; each `NAME.json` in it is a theme of that name */
export function readThemes(directory: string): Themes {
  const themes = [...bundled];
  const problems: string[] = [];
  for (const file of themeFiles(directory)) {
    const path = join(directory, file);
    const read = readTheme(path, file.replace(/\.json$/, ''));
    if (Array.isArray(read)) problems.push(...read);
    else themes.push(read);
  }
  return {
    themes,
    problems,
    find(name) {
      if (name === undefined) return undefined;
      const names = themes.map((theme) => theme.name);
      const meant = nearest(name, names);
      const help =
        meant === undefined ? `take one of ${names.join(', ')}` : `did you mean ${JSON.stringify(meant)}?`;
      // One beside the configuration goes before a bundled one of its name.
      return (
        themes.findLast((theme) => theme.name === name) ??
        `there is no theme ${JSON.stringify(name)}: ${help}`
      );
    },
  };
}

function themeFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => /^[a-z][a-z0-9-]*\.json$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

function readTheme(path: string, name: string): Theme | string[] {
  let text: string;
  try {
    text = readText(path) ?? '';
  } catch (error) {
    return [`${path} cannot be read: ${whyUnreadable(error)}`];
  }
  const source = new JsoncText(text);
  source.check(Theme);
  const theme = source.value as Theme;
  if (source.problems.length === 0 && theme.name !== name) {
    source.complain(['name'], `name must be ${JSON.stringify(name)}, as the file's`);
  }
  return source.problems.length === 0 ? theme : describeProblems(path, source.problems);
}
