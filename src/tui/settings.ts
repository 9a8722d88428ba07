/** What a person configured, as far as the screen goes. Types and the defaults; read from a file elsewhere. */
import { defaultKeymap, type Keymap } from './keymap.ts';
import { defaultTheme, type Theme, themes } from './theme.ts';

/** Places for panes: a pane, or a split of places. `weight` is its size beside its siblings, 1 by default. */
export interface LayoutTree {
  readonly weight?: number;
  readonly columns?: readonly LayoutTree[];
  readonly rows?: readonly LayoutTree[];
}

export interface TuiSettings {
  readonly keymap: Keymap;
  readonly theme: Theme;
  /** Those the palette chooses from. */
  readonly themes: readonly Theme[];
  /** Whether the inspector stands beside the panes of a wide terminal at first. */
  readonly inspector: boolean;
  /** Whether tabs are marked whose screens changed; those with a bell always are. */
  readonly activity: boolean;
  /** Whether the program in the focused pane may put text on the terminal's clipboard. */
  readonly clipboard: boolean;
  /** What `layout NAME` arranges a tab by. */
  readonly layouts: ReadonlyMap<string, LayoutTree>;
}

export const defaultSettings: TuiSettings = {
  keymap: defaultKeymap,
  theme: defaultTheme,
  themes,
  inspector: true,
  activity: true,
  clipboard: true,
  layouts: new Map(),
};

/** What was chosen here and is worth beginning with the next time. */
export interface Choices {
  /** Name of a theme. */
  theme?: string;
  inspector?: 'shown' | 'hidden';
  /** Command lines, newest last, without any that start a program: those may hold secrets. */
  history?: string[];
}
