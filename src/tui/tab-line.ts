/** The line at the top: session and tabs on the left, the session's mark and the waiting count on the right. */
import { visible } from '../cells/visible.ts';
import { panesOf } from './panes/geometry.ts';
import type { Span } from './stage/index.ts';
import { justify, type Line, lineColumns, span } from './text.ts';
import type { Theme } from './theme.ts';
import type { ViewState } from './view-state.ts';

export function tabLine(view: ViewState, theme: Theme, columns: number): Line {
  const parts = placed(view, theme, columns).map(({ part }) => part);
  return justify([name(view, theme), ...parts], right(view, theme), columns);
}

/** The tab in that column, for clicks; undefined beside them. */
export function tabAt(view: ViewState, theme: Theme, columns: number, x: number): number | undefined {
  let at = lineColumns([name(view, theme)]);
  for (const { part, index } of placed(view, theme, columns)) {
    const end = at + lineColumns([part]);
    if (x >= at && x < end) return index;
    at = end;
  }
  return undefined;
}

function name({ picture }: ViewState, { styles }: Theme): Span {
  return span(` ${visible(picture.session)} `, styles.strong);
}

function right({ picture }: ViewState, { styles, glyphs }: Theme): Line {
  const waiting = picture.waiting.length;
  return [
    span(`${glyphs.mark} ${picture.mark}`, styles.accent),
    span('   '),
    span(`${waiting} waiting`, waiting > 0 ? styles.warning : styles.dim),
    span(' '),
  ];
}

/** The tabs from the first one on that lets the current one be seen. */
function placed(view: ViewState, theme: Theme, columns: number): { part: Span; index: number }[] {
  const { styles } = theme;
  const waiting = new Set(view.picture.waiting.map(({ instance }) => instance));
  const tabs = view.tabs.map(({ name: tab, root }, index) => {
    const current = index === view.tabIndex;
    const asks = panesOf(root).some(({ instance }) => waiting.has(instance));
    const style = current ? styles.tabCurrent : asks ? styles.warning : styles.tab;
    return { part: span(` ${index + 1} ${visible(tab)}${current ? '*' : ''} `, style), index };
  });
  const room = columns - lineColumns([name(view, theme), ...right(view, theme)]) - 3;
  let first = 0;
  const upToCurrent = () => tabs.slice(first, view.tabIndex + 1).map(({ part }) => part);
  while (first < view.tabIndex && lineColumns(upToCurrent()) > room) first++;
  return tabs.slice(first);
}
