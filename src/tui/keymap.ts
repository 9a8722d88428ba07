/**
 * Which key does what, as data: the modes look keys up here and the help is made from the same tables.
 * A binding of the prefix names a command line, as typed after `:`.
 */

import type { Motion } from './copy/motions.ts';

export interface Binding<Action extends string = string> {
  readonly keys: readonly string[];
  readonly action: Action;
  readonly help: string;
}

/** What a person may change: the prefix and the keys after it. Keys that decide something stay what they are. */
export interface Keymap {
  /** Goes before every key of `bindings`; twice sends it to the pane. */
  readonly prefix: string;
  readonly bindings: readonly Binding[];
}

const defaultPrefix = 'C-b';

/** The keys after the prefix, unless the person has others; all actions that have a key by default. */
export const prefixKeys: readonly Binding[] = [
  { keys: ['?'], action: 'help', help: 'these keys' },
  { keys: [':'], action: 'palette', help: 'type or find a command, an instance, a waiting call' },
  { keys: ['a'], action: 'approve', help: 'the oldest waiting approval' },
  { keys: ['!'], action: 'panic', help: 'stop all dispatching of calls; again: let it go on' },
  { keys: ['i'], action: 'inspector', help: 'to the inspector; again: hide it' },
  { keys: ['%', 'v'], action: 'split right', help: 'a shell to the right' },
  { keys: ['"', '-'], action: 'split down', help: 'a shell below' },
  { keys: ['c'], action: 'new-tab', help: 'a shell in a new tab' },
  { keys: ['Left', 'h'], action: 'focus left', help: 'pane to the left' },
  { keys: ['Down', 'j'], action: 'focus down', help: 'pane below' },
  { keys: ['Up', 'k'], action: 'focus up', help: 'pane above' },
  { keys: ['Right', 'l'], action: 'focus right', help: 'pane to the right' },
  { keys: ['o'], action: 'focus next', help: 'next pane' },
  { keys: ['H'], action: 'swap left', help: 'swap with the pane to the left' },
  { keys: ['J'], action: 'swap down', help: 'swap with the pane below' },
  { keys: ['K'], action: 'swap up', help: 'swap with the pane above' },
  { keys: ['L'], action: 'swap right', help: 'swap with the pane to the right' },
  { keys: ['r'], action: 'resize', help: 'resize the pane by keys' },
  { keys: ['='], action: 'even', help: 'make the panes equal in size' },
  { keys: ['b'], action: 'move-pane new', help: 'move the pane to a new tab' },
  { keys: ['['], action: 'copy-mode', help: 'scroll back, search, copy' },
  { keys: [']'], action: 'paste', help: 'paste what was copied' },
  { keys: ['z'], action: 'zoom', help: 'zoom the pane, or back' },
  { keys: ['n'], action: 'next-tab', help: 'next tab' },
  { keys: ['p'], action: 'previous-tab', help: 'previous tab' },
  ...Array.from({ length: 9 }, (_, index) => ({
    keys: [String(index + 1)],
    action: `tab ${index + 1}`,
    help: `tab ${index + 1}`,
  })),
  { keys: [','], action: 'rename', help: 'name the tab' },
  { keys: ['w'], action: 'instances', help: 'all instances, also those without a pane' },
  { keys: ['x'], action: 'close', help: 'end the program of the pane' },
  { keys: ['X'], action: 'remove-pane', help: 'remove the pane; its program goes on if it runs' },
  { keys: ['R'], action: 'restart', help: 'start an ended program again' },
  { keys: ['d'], action: 'detach', help: 'detach; everything goes on' },
  { keys: ['C-z'], action: 'suspend', help: 'suspend tickmux' },
  { keys: ['C-l'], action: 'redraw', help: 'draw the screen again' },
  { keys: [defaultPrefix], action: 'send-prefix', help: 'send the prefix to the program' },
];

/**
 * The keymap with a person's own keys: those they give an action take the place of its default ones, and are
 * taken away from every other action.
 */
export function makeKeymap(
  prefix: string = defaultPrefix,
  own: ReadonlyMap<string, readonly string[]> = new Map(),
): Keymap {
  const taken = new Set([...own.values()].flat());
  if (!own.has('send-prefix')) taken.add(prefix);
  const bindings = prefixKeys.map((binding) => {
    const keys = own.get(binding.action);
    if (keys) return { ...binding, keys };
    if (binding.action === 'send-prefix') return { ...binding, keys: [prefix] };
    return { ...binding, keys: binding.keys.filter((key) => !taken.has(key)) };
  });
  const known = new Set(bindings.map(({ action }) => action));
  for (const [action, keys] of own) if (!known.has(action)) bindings.push({ keys, action, help: action });
  return { prefix, bindings: bindings.filter(({ keys }) => keys.length > 0) };
}

