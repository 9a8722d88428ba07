/**
 * What a view begins with and hears of while it lasts: the person's configuration, and what was remembered
 * from earlier views.
 */
import { basename } from 'node:path';
import { configPaths, watchText } from '../platform/config.ts';
import { rememberedPath } from '../platform/paths.ts';
import { type Remembered, readRemembered, remember } from '../platform/remembered.ts';
import type { Remark, TuiOptions, TuiSettings } from '../tui/index.ts';
import { type ReadConfig, readConfig, type Settings } from './config.ts';

/** Choices that follow each other closely are written down together. */
const settleMs = 400;

export interface ViewSettings {
  options: Required<Pick<TuiOptions, 'settings' | 'watchSettings' | 'history' | 'remember'>> & {
    remark?: Remark;
  };
  /** What the configuration changes about the environment of programs. */
  env: { SHELL?: string };
  /** Writes down what is yet to be; says what could not be. */
  finish(): Promise<string | undefined>;
}

export function viewSettings(env: NodeJS.ProcessEnv): ViewSettings {
  const paths = configPaths(env);
  const path = rememberedPath(env);
  const remembered = readRemembered(path);
  const config = readConfig(paths, env);
  const remark = problemRemark(config);
  const memory = new Memory(path);
  const { shell } = config.settings;
  return {
    options: {
      settings: tuiSettings(config.settings, remembered, env),
      history: remembered.history ?? [],
      ...(remark && { remark }),
      remember: (choices) => memory.add(choices),
      watchSettings: (changed) =>
        watchText(paths.file, () => {
          const newer = readConfig(paths, env);
          const problem = problemRemark(newer);
          // Half of a text is often saved: what was good stays until it is whole again.
          if (newer.broken) changed(undefined, problem);
          else
            changed(
              tuiSettings(newer.settings, remembered, env),
              problem ?? { text: 'Settings read anew.', level: 'info' },
            );
        }),
    },
    env: shell === undefined ? {} : { SHELL: shell },
    finish: () => memory.flush(),
  };
}

function tuiSettings(
  { tui, hasTheme, inspector }: Settings,
  remembered: Remembered,
  env: NodeJS.ProcessEnv,
): TuiSettings {
  // NO_COLOR is a wish of the person's own, which a theme in the configuration may overrule.
  const wanted = env.NO_COLOR ? 'monochrome' : remembered.theme;
  const chosen = tui.themes.findLast(({ name }) => name === wanted);
  return {
    ...tui,
    theme: hasTheme ? tui.theme : (chosen ?? tui.theme),
    inspector: inspector === 'auto' ? remembered.inspector !== 'hidden' : inspector === 'on',
  };
}

/** The first problem in the room of a status line; `tickmux doctor` has all of them. */
function problemRemark({ problems: [first, ...more] }: ReadConfig): Remark | undefined {
  if (first === undefined) return undefined;
  const at = first.search(/:\d+:\d+: /);
  const words = at === -1 ? first : basename(first.slice(0, at)) + first.slice(at);
  const all = more.length > 0 ? `${more.length + 1} mistakes, see tickmux doctor: ` : '';
  return { text: all + words, level: 'warning' };
}

/** Gathers choices, and writes them when none has come for a moment. */
class Memory {
  readonly #path: string;
  #waiting: Remembered | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failure: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  add(choices: Remembered): void {
    this.#waiting = { ...this.#waiting, ...choices };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), settleMs);
  }

  async flush(): Promise<string | undefined> {
    clearTimeout(this.#timer);
    this.#write();
    await this.#writing;
    return this.#failure;
  }

  #write(): void {
    const choices = this.#waiting;
    if (!choices) return;
    this.#waiting = undefined;
    this.#writing = this.#writing
      .then(() => remember(this.#path, choices))
      .catch((error: Error) => {
        this.#failure = `What you chose could not be remembered in ${this.#path}: ${error.message}`;
      });
  }
}
