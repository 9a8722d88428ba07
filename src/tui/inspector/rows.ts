/** Rows of the inspector: what every one of its pages is made of. */
import { visible } from '../../cells/visible.ts';
import { type Line, span, wordWrap } from '../text.ts';
import type { Theme } from '../theme.ts';

export interface InspectorRow {
  /** Names the row while its neighbours come and go. */
  readonly key: string;
  /** One row may take several lines. */
  readonly lines: readonly Line[];
  /** What Enter does: fold or unfold it, or open the card of that call. */
  readonly open?: { readonly fold: string } | { readonly call: string };
}

/** What stands on a page that has nothing to show. */
export function noteRow(note: string, columns: number, { styles }: Theme): InspectorRow {
  return { key: 'note', lines: wordWrap(visible(note), columns).map((text) => [span(text, styles.dim)]) };
}
