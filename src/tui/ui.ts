/** What modes and commands may ask of the screen they belong to. Types only. */
import type { Client } from '../rpc/client.ts';
import type { Ages } from './ages.ts';
import type { Clock } from './clock.ts';
import type { CopyBuffer } from './copy/buffer.ts';
import type { Scrollback } from './copy/scrollback.ts';
import type { Inspector } from './inspector/inspector.ts';
import type { Keymap } from './keymap.ts';
import type { Mode } from './mode.ts';
import type { News } from './news.ts';
import type { Arranger } from './panes/arranger.ts';
import type { PlacedPane } from './panes/geometry.ts';
import type { Grids } from './panes/grids.ts';
import type { Regions } from './regions.ts';
import type { Choices, TuiSettings } from './settings.ts';
import type { Stage } from './stage/index.ts';
import type { Message } from './status-line.ts';
import type { Theme } from './theme.ts';
import type { ViewState } from './view-state.ts';

/** How a TUI ended. */
export interface TuiEnd {
  readonly reason: 'detached' | 'killed' | 'host-gone';
  /** For the person, when there is more to say. */
  readonly message?: string;
}

export interface Ui {
  readonly client: Client;
  readonly stage: Stage;
  readonly clock: Clock;
  readonly view: ViewState;
  readonly news: News;
  readonly grids: Grids;
  readonly scrollback: Scrollback;
  /** What was copied last. */
  readonly buffer: CopyBuffer;
  readonly inspector: Inspector;
  readonly settings: TuiSettings;
  readonly keymap: Keymap;
  theme: Theme;
  /** Shown in place of `theme` while one looks for another. */
  previewed: Theme | undefined;
  /** Keeps what was chosen for the next view. */
  remember(choices: Choices): void;
  /** Earlier command lines, newest last. */
  readonly history: string[];
  /** Whether the inspector stands beside the panes on a wide terminal. */
  inspectorShown: boolean;
  /** How the terminal is divided now; undefined while it is too small. */
  readonly regions: Regions | undefined;
  readonly arranger: Arranger;
  /** Panes as they stand now. */
  readonly placed: readonly PlacedPane[];
  push(mode: Mode): void;
  pop(mode: Mode): void;
  /** The uppermost mode of that name. */
  find(name: string): Mode | undefined;
  /** Leaves all modes but the panes'. */
  home(): void;
  /** Ages said while drawing; the screen is drawn again when one of them changes. */
  readonly ages: Ages;
  /** Something shown changed: it is drawn before the next paint. */
  refresh(): void;
  /** Puts a line on the status line until the next key, or until it is taken back by what this returns. */
  say(text: string, level?: Message['level']): () => void;
  /** Says why something was refused; over the panes when that takes more than the status line. */
  complain(error: unknown): void;
  /** Runs a command line, as typed after `:`. */
  run(line: string): void;
  /** Gives `token` to the mode that is on top now. */
  replay(tokens: readonly Parameters<Mode['token']>[0][]): void;
  /** The session is being killed from here: when the connection ends, that was why. */
  killing: boolean;
  end(end: TuiEnd): void;
}
