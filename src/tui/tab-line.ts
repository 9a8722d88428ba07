/** The line at the top: session and tabs on the left, the session's mark and the waiting count on the right. */
import { visible } from '../cells/visible.ts';
import { panesOf } from './panes/geometry.ts';
import { justify, type Line, lineColumns, span } from './text.ts';
import type { Theme } from './theme.ts';
import type { ViewState } from './view-state.ts';

export function tabLine(view: ViewState, { styles, glyphs }: Theme, columns: number): Line {
  const { picture } = view;
  const waiting = picture.waiting.length;
  const right: Line = [
    span(`${glyphs.mark} ${picture.mark}`, styles.accent),
    span('   '),
    waiting > 0 ? span(`${waiting} waiting`, styles.warning) : span('0 waiting', styles.dim),
    span(' '),
  ];
  const left = [span(` ${visible(picture.session)} `, styles.strong), ...tabs(view, styles)];
  return justify(left, right, columns);
}

/** The column ranges of the tabs on that line, for clicks; undefined beside them. */
export function tabAt(view: ViewState, theme: Theme, x: number): number | undefined {
  let at = lineColumns([span(` ${visible(view.picture.session)} `)]);
  for (const [index, part] of tabs(view, theme.styles).entries()) {
    const end = at + lineColumns([part]);
    if (x >= at && x < end) return index;
    at = end;
  }
  return undefined;
}

function tabs(view: ViewState, styles: Theme['styles']): Line {
  const waiting = new Set(view.picture.waiting.map(({ instance }) => instance));
  return view.tabs.map(({ name, root }, index) => {
    const current = index === view.tabIndex;
    const asks = panesOf(root).some(({ instance }) => waiting.has(instance));
    const style = current ? styles.tabCurrent : asks ? styles.warning : styles.tab;
    return span(` ${index + 1} ${visible(name)}${current ? '*' : ''} `, style);
  });
}