export const defaultKeymap = makeKeymap();

/** What to press for an action, or to type in the palette where no key does it. */
export function keyFor({ prefix, bindings }: Keymap, action: string): string {
  const key = bindings.find((binding) => binding.action === action)?.keys[0];
  if (key !== undefined) return `${prefix} ${key}`;
  return action === 'palette' ? 'the palette' : `${keyFor({ prefix, bindings }, 'palette')} ${action}`;
}

/** While panes are resized: command lines, or `leave`. */
export const resizeKeys: readonly Binding[] = [
  { keys: ['Left', 'h'], action: 'resize left', help: 'the border to the left' },
  { keys: ['Down', 'j'], action: 'resize down', help: 'the border down' },
  { keys: ['Up', 'k'], action: 'resize up', help: 'the border up' },
  { keys: ['Right', 'l'], action: 'resize right', help: 'the border to the right' },
  { keys: ['S-Left', 'H'], action: 'resize left 5', help: 'five cells to the left' },
  { keys: ['S-Down', 'J'], action: 'resize down 5', help: 'five cells down' },
  { keys: ['S-Up', 'K'], action: 'resize up 5', help: 'five cells up' },
  { keys: ['S-Right', 'L'], action: 'resize right 5', help: 'five cells to the right' },
  { keys: ['='], action: 'even', help: 'all panes equal in size' },
  { keys: ['Enter', 'Esc', 'q'], action: 'leave', help: 'back' },
];

export type CopyAction =
  | Motion
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'half-up'
  | 'half-down'
  | 'first'
  | 'last'
  | 'screen-top'
  | 'screen-middle'
  | 'screen-bottom'
  | 'select'
  | 'select-rows'
  | 'select-block'
  | 'other-end'
  | 'copy'
  | 'search'
  | 'search-back'
  | 'again'
  | 'again-back'
  | 'leave';

/** In copy mode, by vi's names. */
export const copyKeys: readonly Binding<CopyAction>[] = [
  { keys: ['Left', 'h'], action: 'left', help: 'left' },
  { keys: ['Down', 'j', 'C-n'], action: 'down', help: 'down' },
  { keys: ['Up', 'k', 'C-p'], action: 'up', help: 'up' },
  { keys: ['Right', 'l'], action: 'right', help: 'right' },
  { keys: ['w'], action: 'word', help: 'to the next word' },
  { keys: ['e'], action: 'word-end', help: 'to the end of a word' },
  { keys: ['b'], action: 'word-back', help: 'back to the start of a word' },
  { keys: ['W'], action: 'big-word', help: 'to the next word, where only blanks end one' },
  { keys: ['E'], action: 'big-word-end', help: 'to the end of such a word' },
  { keys: ['B'], action: 'big-word-back', help: 'back to the start of such a word' },
  { keys: ['0'], action: 'line-start', help: 'to the start of the row' },
  { keys: ['^'], action: 'first-character', help: 'to its first character' },
  { keys: ['$', 'End'], action: 'line-end', help: 'to its last character' },
  { keys: ['{'], action: 'paragraph-back', help: 'to the empty row before' },
  { keys: ['}'], action: 'paragraph', help: 'to the empty row behind' },
  { keys: ['C-u'], action: 'half-up', help: 'half a page up' },
  { keys: ['C-d'], action: 'half-down', help: 'half a page down' },
  { keys: ['PageUp', 'C-b'], action: 'page-up', help: 'a page up' },
  { keys: ['PageDown', 'C-f'], action: 'page-down', help: 'a page down' },
  { keys: ['g', 'Home'], action: 'first', help: 'to the oldest row' },
  { keys: ['G'], action: 'last', help: 'to the newest row' },
  { keys: ['H'], action: 'screen-top', help: 'to the top of the pane' },
  { keys: ['M'], action: 'screen-middle', help: 'to its middle' },
  { keys: ['L'], action: 'screen-bottom', help: 'to its bottom' },
  { keys: ['v', 'Space'], action: 'select', help: 'select characters, or no longer' },
  { keys: ['V'], action: 'select-rows', help: 'select whole rows' },
  { keys: ['C-v'], action: 'select-block', help: 'select a block' },
  { keys: ['o'], action: 'other-end', help: 'to the other end of the selection' },
  { keys: ['y', 'Enter'], action: 'copy', help: 'copy it, or the row, and leave' },
  { keys: ['/'], action: 'search', help: 'search down; capitals count where there are any' },
  { keys: ['?'], action: 'search-back', help: 'search up' },
  { keys: ['n'], action: 'again', help: 'the next match' },
  { keys: ['N'], action: 'again-back', help: 'the match before' },
  { keys: ['Esc', 'q', 'C-c'], action: 'leave', help: 'select nothing, then back to the program' },
];

