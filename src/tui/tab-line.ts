/**
 * The line at the top: session and tabs on the left, the session's mark and the waiting count on the right.
 * A tab bears `*` when it is shown, `!` when a bell rang in it, `#` when something else happened there.
 */
import { visible } from '../cells/visible.ts';
import type { Tab } from '../rpc/api/layout.ts';
import { panesOf } from './panes/geometry.ts';
import type { Span } from './stage/index.ts';
import { justify, type Line, lineColumns, span } from './text.ts';
import type { Ui } from './ui.ts';

/** What the line is made from. */
type TabLineParts = Pick<Ui, 'view' | 'news' | 'theme' | 'settings'>;

export function tabLine(ui: TabLineParts, columns: number): Line {
  const parts = placed(ui, columns).flatMap(({ part }) => part);
  return justify([name(ui), ...parts], right(ui), columns);
}

/** The tab in that column, for clicks; undefined beside them. */
export function tabAt(ui: TabLineParts, columns: number, x: number): number | undefined {
  let at = lineColumns([name(ui)]);
  for (const { part, index } of placed(ui, columns)) {
    const end = at + lineColumns(part);
    if (x >= at && x < end) return index;
    at = end;
  }
  return undefined;
}

function name({ view, theme }: TabLineParts): Span {
  return span(` ${visible(view.picture.session)} `, theme.styles.strong);
}

function right({ view, theme: { styles, glyphs } }: TabLineParts): Line {
  const { picture } = view;
  const waiting = picture.waiting.length;
  return [
    ...(picture.stopped ? [span('STOPPED', styles.danger), span('   ')] : []),
    span(`${glyphs.mark} ${picture.mark}`, styles.accent),
    span('   '),
    span(`${waiting} waiting`, waiting > 0 ? styles.warning : styles.dim),
    span(' '),
  ];
}

/** The tabs from the first one on that lets the current one be seen. */
function placed(ui: TabLineParts, columns: number): { part: Line; index: number }[] {
  const { view } = ui;
  const waiting = new Set(view.picture.waiting.map(({ instance }) => instance));
  const tabs = view.tabs.map((tab, index) => ({ part: tabPart(ui, tab, index, waiting), index }));
  const room = columns - lineColumns([name(ui), ...right(ui)]) - 3;
  let first = 0;
  const upToCurrent = () => tabs.slice(first, view.tabIndex + 1).flatMap(({ part }) => part);
  while (first < view.tabIndex && lineColumns(upToCurrent()) > room) first++;
  return tabs.slice(first);
}

/** Number, name, and one column for a mark, so that none moves what stands behind it. */
function tabPart(
  { view, news, theme: { styles }, settings }: TabLineParts,
  { name: tab, root }: Tab,
  index: number,
  waiting: ReadonlySet<string | undefined>,
): Line {
  const instances = panesOf(root).map(({ instance }) => instance);
  const current = index === view.tabIndex;
  const asks = instances.some((instance) => waiting.has(instance));
  const style = current ? styles.tabCurrent : asks ? styles.warning : styles.tab;
  const heard = current ? undefined : news.of(instances);
  const mark =
    heard === 'bell'
      ? span('!', styles.warning)
      : heard === 'activity' && settings.activity
        ? span('#', asks ? style : styles.accent)
        : span(current ? '*' : ' ', style);
  return [span(` ${index + 1} ${visible(tab)}`, style), mark, span(' ', style)];
}
