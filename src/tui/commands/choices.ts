/** Words that several commands offer to choose from. */
import { visible } from '../../cells/visible.ts';
import type { Instance } from '../../rpc/api/instances.ts';
import type { Ui } from '../ui.ts';
import type { Choice } from './command.ts';

export function words(...list: readonly string[]): readonly Choice[] {
  return list.map((word) => ({ word }));
}

/** The instances, or those of them that `fits`. */
export function instances(ui: Ui, fits: (instance: Instance) => boolean = () => true): readonly Choice[] {
  return ui.view.picture.instances
    .filter(fits)
    .map(({ instance, title }) => ({ word: instance, detail: visible(title) }));
}

/** The tabs by their numbers. */
export function tabs(ui: Ui): readonly Choice[] {
  return ui.view.tabs.map(({ name }, index) => ({ word: String(index + 1), detail: visible(name) }));
}
