/** A click beside the side part: it leaves card, editor and inspector for what was clicked. Types nothing. */
import { contains, paneAt } from '../panes/geometry.ts';
import type { MouseToken } from '../stage/index.ts';
import type { Ui } from '../ui.ts';

/**
 * Leaves all modes when a pane in sight or the tab line was pressed; true: it did. The pane is only chosen:
 * its program hears nothing of the click.
 */
export function leaveByClick(ui: Ui, token: MouseToken): boolean {
  if (token.action !== 'press' || token.button !== 0) return false;
  if (token.y === 0) {
    ui.home();
    ui.replay([token]);
    return true;
  }
  const { side } = ui.regions ?? {};
  const covered = side && contains(side, token.x, token.y);
  const pane = covered ? undefined : paneAt(ui.placed, token.x, token.y);
  if (!pane) return false;
  ui.home();
  ui.view.focus(pane.pane);
  ui.refresh();
  return true;
}
