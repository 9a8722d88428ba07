/** Rows of the inspector: what every one of its pages is made of. */
import type { Line } from '../text.ts';

export interface InspectorRow {
  /** Names the row while its neighbours come and go. */
  readonly key: string;
  /** One row may take several lines. */
  readonly lines: readonly Line[];
  /** What Enter does: fold or unfold it, or open the card of that call. */
  readonly open?: { readonly fold: string } | { readonly call: string };
}
