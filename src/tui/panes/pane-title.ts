/**
 * The words in the border of a pane. What a program calls itself or its window stands where it can pass for
 * nothing else: after our words or behind a bar, and without any sign that lines and marks are made of.
 */
import { visible } from '../../cells/visible.ts';
import type { Instance } from '../../rpc/api/instances.ts';
import type { Span } from '../stage/index.ts';
import { clipLine, type Line, lineColumns, span } from '../text.ts';
import type { Theme } from '../theme.ts';

/** What the border of a pane says. */
export interface PaneLook {
  readonly instance: Instance | undefined;
  readonly focused: boolean;
  readonly zoomed: boolean;
  /** A bell rang in it since it last had the focus. */
  readonly rang: boolean;
  /** Rows it is scrolled back by, and how many were written since; undefined: it shows the screen. */
  readonly scrolled?: { readonly up: number; readonly fresh: number } | undefined;
  /** What to press to start an ended program again. */
  readonly restart: string;
}

/** Fewer columns of a window's title say nothing. */
const leastWindowTitle = 6;

/** The title and the note of a border that is `columns` wide; both fit. */
export function paneTitle(look: PaneLook, theme: Theme, columns: number): { title: Span[]; note: Span[] } {
  const note = noteOf(look, theme);
  // Corners, the spaces around the words, and the line between them.
  const room = columns - 5 - (note.length > 0 ? lineColumns(note) + 4 : 0);
  return { title: [...titleOf(look, theme, Math.max(1, room))], note };
}

function titleOf({ instance, focused }: PaneLook, { styles, glyphs }: Theme, room: number): Line {
  if (!instance) return [];
  const { instance: id, title, screen_title: window, waiting } = instance;
  const asks: Line = waiting > 0 ? [span(`  ${glyphs.waiting} ${waiting} waiting`, styles.warning)] : [];
  const own = [span(`${id} ${withoutLines(title)}`, focused ? styles.accent : {})];
  // However long a program's name is, that it asks for something is said.
  const words = [...clipLine(own, Math.max(id.length, room - lineColumns(asks))), ...asks];
  if (window === undefined || window === title) return words;
  const behind = [span(`  ${glyphs.quote} ${withoutLines(window)}`, styles.dim)];
  const left = room - lineColumns(words);
  return left < leastWindowTitle ? words : [...words, ...clipLine(behind, left)];
}

/** Made visible, and without what could be taken for more border, or for a mark on it. */
function withoutLines(text: string): string {
  return visible(text.replace(/[\u2190-\u21ff\u2500-\u27bf\u2b00-\u2bff]/gu, '·'));
}

function noteOf({ instance, zoomed, rang, scrolled }: PaneLook, { styles }: Theme): Span[] {
  const notes = [
    scrolled ? `${scrolled.up} up${scrolled.fresh > 0 ? `, ${scrolled.fresh} new` : ''}` : '',
    rang ? 'bell' : '',
    zoomed ? 'zoomed' : '',
    instance?.status === 'starting' ? 'starting' : '',
  ]
    .filter((note) => note !== '')
    .join('  ');
  return notes === '' ? [] : [span(notes, styles.dim)];
}
