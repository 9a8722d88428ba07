/**
 * Reads the person's configuration. What is wrong with it is reported with its place and left out; it never
 * stops anything.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { type ConfigPaths, configPaths, readText } from '../platform/config.ts';
import { makeKeymap } from '../tui/keymap.ts';
import { defaultSettings, type LayoutTree, type TuiSettings } from '../tui/settings.ts';
import { Config } from './config-schema.ts';
import { describeProblems, JsoncText } from './jsonc.ts';
import { readThemes } from './themes.ts';
import { whyUnreadable } from './unreadable.ts';

export interface Settings {
  tui: Omit<TuiSettings, 'inspector'>;
  /** The theme comes from the file, not by default. */
  hasTheme: boolean;
  inspector: 'auto' | 'on' | 'off';
  scrollback?: number;
  /** Absolute. */
  shell?: string;
  /** Absolute. */
  playbook?: string;
}

export interface ReadConfig {
  settings: Settings;
  /** One line each, `file:line:column: what`. */
  problems: string[];
  /** The text is not JSON with comments: none of it counts. */
  broken: boolean;
  /** There is such a file. */
  exists: boolean;
}

/** Never throws. */
export function readConfig(paths: ConfigPaths, env: NodeJS.ProcessEnv): ReadConfig {
  let text: string | undefined;
  try {
    text = readText(paths.file);
  } catch (error) {
    const problem = `${paths.file} cannot be read: ${whyUnreadable(error)}`;
    return { settings: settingsOf({}, paths, env).settings, problems: [problem], broken: true, exists: true };
  }
  const source = new JsoncText(text ?? '{}');
  // Without a file nobody waits for the validator to load.
  if (text !== undefined) source.check(Config);
  const broken = source.value === undefined;
  const config = sound(source);
  const { settings, complaints, problems } = settingsOf(config, paths, env);
  for (const { path, message, atKey } of complaints) source.complain(path, message, atKey);
  source.problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return {
    settings,
    problems: [...describeProblems(paths.file, source.problems), ...problems],
    broken,
    exists: text !== undefined,
  };
}

/** The value without the parts that were complained about: a single key or layout, else the whole setting. */
function sound(source: JsoncText): Config {
  const config = structuredClone(Object(source.value)) as Record<string, unknown>;
  for (const { path } of source.problems) {
    const [setting, name] = path;
    if (setting === undefined) return {};
    const map = setting === 'keys' || setting === 'layouts' ? config[setting] : undefined;
    if (map && name !== undefined) delete (map as Record<string, unknown>)[name];
    else delete config[setting];
  }
  return config as Config;
}

interface Complaint {
  path: (string | number)[];
  message: string;
  atKey?: boolean;
}

/** What a schema cannot say: whether files are there, and whether one key means two things. */
function settingsOf(config: Config, paths: ConfigPaths, env: NodeJS.ProcessEnv) {
  const complaints: Complaint[] = [];
  const complain = (path: Complaint['path'], message: string, atKey = false) => {
    complaints.push({ path, message, atKey });
  };
  const themes = readThemes(paths.themes);
  const theme = themes.find(config.theme);
  if (typeof theme === 'string') complain(['theme'], theme);
  const settings: Settings = {
    tui: {
      keymap: makeKeymap(config.prefix, ownKeys(config, complain)),
      theme: typeof theme === 'object' ? theme : defaultSettings.theme,
      themes: themes.themes,
      activity: config.activity ?? defaultSettings.activity,
      clipboard: config.clipboard ?? defaultSettings.clipboard,
      layouts: ownLayouts(config, complain),
    },
    hasTheme: typeof theme === 'object',
    inspector: config.inspector ?? 'auto',
  };
  if (config.scrollback !== undefined) settings.scrollback = config.scrollback;
  if (config.shell !== undefined) {
    const shell = findProgram(expandHome(config.shell, env), env);
    if (shell) settings.shell = shell;
    else
      complain(['shell'], `shell: there is no program ${JSON.stringify(config.shell)} that can be started`);
  }
  if (config.playbook !== undefined) {
    const playbook = resolve(paths.directory, expandHome(config.playbook, env));
    if (statSync(playbook, { throwIfNoEntry: false })?.isFile()) settings.playbook = playbook;
    else complain(['playbook'], `playbook: there is no file ${playbook}`);
  }
  return { settings, complaints, problems: themes.problems };
}

function ownKeys(config: Config, complain: (path: Complaint['path'], message: string) => void) {
  const own = new Map<string, readonly string[]>();
  const taken = new Map<string, string>();
  for (const [action, given] of Object.entries(config.keys ?? {})) {
    const keys = [given].flat().filter((key, index) => {
      const other = taken.get(key);
      if (other === undefined || other === action) return taken.set(key, action);
      const path = Array.isArray(given) ? ['keys', action, index] : ['keys', action];
      complain(path, `${JSON.stringify(key)} is already the key of ${JSON.stringify(other)}`);
      return false;
    });
    own.set(action, keys);
  }
  return own;
}

function ownLayouts(config: Config, complain: (path: Complaint['path'], message: string) => void) {
  const layouts = new Map<string, LayoutTree>();
  for (const [name, tree] of Object.entries(config.layouts ?? {})) {
    const double = doubleSplit(tree, ['layouts', name]);
    if (double)
      complain(double, 'a place is split into columns or into rows, not both: nest one in the other');
    else layouts.set(name, tree);
  }
  return layouts;
}

/** Where a place has both columns and rows. */
function doubleSplit(tree: LayoutTree, path: (string | number)[]): (string | number)[] | undefined {
  if (tree.columns && tree.rows) return path;
  const axis = tree.columns ? 'columns' : 'rows';
  for (const [index, child] of (tree[axis] ?? []).entries()) {
    const found = doubleSplit(child, [...path, axis, index]);
    if (found) return found;
  }
  return undefined;
}

/** What the configuration changes about the environment of programs. */
export function configuredEnvironment(env: NodeJS.ProcessEnv): { SHELL?: string } {
  const { shell } = readConfig(configPaths(env), env).settings;
  return shell === undefined ? {} : { SHELL: shell };
}

/** `~` and `~/…` as shells know them. */
export function expandHome(path: string, env: NodeJS.ProcessEnv): string {
  return path === '~' || path.startsWith('~/') ? join(env.HOME || homedir(), path.slice(1)) : path;
}

/** The absolute path of a program that may be started; looks in PATH for a bare name. */
function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const places = name.includes('/')
    ? [name]
    : (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return isAbsolute(place) && statSync(place).isFile();
    } catch {
      return false;
    }
  });
}