export type InspectorAction =
  | 'previous'
  | 'next'
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'first'
  | 'last'
  | 'open'
  | 'leave';

export const inspectorKeys: readonly Binding<InspectorAction>[] = [
  { keys: ['Left', 'S-Tab', 'h'], action: 'previous', help: 'State, Tools, Queue, Log: to the left' },
  { keys: ['Right', 'Tab', 'l'], action: 'next', help: 'State, Tools, Queue, Log: to the right' },
  { keys: ['Up', 'k'], action: 'up', help: 'up' },
  { keys: ['Down', 'j'], action: 'down', help: 'down' },
  { keys: ['PageUp'], action: 'page-up', help: 'a page up' },
  { keys: ['PageDown'], action: 'page-down', help: 'a page down' },
  { keys: ['Home', 'g'], action: 'first', help: 'to the top' },
  { keys: ['End', 'G'], action: 'last', help: 'to the end' },
  { keys: ['Enter'], action: 'open', help: 'fold, unfold, or open the card' },
  { keys: ['Esc', 'i', 'q'], action: 'leave', help: 'back to the panes' },
];

export type CardAction =
  | 'approve'
  | 'deny'
  | 'deny-with-words'
  | 'edit'
  | 'next'
  | 'previous'
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'first'
  | 'last'
  | 'leave';

/** Enter and Space are not here on purpose: they never decide anything. */
export const cardKeys: readonly Binding<CardAction>[] = [
  { keys: ['y'], action: 'approve', help: 'approve once, when all arguments were on the screen' },
  { keys: ['n'], action: 'deny', help: 'deny' },
  { keys: ['N'], action: 'deny-with-words', help: 'deny, and say why' },
  { keys: ['e'], action: 'edit', help: 'edit the arguments' },
  { keys: ['Tab'], action: 'next', help: 'next card' },
  { keys: ['S-Tab'], action: 'previous', help: 'previous card' },
  { keys: ['Up', 'k'], action: 'up', help: 'a row up' },
  { keys: ['Down', 'j'], action: 'down', help: 'a row down' },
  { keys: ['PageUp'], action: 'page-up', help: 'a page up' },
  { keys: ['PageDown'], action: 'page-down', help: 'a page down' },
  { keys: ['Home', 'g'], action: 'first', help: 'to the top' },
  { keys: ['End', 'G'], action: 'last', help: 'to the end' },
  { keys: ['Esc'], action: 'leave', help: 'leave it waiting' },
];

export type EditorAction = 'next-choice' | 'previous-choice' | 'undo' | 'redo' | 'save' | 'leave';

export const editorKeys: readonly Binding<EditorAction>[] = [
  { keys: ['C-n'], action: 'next-choice', help: 'the next value that the field may have' },
  { keys: ['C-p'], action: 'previous-choice', help: 'the one before' },
  { keys: ['C-z', 'C-_'], action: 'undo', help: 'undo' },
  { keys: ['C-y'], action: 'redo', help: 'redo' },
  { keys: ['C-s'], action: 'save', help: 'save: the card then shows the new arguments' },
  { keys: ['Esc'], action: 'leave', help: 'leave without saving' },
];

export type ListAction = 'up' | 'down' | 'first' | 'last' | 'show' | 'close' | 'restart' | 'leave';

export const listKeys: readonly Binding<ListAction>[] = [
  { keys: ['Up', 'k'], action: 'up', help: 'up' },
  { keys: ['Down', 'j'], action: 'down', help: 'down' },
  { keys: ['Home', 'g'], action: 'first', help: 'to the top' },
  { keys: ['End', 'G'], action: 'last', help: 'to the end' },
  { keys: ['Enter'], action: 'show', help: 'show it in a pane, or focus its pane' },
  { keys: ['x'], action: 'close', help: 'end the program' },
  { keys: ['R'], action: 'restart', help: 'start it again' },
  { keys: ['Esc', 'w', 'q'], action: 'leave', help: 'back' },
];

/** The action of a key; undefined when the table has none. */
export function actionOf<Action extends string>(
  bindings: readonly Binding<Action>[],
  key: string | undefined,
): Action | undefined {
  return key === undefined ? undefined : bindings.find(({ keys }) => keys.includes(key))?.action;
}

/** How far a key of movement goes, in rows of which `page` fit on a page; undefined for other actions. */
export function stepOf(action: string | undefined, page: number): number | undefined {
  switch (action) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'page-up':
      return -page;
    case 'page-down':
      return page;
    case 'first':
      return Number.NEGATIVE_INFINITY;
    case 'last':
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
}
